#include "collect/run/expense.h"

#include <dirent.h>
#include <inttypes.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/machine/anchors.h"
#include "collect/machine/command.h"
#include "collect/machine/procfs.h"
#include "collect/sampling/sample_cost.h"
#include "core/memory.h"
#include "core/wallclock.h"

enum {
	COUNT_NS = 50000000, /* the kernel counts for at least this long */
	PAUSE = 19,          /* then it pauses for this many times as long */
	RUN_NS = 60,         /* getting from the kernel into a program and back, which the kernel does not count */
	STACK_NS = 1000,     /* time for each sample: to walk its stack */
	COPY_BYTES = 10,     /* bytes that are copied in a nanosecond */
	LEAST_NS = 50000000, /* less CPU time than this is not reported, as the kernel counts in ticks */
};

static uint64_t expense_cpu_of(int who)
{
	struct rusage used;

	return getrusage(who, &used) ? 0 : rusage_cpu_ns(&used);
}

uint64_t own_cpu_ns(void)
{
	return expense_cpu_of(RUSAGE_SELF) + expense_cpu_of(RUSAGE_CHILDREN) - commands_cpu_ns();
}

/* ---- BPF programs ----------------------------------------------------------------- */

static void expense_find_programs(struct expense *e)
{
	DIR *dir = opendir("/proc/self/fd");
	const struct dirent *entry;
	char link[64];

	e->program_count = 0;
	while (dir && (entry = readdir(dir))) {
		ssize_t len = readlinkat(dirfd(dir), entry->d_name, link, sizeof(link) - 1);

		if (len <= 0)
			continue;
		link[len] = '\0';
		if (strcmp(link, "anon_inode:bpf-prog") != 0)
			continue;
		e->programs = xgrow(e->programs, &e->program_cap, e->program_count + 1, sizeof(*e->programs));
		e->programs[e->program_count++] = (int)strtol(entry->d_name, NULL, 10);
	}
	if (dir)
		closedir(dir);
}

static struct expense_programs expense_count_programs(const struct expense *e)
{
	struct expense_programs sum = { 0 };

	for (size_t i = 0; i < e->program_count; i++) {
		struct bpf_prog_info info = { 0 };
		union bpf_attr attr = { .info = { .bpf_fd = (uint32_t)e->programs[i],
						  .info_len = sizeof(info),
						  .info = (uintptr_t)&info } };

		if (syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr)))
			continue;
		sum.runs += info.run_cnt;
		sum.ns += info.run_time_ns;
	}
	return sum;
}

static void expense_start_counting(struct expense *e)
{
	union bpf_attr attr = { .enable_stats.type = BPF_STATS_RUN_TIME };

	if (!e->always) {
		e->stats = (int)syscall(SYS_bpf, BPF_ENABLE_STATS, &attr, sizeof(attr));
		e->denied = e->stats < 0;
	}
	if (e->denied)
		return;
	e->counts = true;
	e->before = expense_count_programs(e);
	e->since_ns = monotonic_ns();
}

/* Add what was counted so far to `counted`. */
static void expense_add_counted(struct expense *e)
{
	struct expense_programs now = expense_count_programs(e);
	uint64_t now_ns = monotonic_ns();

	if (now.ns >= e->before.ns && now.runs >= e->before.runs && now_ns > e->since_ns) { /* else one was unloaded */
		uint64_t ns = now.ns - e->before.ns, runs = now.runs - e->before.runs;

		e->counted.ns += ns;
		e->counted.runs += runs;
		e->counted_ns += now_ns - e->since_ns;
		e->bpf_share = (double)(ns + RUN_NS * runs) / (double)(now_ns - e->since_ns);
	}
	e->before = now;
	e->since_ns = now_ns;
}

static void expense_stop_counting(struct expense *e)
{
	if (e->stats > 0)
		close(e->stats);
	e->stats = 0;
	e->counts = false;
}

/* ---- CPU time of what is recorded ------------------------------------------------- */

