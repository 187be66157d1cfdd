#include <stdlib.h>

#include "collapse/cause/block_wait.h"
#include "collapse/cause/critical_path.h"
#include "collapse/cause/explanation.h"
#include "collapse/cause/leaders.h"
#include "collapse/cause/programs.h"
#include "core/amount.h"
#include "core/format/picture.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "core/wallclock.h"

/* ---- what it mostly did ---------------------------------------------------------------- */

enum { RAN = WAIT_KINDS, READY, THROTTLED, STOPPED, ACTIVITIES };

static const char *const activities[ACTIVITIES] = {
	[WAIT_UNKNOWN] = "waited",
	[WAIT_ANOTHER_THREAD] = "waited for other threads",
	[WAIT_IO] = "waited for devices",
	[WAIT_FAULT] = "waited for pages of memory",
	[WAIT_SLEEP] = "slept",
	[WAIT_LOCK] = "waited for locks",
	[WAIT_GIL] = "waited for the GIL",
	[WAIT_PROCESS] = "waited for other processes",
	[WAIT_NETWORK] = "waited for the network",
	[WAIT_PAUSE] = "stood still for its JVM",
	[WAIT_WORK] = "waited for work",
	[RAN] = "ran",
	[READY] = "waited for a CPU",
	[STOPPED] = "stood still, stopped by a signal, a debugger or a freezer",
	[THROTTLED] = "stood still because of the CPU limit of its control group",
};

static bool headline_counts(const struct history_thread *t)
{
	return t->tid && !t->recorder;
}

/* The kind of wait.  The headline says what a thread did, so a parent's wait for its children keeps its kind here,
 * although nobody needs to look at such a wait. */
static enum wait_kind headline_kind(const struct explanation *e, const struct history_span *b)
{
	return frames_wait_named(e->frames, b->stack) == WAIT_PROCESS ? WAIT_PROCESS
								      : block_wait_kind(e->history, e->frames, b);
}

/* What each thread did: [thread * ACTIVITIES + activity], ns. */
static uint64_t *sum_activities(const struct explanation *e)
{
	const struct history *h = e->history;
	uint64_t *ns = xcalloc(h->count + 1, sizeof(*ns) * ACTIVITIES);

	for (size_t i = 0; i < h->states.count; i++) {
		const struct history_span *s = &h->states.items[i];

		ns[s->thread * ACTIVITIES + (s->state == RECORDING_RUNNING     ? RAN
					     : s->state == RECORDING_THROTTLED ? THROTTLED
									       : READY)] += history_length(s);
	}
	for (size_t i = 0; i < h->blocks.count; i++) {
		const struct history_span *s = &h->blocks.items[i];

		ns[s->thread * ACTIVITIES + (block_is_stop(e->frames, s) ? STOPPED : (size_t)headline_kind(e, s))] +=
			history_length(s);
	}
	return ns;
}

/* Does a thread in this activity surely have work to do? */
static bool is_work(size_t activity)
{
	return activity == RAN || activity == READY || activity == THROTTLED || activity == WAIT_LOCK ||
	       activity == WAIT_GIL || activity == WAIT_IO || activity == WAIT_FAULT || activity == WAIT_PAUSE;
}

/* Did the thread have work to do for most of its time? */
static bool headline_has_work(const uint64_t *ns)
{
	uint64_t work_ns = 0, all_ns = 0;

	for (size_t i = 0; i < ACTIVITIES; i++) {
		work_ns += is_work(i) ? ns[i] : 0;
		all_ns += ns[i];
	}
	return work_ns * 2 > all_ns;
}

enum { LEAST_WORK = 10 };

/* Count only threads that had work to do for at least a tenth of the time; if there are none, count all: many idle
 * threads must not outvote a busy one.  NULL: nothing was seen of any. */
static const char *main_activity(const struct explanation *e)
{
	uint64_t *ns = sum_activities(e), all[2][ACTIVITIES] = { 0 }, work_ns = 0;
	size_t most = RAN, of;

	for (size_t i = 0; i < e->history->count; i++) {
		bool has_work = headline_has_work(&ns[i * ACTIVITIES]);

		for (size_t k = 0; headline_counts(&e->history->threads[i]) && k < ACTIVITIES; k++) {
			all[has_work][k] += ns[i * ACTIVITIES + k];
			work_ns += has_work ? ns[i * ACTIVITIES + k] : 0;
		}
	}
	of = work_ns * LEAST_WORK > e->history->last_ns - e->history->first_ns;
	for (size_t i = 0; i < ACTIVITIES; i++) {
		if (all[of][i] > all[of][most])
			most = i;
	}
	free(ns);
	/* What a finding tells is more than what functions tell: waits for a turn look like waits for work. */
	if (explanation_count(e) && e->findings->items->wish == BLOCK_WISH_TURN &&
	    e->findings->items->total_ns > all[of][most])
		return "waited";
	return all[of][most] ? activities[most] : NULL;
}

