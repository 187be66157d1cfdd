#include "render/timeline/timeline_draw.h"

#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "render/bars/bars_text.h"
#include "render/profile/frame.h"
#include "render/profile/number.h"
#include "render/timeline/timeline.h"

void timeline_row_name(const struct timeline *t, const struct timeline_row *row, struct str *out)
{
	if (t->by_cpu)
		timeline_cpu_add(out, t, row->name, row->cpu);
	else
		timeline_label_add(out, t, row->name);
}

/* What the row waited for most (the name of a kind, or a CPU), and how long.  Returns false if it hardly waited. */
static bool main_wait(const struct timeline *t, const struct timeline_row *row, struct str *name, uint64_t *ns)
{
	uint64_t *of_kind = xcalloc(t->kind_count + 1, sizeof(*of_kind));
	uint32_t best = UINT32_MAX, number = (uint32_t)(row - t->rows);

	*ns = row->waited_ns;
	for (size_t i = 0; i < t->texts.count; i++) {
		const struct timeline_stack *s = &t->stacks[i];

		if (s->row == number && t->kinds[s->kind].blocked)
			of_kind[s->kind] += s->sum.time;
	}
	for (uint32_t kind = 0; kind < t->kind_count; kind++) {
		if (of_kind[kind] > *ns) {
			*ns = of_kind[kind];
			best = kind;
		}
	}
	free(of_kind);
	if (best == UINT32_MAX)
		str_puts(name, "for a CPU");
	else
		timeline_kind_add(name, t, &t->kinds[best]);
	return *ns >= (t->in.end_ns - t->in.start_ns) / 1000;
}

/* "12.1 % ran · 31 % lock"; a thread that hardly ran: "31 % lock" */
static void note_waits(const struct timeline *t, const struct timeline_row *row, struct str *out)
{
	uint64_t window = t->in.end_ns - t->in.start_ns, ns;
	struct str name = { 0 };
	bool waits = main_wait(t, row, &name, &ns);

	if (!waits || row->ran_ns >= window / 1000) {
		percentage_add(out, row->ran_ns, window);
		str_puts(out, " ran");
	}
	if (waits) {
		str_puts(out, out->len ? " \xc2\xb7 " : "");
		percentage_add(out, ns, window);
		str_addf(out, " %s", name.buf);
	}
	str_free(&name);
}

/* ---- stalls ----------------------------------------------------------------- */

static const char *did_words(const struct timeline *t, uint32_t did)
{
	static const char *const words[][2] = { { "slept", " slept" },
						{ "io", " waited for a device" },
						{ "no-cpu", " waited for a CPU" },
						{ "network", " waited for the network" },
						{ "process", " waited for a process" },
						{ "waited", " waited" } };
	const char *name = did == UINT32_MAX ? "" : intern_text(&t->names, did);

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!strcmp(name, words[i][0]))
			return words[i][1];
	}
	return " ran";
}

/* "java-18345/indexer" as "indexer". */
static void timeline_words_add_thread(struct str *out, const struct timeline *t, uint32_t name)
{
	struct str label = { 0 };
	size_t skip;

	timeline_label_add(&label, t, name);
	skip = timeline_skipped(t, str_text(&label), label.len);
	str_add(out, str_text(&label) + skip, label.len - skip);
	str_free(&label);
}

/* Append " rebuild" or " in rebuild": the function in which the thread ran, or slept; nothing if it is unknown. */
static void timeline_words_add_function(struct str *out, const struct timeline *t, const struct timeline_stall *stall)
{
	const char *name;

	if (stall->in == UINT32_MAX)
		return;
	name = intern_text(&t->names, stall->in);
	str_puts(out, strcmp(did_words(t, stall->did), " ran") ? " in " : " ");
	str_add(out, name, frame_base_len(name, intern_len(&t->names, stall->in)));
}

static bool timeline_words_is_for(const struct timeline *t, const struct timeline_stall *stall, const char *what)
{
	return stall->what != UINT32_MAX && !strcmp(intern_text(&t->names, stall->what), what);
}