/* The sum in ns of `count` numbers in text, which are in ticks, beginning with number `first`. */
static uint64_t expense_ticks(const char *text, int first, int count)
{
	uint64_t ticks = 0;
	char *at = (char *)(uintptr_t)text;

	for (int i = 0; i < first + count; i++) {
		uint64_t n = strtoull(at, &at, 10);

		ticks += i < first ? 0 : n;
	}
	return ticks * (NS_PER_SEC / (uint64_t)sysconf(_SC_CLK_TCK));
}

/* Add a process's CPU time, with that of children that it has waited for.  Returns whether it still exists. */
static bool expense_add_process(uint64_t *ns, pid_t pid)
{
	struct str text = { 0 };
	const char *end = read_process(pid, "stat", &text) ? NULL : strrchr(str_text(&text), ')');
	bool is_there = end && strlen(end) > 4;

	/* "8513 (name) S 1 ...": the parent is the fourth field, utime, stime, cutime, cstime are from the 14th on */
	if (is_there)
		*ns += expense_ticks(end + 4, 10, 4);
	str_free(&text);
	return is_there;
}

/* "cpu  USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ ...", of all CPUs */
static uint64_t expense_of_machine(void)
{
	struct str text = { 0 };
	uint64_t ns = 0;

	if (!read_whole("/proc/stat", &text) && !strncmp(str_text(&text), "cpu ", 4))
		ns = expense_ticks(text.buf + 4, 0, 3) + expense_ticks(text.buf + 4, 5, 2);
	str_free(&text);
	return ns;
}

/* Once a target has ended, the sum stays as it is, since that target's CPU time is no longer available. */
static void expense_look_at_recorded(struct expense *e)
{
	uint64_t ns = 0;

	if (e->command) {
		if (!expense_add_process(&ns, e->command))
			return;
	} else if (!e->targets) {
		ns = expense_of_machine();
	} else {
		for (size_t i = 0; i < e->targets->processes.count; i++) {
			if (!expense_add_process(&ns, e->targets->processes.list[i]))
				return;
		}
	}
	e->recorded_until_ns = ns;
}

/* ---- from begin to end ------------------------------------------------------------ */

void expense_begin(struct expense *e, const struct targets *targets, pid_t command)
{
	bool goes_on = e->wall_ns && !e->end_ns;

	e->targets = targets;
	e->command = command;
	e->begin_ns = goes_on ? e->begin_ns + e->wall_ns : monotonic_ns();
	e->own_ns = goes_on ? e->own_ns + e->took_ns : own_cpu_ns();
	expense_look_at_recorded(e);
	e->recorded_ns = e->recorded_until_ns;
	e->wall_ns = e->end_ns = 0;
	e->pace_ns = monotonic_ns();
	e->pace_own_ns = expense_cpu_of(RUSAGE_SELF);
	e->counted = (struct expense_programs){ 0 };
	e->counted_ns = 0;
	expense_stop_counting(e);
	expense_find_programs(e);
	e->always = read_sysctl("kernel/bpf_stats_enabled", 0) == 1;
	if (e->program_count)
		expense_start_counting(e);
}

void expense_turn(struct expense *e)
{
	uint64_t now_ns = monotonic_ns(), since_ns = e->since_ns;

	if (e->counts && now_ns - since_ns >= COUNT_NS) {
		expense_add_counted(e);
		expense_look_at_recorded(e);
		if (!e->always)
			expense_stop_counting(e);
		e->next_ns = now_ns + PAUSE * (now_ns - since_ns);
	} else if (!e->counts && !e->denied && e->program_count && now_ns >= e->next_ns) {
		expense_start_counting(e);
	}
}

uint64_t expense_wait_ns(const struct expense *e, uint64_t most_ns)
{
	uint64_t now_ns = monotonic_ns(), due_ns = e->counts ? e->since_ns + COUNT_NS : e->next_ns;

	if (e->always || e->denied || !e->program_count || due_ns >= now_ns + most_ns)
		return most_ns;
	return due_ns > now_ns ? due_ns - now_ns : 1;
}

struct expense_pace expense_pace(struct expense *e)
{
	uint64_t now_ns = monotonic_ns(), own_ns = expense_cpu_of(RUSAGE_SELF);
	struct expense_pace pace = { .bpf = e->bpf_share };

