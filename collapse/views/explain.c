#include "collapse/views/explain.h"

#include <string.h>

#include "collapse/perfdata/command_words.h"
#include "collapse/cause/doubts.h"
#include "collapse/cause/explanation.h"
#include "collapse/cause/leaders.h"
#include "collapse/cause/programs.h"
#include "collapse/cause/slices.h"
#include "collapse/fold/user_stacks.h"
#include "collapse/output/output.h"
#include "collapse/perfdata/recorded.h"
#include "collapse/perfdata/topology.h"
#include "collapse/views/reading.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/wallclock.h"

enum { SHOWN = 5 };

struct explain_target {
	struct reading *reading;
	struct history *history;
	struct slow *slow;
	struct lane_samples *lanes;
	struct leaders *leaders;
	struct command_words *words;
};

/* Who had the lock, or who wrote the data being written. */
static uint32_t other_of(struct reading *r, struct history *h, const struct recorded_sample *s)
{
	if (s->dirtier_tid > 0)
		return history_thread(h, s->dirtier_pid, s->dirtier_tid);
	if (s->owner_tid <= 0)
		return HISTORY_NONE;
	return history_thread(h, s->owner_pid ? s->owner_pid : comms_pid(&r->sideband.comms, s->owner_tid, s->time_ns),
			      s->owner_tid);
}

static void explain_add_sample(void *target, struct recorded_sample *s)
{
	struct explain_target *to = target;
	struct reading *r = to->reading;
	uint64_t value = 1, begin_ns = clock_wall(&r->clock, s->event->spans ? s->begin_ns : s->time_ns);
	bool leads = leaders_want(s), tells = history_wants(s) || slow_wants(s);
	uint32_t stack = HISTORY_NONE;

	if (s->event->lanes) {
		lane_samples_add(to->lanes, s, begin_ns);
		return;
	}
	if (s->has_process)
		command_words_add(to->words, s->pid, s->args, s->process.args_bytes);
	if ((!tells && !leads) || begin_ns < r->gather.from_ns || begin_ns >= r->gather.to_ns)
		return;
	if (history_has_stack(s)) {
		user_stacks_walk(&r->user_stacks, s);
		stack = stacks_add(&r->gather.stacks, s, 0, &r->sideband, &value);
	}
	if (leads && stack != HISTORY_NONE)
		leaders_add(to->leaders, s, history_thread(to->history, s->pid, s->tid), stack);
	if (!tells)
		return;
	if (!slow_wants(s)) {
		history_add(to->history, s, begin_ns, stack, history_by(to->history, &r->sideband.comms, s));
		return;
	}
	slow_add(to->slow, s, begin_ns, history_thread(to->history, s->pid, s->tid), other_of(r, to->history, s),
		 stack);
	if (s->span_flags & RECORDING_SINGLE)
		history_cover(to->history, begin_ns, begin_ns + s->period);
}

static int read_history(struct reading *r, struct history *h, struct slow *slow, struct lane_samples *lanes,
			struct leaders *leaders, struct command_words *words)
{
	int status =
		reading_history(r, explain_add_sample, &(struct explain_target){ r, h, slow, lanes, leaders, words });

	history_sort(h);
	slow_sort(slow);
	lane_samples_sort(lanes);
	return status;
}

/* Kernel threads are children of kthreadd. */
static bool explain_is_of_kernel(struct sideband *s, int pid)
{
	enum { KTHREADD = 2 };
	uint32_t name = comms_last(&s->comms, KTHREADD, UINT64_MAX);

	return (pid == KTHREADD || comms_parent(&s->comms, pid) == KTHREADD) &&
	       !strcmp(intern_text(&s->comms.names, name), "kthreadd");
}