/* "3 threads waited 202 ms", "event loop blocked 347 ms" */
static void timeline_words_add_waits(struct str *out, const struct timeline *t, const struct timeline_stall *stall,
				     bool brief)
{
	bool whole = stall->longest_ns >= (stall->end_ns - stall->start_ns) / 10 * 8;

	if (timeline_words_is_for(t, stall, FOLDED_STALL_FOR_EVENTS)) {
		str_puts(out, brief ? "blocked " : "event loop blocked ");
		duration_add(out, stall->longest_ns);
		return;
	}
	if (brief)
		number_add(out, stall->threads);
	else
		plural_add(out, stall->threads, "thread");
	str_puts(out, whole ? " waited " : " waited up to ");
	duration_add(out, stall->longest_ns);
	if (!brief && timeline_words_is_for(t, stall, FOLDED_STALL_FOR_CPU))
		str_puts(out, " for a CPU");
}

void timeline_stall_add(struct str *out, const struct timeline *t, const struct timeline_stall *stall,
			enum timeline_stall_words how)
{
	timeline_words_add_waits(out, t, stall, how == STALL_SHORT);
	if (how == STALL_SHORT)
		return;
	str_puts(out, "; ");
	timeline_words_add_thread(out, t, stall->by);
	str_puts(out, did_words(t, stall->did));
	if (how != STALL_BRIEF)
		timeline_words_add_function(out, t, stall);
}

/* "cache-refresher ran rebuild_index while 3 threads waited: 7 times, up to 224 ms, 3.6 s in all." */
static void sum_up_stalls(const struct timeline *t, struct str *out)
{
	const struct timeline_stall *worst = NULL;
	uint64_t times = 0, waits_ns = 0, longest_ns = 0, *of_row = xcalloc(t->names.count + 1, sizeof(*of_row));

	for (size_t i = 0; i < t->stall_count; i++)
		of_row[t->stalls[i].by] += t->stalls[i].waits_ns;
	for (size_t i = 0; i < t->stall_count; i++) {
		const struct timeline_stall *s = &t->stalls[i];

		if (!worst || of_row[s->by] > of_row[worst->by] ||
		    (s->by == worst->by && s->waits_ns > worst->waits_ns))
			worst = s;
	}
	for (size_t i = 0; worst && i < t->stall_count; i++) {
		const struct timeline_stall *s = &t->stalls[i];

		if (s->by != worst->by)
			continue;
		times++;
		waits_ns += s->waits_ns;
		longest_ns = s->longest_ns > longest_ns ? s->longest_ns : longest_ns;
	}
	free(of_row);
	if (!worst) {
		str_puts(out, "No thread made two others wait together, or one for a lock, for a millisecond or more.");
		return;
	}
	if (timeline_words_is_for(t, worst, FOLDED_STALL_FOR_EVENTS)) {
		str_puts(out, "An event loop was blocked while ");
	} else {
		plural_add(out, worst->threads, "thread");
		str_puts(out, " waited while ");
	}
	timeline_words_add_thread(out, t, worst->by);
	str_puts(out, did_words(t, worst->did));
	timeline_words_add_function(out, t, worst);
	str_puts(out, ": ");
	plural_add(out, times, "time");
	str_puts(out, ", up to ");
	duration_add(out, longest_ns);
	str_puts(out, ", ");
	duration_add(out, waits_ns);
	str_puts(out, " of waiting in all.");
}

/* ---- rows ------------------------------------------------------------------- */

void timeline_row_note(const struct timeline *t, const struct timeline_row *row, struct str *out)
{
	uint64_t window = t->in.end_ns - t->in.start_ns;

	if (t->has_waits) {
		note_waits(t, row, out);
		return;
	}
	if (t->kinds_are_states) {
		percentage_add(out, row->waited_ns, window);
		str_puts(out, " waiting \xc2\xb7 ");
		percentage_add(out, row->ran_ns, window);
		str_puts(out, " running");
		return;
	}
	percentage_add(out, row->time_ns, window);
	if (t->by_cpu) {
		str_puts(out, t->whole ? " busy \xc2\xb7 " : " \xc2\xb7 ");
		plural_add(out, row->kinds, "thread");
	} else if (t->kinds_are_cpus || t->has_migrations) {
		str_puts(out, " \xc2\xb7 ");
		plural_add(out, row->moves, "move");
	}
}