	if (now_ns > e->pace_ns)
		pace.own = (double)(own_ns - e->pace_own_ns) / (double)(now_ns - e->pace_ns);
	e->pace_ns = now_ns;
	e->pace_own_ns = own_ns;
	return pace;
}

void expense_end(struct expense *e)
{
	if (e->counts)
		expense_add_counted(e);
	expense_stop_counting(e);
	expense_look_at_recorded(e);
	e->end_ns = monotonic_ns();
}

void expense_look(struct expense *e, const struct tally *tally, uint64_t copied_bytes)
{
	uint64_t samples = tally->losses[LOSS_total_samples] - tally->samples_of_spans;
	double part;

	if (e->counts)
		expense_add_counted(e);
	if (!e->end_ns)
		expense_look_at_recorded(e);
	e->wall_ns = (e->end_ns ?: monotonic_ns()) - e->begin_ns;
	e->took_ns = own_cpu_ns() - e->own_ns;
	e->cpus = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
	part = e->counted_ns ? (double)e->wall_ns / (double)e->counted_ns : 0;
	e->bpf_ns = (uint64_t)(part * (double)(e->counted.ns + RUN_NS * e->counted.runs));
	e->samples_ns = samples ? samples * (sample_cost_ns() + STACK_NS + copied_bytes / COPY_BYTES) : 0;
	e->used_ns = e->recorded_until_ns > e->recorded_ns ? e->recorded_until_ns - e->recorded_ns : 0;
	if (!e->targets && !e->command)
		e->used_ns -= e->used_ns < e->took_ns ? e->used_ns : e->took_ns;
}

double expense_share(const struct expense *e)
{
	return e->wall_ns ? (double)(e->took_ns + e->bpf_ns) / (double)e->wall_ns : 0;
}

void expense_free(struct expense *e)
{
	expense_stop_counting(e);
	free(e->programs);
	*e = (struct expense){ 0 };
}

/* ---- in words --------------------------------------------------------------------- */

static void expense_percent(struct str *out, double part)
{
	str_addf(out, part < 0.00995 ? "%.2f %%" : part < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * part);
}

void expense_say(const struct expense *e, struct str *out)
{
	uint64_t inside_ns = e->bpf_ns + e->samples_ns;

	if (!e->wall_ns || !e->cpus)
		return;
	expense_percent(out, (double)(e->took_ns + inside_ns) / (double)(e->wall_ns * e->cpus));
	str_puts(out, " of the machine");
	if (e->denied && e->program_count) {
		str_puts(out, ", without its BPF programs, whose time may only be counted with CAP_SYS_ADMIN");
	} else if (e->used_ns > LEAST_NS && e->used_ns > inside_ns) {
		str_puts(out, e->targets || e->command ? "; the targets used " : "; programs used ");
		expense_percent(out, (double)inside_ns / (double)(e->used_ns - inside_ns));
		str_puts(out, " more CPU time (estimated)");
	}
}

void expense_say_excess(const struct expense *e, double budget, struct str *out)
{
	double share = e->wall_ns && e->cpus ? (double)e->bpf_ns / (double)(e->wall_ns * e->cpus) : 0;

	if (budget <= 0 || share <= budget)
		return;
	str_puts(out, "BPF programs took ");
	expense_percent(out, share);
	str_puts(out, " of the CPUs' time, above the budget of ");
	expense_percent(out, budget);
	str_puts(out, ", which holds for stacks: what happens costs that much to be counted; fewer collectors, or -p, "
		      "cost less");
}

void expense_format(const struct expense *e, struct str *out)
{
	if (!e->wall_ns)
		return;
	str_addf(out, "wall %" PRIu64 "\ncpus %" PRIu64 "\nown %" PRIu64 "\nsamples %" PRIu64 "\n", e->wall_ns, e->cpus,
		 e->took_ns, e->samples_ns);
	if (!e->denied || !e->program_count)
		str_addf(out, "bpf %" PRIu64 "\n", e->bpf_ns);
	if (e->used_ns)
		str_addf(out, "recorded %" PRIu64 "\n", e->used_ns);
	str_puts(out, "says ");
	expense_say(e, out);
	str_puts(out, "\n");
}