static void explain_name_threads(struct reading *r, struct history *h)
{
	struct sideband *s = &r->sideband;
	struct map by_tid = { 0 };

	for (size_t i = 0; i < h->count; i++)
		*map_at(&by_tid, (uint32_t)h->threads[i].tid, 0) = (uint32_t)i + 1;
	for (size_t i = 0; i < h->count; i++) {
		struct history_thread *t = &h->threads[i];
		uint32_t parent = map_get(&by_tid, (uint32_t)comms_parent(&s->comms, t->pid), 0);
		uint64_t born_ns = comms_begin(&s->comms, t->pid, t->tid);
		uint32_t name = thread_name_last(&s->thread_names, &s->comms, t->pid, t->tid, UINT64_MAX);

		t->name = comms_last(&s->comms, t->pid, UINT64_MAX);
		t->parent = parent && t->pid ? parent - 1 : HISTORY_NONE;
		t->born_ns = born_ns ? clock_wall(&r->clock, born_ns) : 0;
		t->recorder = recorded_is_own(&r->data, t->pid) ||
			      !strncmp(intern_text(&s->comms.names, name), "pyrograph-", 10);
		t->kernel = explain_is_of_kernel(s, t->pid);
		t->stops_jvm = !strcmp(intern_text(&s->comms.names, name), "VM Thread");
	}
	map_free(&by_tid);
}

static void explain_set_priority(int pid, int tid, const char *policy, size_t len, int niceness, void *history)
{
	static const char *const words[HISTORY_POLICIES] = {
		[HISTORY_POLICY_BATCH] = "batch",       [HISTORY_POLICY_IDLE] = "idle",
		[HISTORY_POLICY_FIFO] = "fifo",         [HISTORY_POLICY_RR] = "rr",
		[HISTORY_POLICY_DEADLINE] = "deadline",
	};
	struct history *h = history;
	uint32_t number = map_get(&h->by_tid, (uint64_t)(uint32_t)tid, (uint32_t)pid);

	if (!number)
		return;
	h->threads[number - 1].niceness = (int8_t)niceness;
	for (unsigned i = 0; i < HISTORY_POLICIES; i++) {
		if (words[i] && strlen(words[i]) == len && !memcmp(policy, words[i], len))
			h->threads[number - 1].policy = (uint8_t)i;
	}
}

static void explain_set_affinity(int pid, int tid, uint64_t cpus, void *history)
{
	struct history *h = history;
	uint32_t number = map_get(&h->by_tid, (uint64_t)(uint32_t)tid, (uint32_t)pid);

	if (number)
		h->threads[number - 1].cpus_allowed = cpus;
}

static void explain_set_affinities(const struct reading *r, struct history *h)
{
	uint64_t cpus = recorded_affinities_cpus(&r->data);

	for (size_t i = 0; i < h->count; i++)
		h->threads[i].cpus_allowed = cpus;
	if (cpus)
		recorded_affinities_each(&r->data, explain_set_affinity, h);
}

void explain_prepare(struct reading *r, struct history *h, struct cause_frames *frames)
{
	explain_name_threads(r, h);
	recorded_priorities_each(&r->data, explain_set_priority, h);
	explain_set_affinities(r, h);
	slices_join(h, frames);
}

unsigned explain_roles_of(const struct history_thread *t, const void *reading)
{
	struct sideband *s = &((struct reading *)reading)->sideband;

	if (t->recorder)
		return 0;
	return FINDING_GUILTY | (sideband_wants(s, t->pid, t->tid, UINT64_MAX) ? FINDING_VICTIM : 0);
}

/* Was the whole machine recorded?  The command says so; so do idle threads, if a CPU was ever idle. */
static bool is_of_machine(const struct reading *r, const struct history *h)
{
	const char *command = r->data.command ? r->data.command : "";
	const char *end = strstr(command, " -- "), *all = strstr(command, " -a ");

	if (!all)
		all = strstr(command, " --all-cpus ");
	return h->cpu_count || (all && (!end || all < end));
}

/* Are there only samples of running code, with no spans of time recorded, not even as sums? */
static bool explain_has_only_samples(const struct history *h)
{
	for (size_t i = 0; i < h->count; i++) {
		const struct history_thread *t = &h->threads[i];

		if (t->ran_ns || t->ready_ns || t->summed.other_ns)
			return false;
	}
	return h->samples.count && !h->wake_count && !h->cpu_count;
}