/* The row with most moves, or NULL. */
static const struct timeline_row *most_moves(const struct timeline *t)
{
	const struct timeline_row *most = NULL;

	for (size_t i = 0; i < timeline_rows(t); i++) {
		if (t->rows[i].moves && (!most || t->rows[i].moves > most->moves))
			most = &t->rows[i];
	}
	return most;
}

/* The CPU that is busiest, or NULL. */
static const struct timeline_row *timeline_words_busiest(const struct timeline *t)
{
	const struct timeline_row *most = NULL;

	for (size_t i = 0; i < t->row_count; i++) {
		if (!most || t->rows[i].time_ns > most->time_ns)
			most = &t->rows[i];
	}
	return most;
}

static void sum_up_cpus(const struct timeline *t, struct str *out)
{
	const struct timeline_row *most = timeline_words_busiest(t);
	uint64_t window = t->in.end_ns - t->in.start_ns, idle = 0;

	if (!most)
		return;
	for (size_t i = 0; i < t->row_count; i++)
		idle += !t->rows[i].time_ns;
	if (!t->whole)
		str_puts(out, "These threads ran most on ");
	timeline_label_add(out, t, most->name);
	str_puts(out, t->whole ? " was busiest: " : ": ");
	percentage_add(out, most->time_ns, window);
	str_puts(out, " of ");
	duration_add(out, window);
	str_puts(out, ", ");
	plural_add(out, most->kinds, "thread");
	if (idle)
		str_addf(out, ". On %zu of %zu CPUs %s ran", idle, t->row_count, t->whole ? "nothing" : "none of them");
	str_addc(out, '.');
}

static void sum_up_threads(const struct timeline *t, struct str *out)
{
	const struct timeline_row *most = most_moves(t);
	struct str name = { 0 };
	uint64_t moves = 0;

	if (!t->kinds_are_cpus && !t->has_migrations)
		return;
	for (size_t i = 0; i < timeline_rows(t); i++)
		moves += t->rows[i].moves;
	if (!most) {
		str_puts(out, "No thread changed its CPU.");
		return;
	}
	timeline_row_name(t, most, &name);
	str_addf(out, "%s changed its CPU most often: ", name.buf);
	plural_add(out, most->moves, "time");
	str_puts(out, " in ");
	duration_add(out, t->in.end_ns - t->in.start_ns);
	if (moves > most->moves) {
		str_puts(out, "; all ");
		plural_add(out, timeline_rows(t), "thread");
		str_puts(out, " together ");
		number_add(out, moves);
	}
	str_addc(out, '.');
	str_free(&name);
}

/* The thread that waited longest, or NULL. */
static const struct timeline_row *timeline_words_most_waiting(const struct timeline *t)
{
	const struct timeline_row *most = NULL;

	for (size_t i = 0; i < timeline_rows(t); i++) {
		if (t->rows[i].waited_ns && (!most || t->rows[i].waited_ns > most->waited_ns))
			most = &t->rows[i];
	}
	return most;
}

/* The usurper that had the CPU for most of the time that the row waited for it; UINT32_MAX: unknown. */
static uint32_t main_usurper(const struct timeline *t, const struct timeline_row *row, uint64_t *ns)
{
	uint64_t *took = xcalloc(t->names.count + 1, sizeof(*took));
	uint32_t best = UINT32_MAX;

	*ns = 0;
	for (size_t i = 0; i < t->texts.count; i++) {
		const struct timeline_stack *s = &t->stacks[i];

		if (&t->rows[s->row] != row || !t->kinds[s->kind].waiting || s->by == UINT32_MAX)
			continue;
		took[s->by] += s->sum.time;
	}
	for (uint32_t by = 0; by < t->names.count; by++) {
		if (took[by] > *ns ||
		    (*ns && took[by] == *ns && strcmp(intern_text(&t->names, by), intern_text(&t->names, best)) < 0)) {
			*ns = took[by];
			best = by;
		}
	}
	free(took);
	return best;
}