/* ---- who ------------------------------------------------------------------------------- */

/* CPU time by process: by its first thread. */
static uint64_t *sum_processes(const struct history *h)
{
	uint64_t *ran = xcalloc(h->count + 1, sizeof(*ran));

	for (uint32_t i = 0; i < h->count; i++)
		ran[h->threads[i].process] += headline_counts(&h->threads[i]) ? h->threads[i].ran_ns : 0;
	return ran;
}

/* Find the busiest process, and count the processes that ran at all. */
static uint32_t headline_busiest(const struct history *h, const uint64_t *ran, size_t *count)
{
	uint32_t best = HISTORY_NONE;

	*count = 0;
	for (uint32_t i = 0; i < h->count; i++) {
		*count += ran[i] != 0;
		if (ran[i] && (best == HISTORY_NONE || ran[i] > ran[best]))
			best = i;
	}
	return best;
}

uint32_t headline_root(const struct history *h, const uint64_t *ran, uint32_t process, bool *started)
{
	uint32_t root = process, parent = process;

	for (size_t k = 0; process != HISTORY_NONE && k < GENERATIONS; k++) {
		parent = critical_path_parent(h, parent);
		if (parent == HISTORY_NONE)
			break;
		root = ran[parent] ? parent : root;
	}
	*started = process != HISTORY_NONE;
	for (uint32_t i = 0; *started && i < h->count; i++) {
		uint32_t ancestor = i;

		for (size_t k = 0; ran[i] && ancestor != root && ancestor != HISTORY_NONE && k < GENERATIONS; k++)
			ancestor = critical_path_parent(h, ancestor);
		*started = !ran[i] || ancestor == root;
	}
	return *started ? root : process;
}

static double headline_cpus_of(const struct explanation *e, uint64_t ns)
{
	uint64_t all_ns = e->history->last_ns - e->history->first_ns;

	return all_ns ? (double)ns / (double)all_ns : 0;
}

/* " used 0.16 of 2 CPUs for 15 s" */
static void add_use(const struct explanation *e, struct str *out)
{
	str_addf(out, HEADLINE_USED "%.2f ", headline_cpus_of(e, explanation_ran(e, HISTORY_NONE)));
	if (e->cpus)
		str_addf(out, "of %zu ", e->cpus);
	str_puts(out, e->cpus == 1 ? HEADLINE_USED_CPU : HEADLINE_USED_CPUS);
	duration_add(out, e->history->last_ns - e->history->first_ns);
}

static void headline_add_machine(const struct explanation *e, uint32_t process, uint64_t ran_ns, struct str *out)
{
	str_puts(out, "The machine");
	add_use(e, out);
	if (explanation_recorder_cpus(e) > 0)
		str_addf(out, " (and pyrograph %.2f)", explanation_recorder_cpus(e));
	if (process == HISTORY_NONE)
		return;
	str_addf(out, ", %.2f of them with ", headline_cpus_of(e, ran_ns));
	explanation_process(e, process, out);
	explanation_owner(e, process, HISTORY_NONE, out);
}

/* "make-10 and 14 processes that it started" */
static void headline_add_target(const struct explanation *e, const uint64_t *ran, uint32_t busiest, size_t count,
				struct str *out)
{
	bool started;
	uint32_t process = headline_root(e->history, ran, busiest, &started);
	const char *activity = main_activity(e);

	if (process == HISTORY_NONE)
		str_puts(out, "What was recorded");
	else
		explanation_process(e, process, out);
	if (process != HISTORY_NONE)
		explanation_owner(e, process, HISTORY_NONE, out);
	if (count > 1)
		str_addf(out, started ? " and %zu process%s that it started" : " and %zu other process%s", count - 1,
			 count == 2 ? "" : "es");
	add_use(e, out);
	if (activity)
		str_addf(out, " and mostly %s", activity);
}

/* Did threads surely wait that had work to do?  A thread that handles events had, if it waited elsewhere. */
static bool headline_holds_up(const struct finding *f)
{
	if (f->kind == FINDING_TURN)
		return f->wait != WAIT_UNKNOWN;
	return f->kind < FINDING_TURN && f->kind != FINDING_TREE && f->kind != FINDING_CHILD &&
	       f->kind != FINDING_PIPE && f->kind != FINDING_FORKS &&
	       (f->weight >= 1 || (f->wish != BLOCK_WISH_UNKNOWN && f->kind != FINDING_MAYBE));
}