static int explain_refuse(const struct reading *r)
{
	struct str events = { 0 };

	for (size_t i = 0; i < r->data.event_count; i++) {
		if (!r->data.events[i].derived)
			str_addf(&events, "%s%s", events.len ? ", " : "", r->data.events[i].name);
	}
	error("%s: no single waits here, and no samples of what ran, only %s; to explain waits, record them: pyrograph "
	      "collect "
	      "cpu,sched,offcpu --events=1ms --wakers",
	      r->data.path, events.len ? str_text(&events) : "other things");
	str_free(&events);
	return -1;
}

static int explain_check(const struct reading *r, const struct history *h, const struct slow *slow)
{
	if (h->states.count || h->blocks.count || slow->count || explain_has_only_samples(h)) {
		if (h->long_sums)
			warn("%s: %llu samples sum up long spans of time: when these were is not known (collect "
			     "with --events=1ms records them one by one)",
			     r->data.path, (unsigned long long)h->long_sums);
		return 0;
	}
	return explain_refuse(r);
}

struct explain_form {
	const char *word;
	void (*write)(FILE *out, const struct explanation *explanation);
};

struct explain_formed {
	const struct explain_form *form;
	const struct explanation *explanation;
};

static void explain_write_formed(FILE *out, const void *what)
{
	const struct explain_formed *f = what;

	f->form->write(out, f->explanation);
}

static int write_in_form(const struct explain_request *how, const struct explanation *e)
{
	static const struct explain_form forms[] = { { "", explanation_text_write },
						     { "markdown", explanation_markdown_write },
						     { "json", explanation_json_write },
						     { "headline", explanation_headline_write } };
	size_t i = 0;

	while (strcmp(forms[i].word, how->form) != 0)
		i++;
	return output_write(how->output, explain_write_formed, &(struct explain_formed){ &forms[i], e });
}

/* "Written for offcpu>50ms: 63.2 ms of thread 8600 (process 8513), at 2026-11-24T10:15:02.014Z" */
static void tell_trigger(const struct reading *r, struct str *out)
{
	struct recorded_trigger t;
	bool is_lane;

	if (!recorded_trigger(&r->data, &t))
		return;
	is_lane = t.len > 5 && !memcmp(t.condition, "lane:", 5);
	str_puts(out, "Written for ");
	str_add(out, t.condition, t.len);
	str_puts(out, t.value ? ": " : "");
	if (t.value && is_lane) {
		quantity_add(out, t.value, RECORDING_LANE_PARTS);
	} else if (t.value) {
		duration_add(out, t.value);
		str_addf(out, " of thread %llu (process %llu)", (unsigned long long)t.tid, (unsigned long long)t.pid);
	}
	str_puts(out, ", at ");
	wallclock_add(out, clock_wall(&r->clock, t.time_ns));
}

/* ---- windows --------------------------------------------------------------------------- */

/* Does any of it lie in a wanted window? */
static bool is_in_windows(const void *windows, const struct history_thread *t, uint64_t begin_ns, uint64_t end_ns)
{
	for (uint64_t at = begin_ns; at < end_ns || at == begin_ns;) {
		struct window_piece p = windows_at(windows, t->pid, t->tid, at, end_ns);

		if (p.wanted)
			return true;
		if (p.end_ns <= at)
			return false;
		at = p.end_ns;
	}
	return false;
}

/* With --between: threads may be to blame at any time, but only what happened in windows is asked about. */
static void ask_windows(const struct reading *r, struct history *h, struct slow *slow, struct str *said)
{
	if (!r->between)
		return;
	history_ask(h, is_in_windows, &r->windows);
	for (size_t i = 0; i < slow->count; i++) {
		struct slow_thing *t = &slow->items[i];

		t->unasked = !is_in_windows(&r->windows, &h->threads[t->thread], t->begin_ns, t->end_ns);
	}
	str_addf(said, "Of waits in windows only: --between %s, %zu of %zu windows.", r->between, r->windows.wanted,
		 r->windows.count);
}