void timeline_by_add(struct str *out, const struct timeline *t, uint32_t by)
{
	const char *name = intern_text(&t->names, by);

	if (!strcmp(name, FOLDED_BY_IDLE))
		str_puts(out, "an idle CPU");
	else if (!strcmp(name, FOLDED_BY_OTHERS))
		str_puts(out, "threads not told apart");
	else if (!bars_limit_add(out, name))
		timeline_label_add(out, t, by);
}

static void sum_up_states(const struct timeline *t, struct str *out)
{
	const struct timeline_row *most = timeline_words_most_waiting(t);
	uint64_t window = t->in.end_ns - t->in.start_ns, ns;
	uint32_t by;

	if (!most) {
		str_puts(out, "No thread waited for a CPU.");
		return;
	}
	by = main_usurper(t, most, &ns);
	timeline_row_name(t, most, out);
	str_puts(out, " waited for a CPU longest: ");
	duration_add(out, most->waited_ns);
	str_puts(out, ", ");
	percentage_add(out, most->waited_ns, window);
	str_puts(out, " of the time");
	if (by != UINT32_MAX) {
		str_puts(out, "; ");
		percentage_add(out, ns, most->waited_ns);
		str_puts(out, " of that for ");
		timeline_by_add(out, t, by);
	} else if (!t->has_by) {
		str_puts(out, " (collapse --states tells for which threads)");
	}
	str_addc(out, '.');
}

void timeline_sum_up(const struct timeline *t, struct str *out)
{
	if (t->has_waits)
		sum_up_stalls(t, out);
	else if (t->by_cpu)
		sum_up_cpus(t, out);
	else if (t->kinds_are_states)
		sum_up_states(t, out);
	else
		sum_up_threads(t, out);
}

/* ---- the process of most threads ---- */

/* A process name says nothing if nearly all names of threads begin with it.  "contention-26021/" is left out where room
 * is scarce if its threads have most of the time (if kinds are states: most of the time in which threads had or wanted
 * a CPU). */

/* The length of "contention-26021/"; 0: name has no process. */
static size_t timeline_process_len(const char *name)
{
	const char *at = name;

	while ((at = strchr(at, '-'))) {
		size_t digits = strspn(++at, "0123456789");

		if (digits && at[digits] == '/' && at[digits + 1])
			return (size_t)(at + digits + 1 - name);
	}
	return 0;
}

struct process {
	uint64_t time_ns;
	uint32_t thread, threads; /* the last thread of the process, and how many it has */
};

void timeline_find_process(struct timeline *t)
{
	struct intern names = { 0 };
	struct process *all = xcalloc(t->names.count + 1, sizeof(*all));
	uint8_t *seen = xcalloc(t->names.count + 1, 1);
	uint64_t total_ns = 0;

	t->process_len = 0;
	for (size_t i = 0; i < t->texts.count; i++) {
		const struct timeline_stack *s = &t->stacks[i];
		const char *name = s->thread == UINT32_MAX ? "" : intern_text(&t->names, s->thread);
		size_t len = timeline_process_len(name);
		const struct timeline_kind *kind = &t->kinds[s->kind];
		struct process *p;

		if (s->idle || (t->kinds_are_states && !kind->waiting && !kind->running))
			continue;
		total_ns += s->sum.time;
		if (!len)
			continue;
		p = &all[intern_add(&names, name, len)];
		p->time_ns += s->sum.time;
		p->threads += !seen[s->thread];
		p->thread = s->thread;
		seen[s->thread] = 1;
	}
	for (size_t i = 0; i < names.count; i++) {
		if (all[i].threads < 2 || all[i].time_ns <= total_ns / 2)
			continue;
		t->process = all[i].thread;
		t->process_len = intern_len(&names, (uint32_t)i);
	}
	intern_free(&names);
	free(all);
	free(seen);
}

size_t timeline_skipped(const struct timeline *t, const char *label, size_t len)
{
	size_t skip = t->process_len;

	if (!skip || len <= skip || memcmp(label, intern_text(&t->names, t->process), skip))
		return 0;
	return skip;
}