enum { LEADER_NS = 10000000 }; /* people seldom look for shorter ones */

/* ---- what, and where --------------------------------------------------------------------- */

/* A second finding, because a wait for a CPU must not hide what else happened, and a thread that only ran must not hide
 * waits that may be for work.  NULL: there is none. */
static const struct finding *besides(const struct explanation *e)
{
	const struct finding *f = e->findings->items;
	size_t count = explanation_count(e);

	for (size_t i = 1; i < count; i++) {
		if (finding_is_for_cpu(f->kind) ? !finding_is_for_cpu(f[i].kind)
						: f->kind == FINDING_HOT && f[i].kind == FINDING_MAYBE)
			return &f[i];
	}
	return NULL;
}

/* Is the finding about the same wait as the outlier? */
static bool headline_is_same(const struct outlier *o, const struct finding *f)
{
	return f->longest_victim == o->longest.thread && f->longest_at_ns >= o->longest.begin_ns &&
	       f->longest_at_ns < o->longest.end_ns;
}

/* Is the finding about waits?  Threads that gave way as they had asked to are never the first thing to tell. */
static bool headline_is_of_waits(const struct finding *f)
{
	return f->kind < FINDING_HOT && f->kind != FINDING_GAVE_WAY;
}

/* Does the finding name the thread that caused it, rather than the victim? */
static bool headline_has_culprit(const struct finding *f)
{
	return headline_is_of_waits(f) && (f->victim_count > 1 || f->victims[0].thread != f->guilty);
}

/* Is the outlier a system call or a wait for a lock, whose length other threads decide?  Then it names only the
 * victim. */
static bool headline_is_of_victim(const struct outlier *o)
{
	bool device = o->reason == RECORDING_REASON_IO || o->reason == RECORDING_REASON_QUEUE ||
		      o->reason == RECORDING_REASON_DEVICE;

	return (o->longest.kind == SLOW_CALL || o->longest.kind == SLOW_LOCK) && !device;
}

/* The outlier that is the worst of all, or NULL. */
static const struct outlier *leader(const struct explanation *e)
{
	const struct outlier *o = e->outliers->items;
	const struct finding *f = e->findings->items;

	if (!e->outliers->count || slow_length(&o->longest) < LEADER_NS)
		return NULL;
	if (explanation_count(e) && headline_has_culprit(f) && headline_is_of_victim(o))
		return NULL;
	return !explanation_count(e) || !headline_is_of_waits(f) || headline_is_same(o, f) ||
			       f->longest_ns < slow_length(&o->longest)
		       ? o
		       : NULL;
}

/* Append the outlier, and the worst finding if that is about something else. */
static void add_leader(const struct explanation *e, const struct outlier *o, struct str *out)
{
	const struct finding *f = e->findings->items;

	explanation_outlier_sentence(e, o, out);
	if (!explanation_count(e) || !headline_is_of_waits(f) || headline_is_same(o, f))
		return;
	str_puts(out, "; besides, ");
	explanation_sentence(e, f, out);
}

/* ---- in words ---------------------------------------------------------------------------- */

/* Is it a wait that may be for work, or a turn of an event loop, longer than ns? */
static bool headline_is_longer(const struct finding *f, uint64_t ns)
{
	return (f->kind == FINDING_MAYBE || f->kind == FINDING_TURN) && f->longest_ns > ns;
}

/* Does the headline tell so?  Then no other length stands beside it. */
static bool headline_tells_longer(const struct explanation *e, uint64_t ns)
{
	const struct finding *second = besides(e);

	return (explanation_count(e) && headline_is_longer(e->findings->items, ns)) ||
	       (second && headline_is_longer(second, ns));
}

/* The finding of the longest wait, if it is longer than ns; NULL: there is none. */
static const struct finding *headline_longest(const struct explanation *e, uint64_t ns)
{
	const struct finding *longest = NULL;

	for (size_t i = 0; i < e->findings->count; i++) {
		const struct finding *f = &e->findings->items[i];

		if (!headline_holds_up(f) || f->longest_ns <= ns)
			continue;
		ns = f->longest_ns;
		longest = f;
	}
	return longest;
}

/* ", which waited for a lock", unless the fact tells it. */
static void headline_add_wait(const struct explanation *e, const struct finding *f, struct str *out)
{
	struct finding one = *f;

	if (f == e->findings->items || (!leader(e) && f == besides(e)))
		return;
	one.victim_count = 1;
	one.victims[0].thread = f->longest_victim;
	str_puts(out, ", which ");
	if (f->kind == FINDING_THROTTLED)
		str_puts(out, activities[THROTTLED]);
	else
		explanation_wait(e, &one, out);
}