static int explain_write_explanation(struct reading *r, const struct explain_request *how, struct history *h,
				     struct slow *slow, const struct lane_samples *lanes, struct leaders *leaders,
				     const struct command_words *words, struct cause_frames *frames)
{
	struct lane_names lane_names = { 0 };
	struct findings findings = { 0 };
	struct outliers outliers = { 0 };
	struct file_names files = { 0 }, devices = { 0 };
	struct syscall_names calls = { 0 };
	struct programs programs = { 0 };
	struct explanation e = { .sideband = &r->sideband,
				 .names = &r->names,
				 .frames = frames,
				 .history = h,
				 .findings = &findings,
				 .outliers = &outliers,
				 .files = &files,
				 .devices = &devices,
				 .calls = &calls,
				 .lanes = lanes,
				 .lane_names = &lane_names,
				 .programs = &programs,
				 .leaders = leaders,
				 .words = words,
				 .correlates = how->correlates,
				 .machine = is_of_machine(r, h),
				 .cpus = topology_cpus(&r->data),
				 .shown = SHOWN };
	struct str doubts = { 0 }, unknown = { 0 }, trigger = { 0 }, asked = { 0 };
	int status;

	doubts_of_recording(&r->data, h, &doubts);
	e.doubts = str_text(&doubts);
	tell_trigger(r, &trigger);
	e.trigger = str_text(&trigger);
	ask_windows(r, h, slow, &asked);
	e.asked = str_text(&asked);
	explain_prepare(r, h, frames);
	if (!explain_has_only_samples(h))
		findings_make(&findings, h, frames, explain_roles_of, r);
	outliers_find(&outliers, slow, h, frames, explain_roles_of, r);
	file_names_read(&files, &r->data, RECORDING_FILES);
	file_names_read(&devices, &r->data, RECORDING_DEVICES);
	syscall_names_read(&calls, &r->data);
	lane_names_read(&lane_names, &r->data);
	programs_find(&programs, h, frames);
	programs_add_unknown(&programs, &e, &unknown);
	unknown_of_running(&findings, h, &unknown);
	unknown_of_recording(&r->data, slow, &unknown);
	e.unknown = str_text(&unknown);
	status = write_in_form(how, &e);
	findings_free(&findings);
	outliers_free(&outliers);
	file_names_free(&files);
	file_names_free(&devices);
	syscall_names_free(&calls);
	lane_names_free(&lane_names);
	programs_free(&programs);
	str_free(&doubts);
	str_free(&trigger);
	str_free(&asked);
	str_free(&unknown);
	return status;
}

/* Samples alone do not show when the recording, or the time that is asked about, began and ended. */
static void cover_recording(const struct reading *r, struct history *h)
{
	const struct clock *c = &r->clock;
	uint64_t from_ns = r->gather.from_ns, to_ns = r->gather.to_ns;

	if (!explain_has_only_samples(h) || c->count < 2 || r->data.cut)
		return;
	if (from_ns < c->anchors[0].wall_ns)
		from_ns = c->anchors[0].wall_ns;
	if (to_ns > c->anchors[c->count - 1].wall_ns)
		to_ns = c->anchors[c->count - 1].wall_ns;
	if (from_ns < to_ns)
		history_cover(h, from_ns, to_ns);
}

/* Data kept by the flight recorder begins at a moment of its choice; waits may have begun long before. */
static void cut_history(const struct reading *r, struct history *h)
{
	struct recorded_trigger t;

	if (recorded_trigger(&r->data, &t) && r->clock.count && h->first_ns < r->clock.anchors[0].wall_ns)
		h->first_ns = r->clock.anchors[0].wall_ns;
}

int explain_run(struct reading *r, const struct explain_request *how)
{
	struct history h = { 0 };
	struct slow slow = { 0 };
	struct lane_samples lanes = { 0 };
	struct leaders leaders = { 0 };
	struct command_words words = { 0 };
	struct cause_frames frames = { .stacks = &r->gather.stacks, .names = &r->names };
	int status = -1;

	if (read_history(r, &h, &slow, &lanes, &leaders, &words) < 0 || explain_check(r, &h, &slow) < 0)
		goto out;
	cut_history(r, &h);
	cover_recording(r, &h);
	reading_resolve(r);
	status = explain_write_explanation(r, how, &h, &slow, &lanes, &leaders, &words, &frames);
out:
	frames_free(&frames);
	slow_free(&slow);
	lane_samples_free(&lanes);
	leaders_free(&leaders);
	command_words_free(&words);
	history_free(&h);
	return status;
}