/* "; the longest time that a thread was held up: 290 ms (request-1)" */
static void headline_add_longest(const struct explanation *e, struct str *out)
{
	const struct outlier *o = leader(e);
	const struct finding *f = headline_longest(e, o ? slow_length(&o->longest) : 0);
	uint64_t ns = f ? f->longest_ns : o ? slow_length(&o->longest) : 0;

	if (!ns || headline_tells_longer(e, ns))
		return;
	str_puts(out, HEADLINE_LONGEST);
	duration_add(out, ns);
	str_puts(out, " (");
	explanation_thread(e, f ? f->longest_victim : o->longest.thread, out);
	if (f)
		headline_add_wait(e, f, out);
	str_addc(out, ')');
}

void headline_summary(const struct explanation *e, struct str *out)
{
	uint64_t *ran;
	size_t count;
	uint32_t process;

	if (headline_is_of_cpu(e)) {
		headline_cpu_summary(e, out);
		return;
	}
	ran = sum_processes(e->history);
	process = headline_busiest(e->history, ran, &count);
	if (e->machine)
		headline_add_machine(e, process, process == HISTORY_NONE ? 0 : ran[process], out);
	else
		headline_add_target(e, ran, process, count, out);
	headline_add_longest(e, out);
	free(ran);
}

#define HEADLINE_ONLY_RAN "Nothing blocked threads for long; "

/* Is there nothing to tell but that a program ran, whose threads perhaps had short lives? */
static bool headline_only_ran(const struct explanation *e)
{
	return !headline_is_of_cpu(e) && !leader(e) && !explanation_count(e) && headline_cpu_is_busy(e);
}

/* Were only waits for a CPU seen, of a program whose other waits cannot be seen?  Then what it ran is told, too: it may
 * hold up the rest of the program. */
static bool headline_hides_waits(const struct explanation *e)
{
	const struct finding *f = e->findings->items;

	return explanation_count(e) && f->kind == FINDING_STOLEN && !e->machine && !leader(e) &&
	       e->history->samples.count && programs_hides_waits(e->programs, e->history, f->longest_victim);
}

static void headline_add_fact(const struct explanation *e, struct str *out)
{
	const struct finding *second = besides(e);

	if (headline_only_ran(e))
		str_puts(out, HEADLINE_ONLY_RAN);
	if (headline_is_of_cpu(e) || headline_only_ran(e)) {
		headline_cpu_fact(e, out);
		return;
	}
	if (leader(e)) {
		add_leader(e, leader(e), out);
		return;
	}
	if (explanation_count(e) && e->findings->items[0].kind == FINDING_HOT && !second &&
	    !explanation_is_starved(&e->history->threads[e->findings->items[0].guilty]))
		str_puts(out, HEADLINE_ONLY_RAN);
	if (explanation_count(e) && e->findings->items[0].kind == FINDING_GAVE_WAY)
		str_puts(out, HEADLINE_NOTHING "; ");
	if (explanation_count(e))
		explanation_sentence(e, &e->findings->items[0], out);
	else
		str_puts(out, HEADLINE_NOTHING ": no thread waited long for another one, or for a CPU");
	if (second || headline_hides_waits(e))
		str_puts(out, "; besides, ");
	if (second)
		explanation_sentence(e, second, out);
	else if (headline_hides_waits(e))
		headline_cpu_fact(e, out);
}

/* The thread whose process the fact is about; HISTORY_NONE: the recording is of a whole machine, and no process stands
 * out. */
static uint32_t headline_thread(const struct explanation *e)
{
	size_t count;
	uint64_t *ran;
	uint32_t process;

	if (headline_is_of_cpu(e) || headline_only_ran(e))
		return headline_cpu_thread(e);
	if (leader(e))
		return leader(e)->longest.thread;
	if (explanation_count(e)) /* of programs that only had the CPU of others, nothing is to be seen */
		return e->findings->items[0].kind == FINDING_STOLEN ? e->findings->items[0].longest_victim
								    : e->findings->items[0].guilty;
	ran = sum_processes(e->history);
	process = headline_busiest(e->history, ran, &count);
	free(ran);
	return e->machine ? HISTORY_NONE : process;
}

void headline_fact(const struct explanation *e, struct str *out)
{
	bool none_waited =
		!headline_is_of_cpu(e) && !leader(e) &&
		(!explanation_count(e) || !headline_is_of_waits(e->findings->items) || headline_hides_waits(e));

	headline_add_fact(e, out);
	programs_add_note(e->programs, e->history, headline_thread(e), none_waited, out);
}

/* "2026-11-22T22:40:11.433Z", as --from takes it. */
static void headline_add_time(struct str *out, uint64_t ns)
{
	wallclock_add(out, ns);
	out->len -= strlen("000000Z");
	out->buf[out->len] = '\0';
	str_addc(out, 'Z');
}

/* The chart that shows the fact best, and which part of the chart. */
static const struct {
	const char *name;
	bool of_victim;
} charts[FINDING_KINDS] = {
	[FINDING_RAN] = { "CPU flame graph", false },       [FINDING_NO_CPU] = { "scheduler states", false },
	[FINDING_SLEPT] = { "off-CPU flame graph", false }, [FINDING_IO] = { "off-CPU flame graph", false },
	[FINDING_PAUSE] = { "CPU flame graph", false },     [FINDING_STOLEN] = { "scheduler states", true },
	[FINDING_PINNED] = { "scheduler states", true },    [FINDING_CROWD] = { "scheduler states", true },
	[FINDING_FORKS] = { "CPU flame graph", false },     [FINDING_PIPE] = { "CPU flame graph", false },
	[FINDING_TREE] = { "CPU flame graph", false },      [FINDING_CHILD] = { "CPU flame graph", false },
	[FINDING_GAVE_WAY] = { "scheduler states", true },  [FINDING_THROTTLED] = { "scheduler states", true },
	[FINDING_HOT] = { "CPU flame graph", false },       [FINDING_TURN] = { "CPU flame graph", false },
	[FINDING_STUCK] = { "off-CPU flame graph", true },  [FINDING_SHORT] = { "CPU flame graph", false },
	[FINDING_WAKER] = { "CPU flame graph", false },     [FINDING_WAITED] = { "off-CPU flame graph", false },
	[FINDING_MAYBE] = { "off-CPU flame graph", true },
};

static void look_at_outlier(const struct explanation *e, const struct outlier *o, struct str *out)
{
	static const char *const graphs[SLOW_KINDS] = {
		[SLOW_FAULT] = "page-fault",
		[SLOW_CALL] = "system-call",
		[SLOW_REQUEST] = "block-I/O",
		[SLOW_LOCK] = "lock",
	};

	str_addf(out, "Look at the %s flame graph of ", graphs[o->longest.kind]);
	explanation_thread(e, o->longest.thread, out);
	str_puts(out, ", and at the timeline at ");
	headline_add_time(out, o->longest.begin_ns);
	if (o->longest.kind == SLOW_FAULT)
		str_puts(out, o->longest.file >= 0 ? ": whether that file can stay in memory"
						   : ": whether that memory can be touched before");
}

void headline_look(const struct explanation *e, struct str *out)
{
	const struct finding *f = e->findings->items;

	if (headline_is_of_cpu(e) || headline_only_ran(e)) {
		headline_cpu_look(e, out);
		return;
	}
	if (leader(e)) {
		look_at_outlier(e, leader(e), out);
		return;
	}
	if (!explanation_count(e))
		return;
	str_addf(out, "Look at the %s of ",
		 (f->kind == FINDING_TURN && f->wait != WAIT_UNKNOWN) || f->meanwhile != WAIT_UNKNOWN
			 ? "off-CPU flame graph"
			 : charts[f->kind].name);
	explanation_thread(e, charts[f->kind].of_victim ? f->longest_victim : f->guilty, out);
	if (f->kind < FINDING_HOT) {
		str_puts(out, ", and at the timeline at ");
		headline_add_time(out, f->longest_at_ns);
	}
	str_puts(out, ": ");
	explanation_advice(e, f, out);
}

void explanation_headline_write(FILE *out, const struct explanation *e)
{
	struct str text = { 0 };

	headline_summary(e, &text);
	str_addc(&text, '\n');
	headline_fact(e, &text);
	str_addc(&text, '\n');
	headline_look(e, &text);
	if (text.buf[text.len - 1] != '\n')
		str_addc(&text, '\n');
	if (*e->doubts)
		str_addf(&text, "%s\n", e->doubts);
	if (e->history->samples.count && !headline_is_of_cpu(e) && !headline_only_ran(e)) {
		str_puts(&text, HEADLINE_ON_CPUS);
		headline_cpu_fact(e, &text);
		str_addc(&text, '\n');
	}
	leaders_lines(e->leaders, e, &text);
	fputs(str_text(&text), out);
	str_free(&text);
}
