/* Finds the rows that take part in stalls, and those that do nothing. */
#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "render/timeline/timeline.h"

enum { QUIET_PART = 1000 }; /* share of the window: a row that runs and is blocked for less is quiet */

static uint64_t timeline_stalls_overlap(const struct timeline_span *s, const struct timeline_stall *stall)
{
	uint64_t end = s->start_ns + s->time_ns;
	uint64_t from = s->start_ns > stall->start_ns ? s->start_ns : stall->start_ns;
	uint64_t to = end < stall->end_ns ? end : stall->end_ns;

	return from < to ? to - from : 0;
}

/* The latest end of stalls 0..i. */
static uint64_t *latest_ends(const struct timeline *t)
{
	uint64_t *ends = xcalloc(t->stall_count + 1, sizeof(*ends));

	for (size_t i = 0; i < t->stall_count; i++) {
		ends[i] = t->stalls[i].end_ns;
		if (i && ends[i - 1] > ends[i])
			ends[i] = ends[i - 1];
	}
	return ends;
}

/* Is a wait of this kind, "[lock]", one of those that the stall consists of? */
static bool is_of_stall(const struct timeline *t, const struct timeline_kind *kind, const struct timeline_stall *stall)
{
	static const struct {
		const char *frame, *word;
	} waits[] = {
#define WAIT(KEY, FRAME, WORD) { FRAME, WORD },
		FOLDED_WAIT_TABLE(WAIT)
#undef WAIT
	};
	const char *name = intern_text(&t->names, kind->name);

	for (size_t i = 0; stall->what != UINT32_MAX && i < sizeof(waits) / sizeof(*waits); i++) {
		if (!strcmp(waits[i].frame, name))
			return !strcmp(waits[i].word, intern_text(&t->names, stall->what));
	}
	return true; /* of no known kind: "blocked" */
}

/* How much of a wait is in a stall: in that with the largest part of it, among stalls that begin before its end. */
static uint64_t stalled(const struct timeline *t, const struct timeline_span *s, const uint64_t *ends)
{
	const struct timeline_kind *kind = &t->kinds[t->stacks[s->stack].kind];

	uint64_t most = 0;
	size_t low = 0, high = t->stall_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (t->stalls[middle].start_ns < s->start_ns + s->time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	while (low-- > 0 && ends[low] > s->start_ns) {
		uint64_t ns = is_of_stall(t, kind, &t->stalls[low]) ? timeline_stalls_overlap(s, &t->stalls[low]) : 0;

		most = ns > most ? ns : most;
	}
	return most;
}

static int timeline_stalls_by_start(const void *a, const void *b)
{
	const struct timeline_stall *x = a, *y = b;

	return x->start_ns < y->start_ns ? -1 : x->start_ns > y->start_ns;
}

static void find_guilty(struct timeline *t, const uint32_t *row_of)
{
	const char *guilty = source_get(&t->in.source, FOLDED_GUILTY);

	for (size_t i = 0; i < t->stall_count; i++) {
		struct timeline_stall *stall = &t->stalls[i];

		stall->row = row_of[stall->by];
		stall->leads = guilty && !strcmp(guilty, intern_text(&t->names, stall->by));
		if (stall->row == UINT32_MAX)
			continue;
		if (t->rows[stall->row].tier > TIMELINE_GUILTY)
			t->rows[stall->row].tier = TIMELINE_GUILTY;
		t->rows[stall->row].stalled_ns += stall->waits_ns;
	}
}

static void find_victims(struct timeline *t, const uint64_t *ends)
{
	for (size_t i = 0; i < t->span_count; i++) {
		const struct timeline_span *s = &t->spans[i];
		const struct timeline_stack *stack = &t->stacks[s->stack];
		struct timeline_row *row = &t->rows[stack->row];
		uint64_t ns;

		if (row->tier <= TIMELINE_GUILTY || !t->kinds[stack->kind].blocked)
			continue;
		ns = stalled(t, s, ends);
		if (ns * 2 < s->time_ns || !ns)
			continue;
		row->tier = TIMELINE_VICTIM;
		row->stalled_ns += ns;
	}
}

/* The rows of a list of names, "java-8/indexer;java-8/exec-1", which have no better tier yet. */
static void stalls_find_named(struct timeline *t, const char *list, const uint32_t *row_of, enum timeline_tier tier)
{
	while (list && *list) {
		size_t len = strcspn(list, ";");
		uint32_t name = intern_find(&t->names, list, len);
		uint32_t row = name == UINT32_MAX ? UINT32_MAX : row_of[name];

		if (row != UINT32_MAX && t->rows[row].tier > tier)
			t->rows[row].tier = tier;
		list += len + (list[len] == ';');
	}
}

void timeline_find_stalls(struct timeline *t)
{
	uint64_t window = t->in.end_ns - t->in.start_ns, *ends;
	uint32_t *row_of = xmalloc((t->names.count + 1) * sizeof(*row_of));

	memset(row_of, 0xff, (t->names.count + 1) * sizeof(*row_of));
	if (t->stall_count)
		qsort(t->stalls, t->stall_count, sizeof(*t->stalls), timeline_stalls_by_start);
	ends = latest_ends(t);
	for (size_t i = 0; i < t->row_count; i++) {
		struct timeline_row *row = &t->rows[i];
		uint64_t did_ns = row->ran_ns + row->waited_ns + row->blocked_ns;

		row->tier = t->has_waits && did_ns < window / QUIET_PART ? TIMELINE_QUIET : TIMELINE_ACTIVE;
	}
	for (size_t i = 0; i < t->row_count; i++)
		row_of[t->rows[i].name] = (uint32_t)i;
	stalls_find_named(t, source_get(&t->in.source, FOLDED_GUILTY), row_of, TIMELINE_CAUSE);
	stalls_find_named(t, source_get(&t->in.source, FOLDED_VICTIMS), row_of, TIMELINE_COST);
	find_guilty(t, row_of);
	find_victims(t, ends);
	free(row_of);
	free(ends);
}

size_t timeline_busy_rows(const struct timeline *t)
{
	size_t busy = 0, all = timeline_rows(t);

	while (busy < all && t->rows[busy].tier != TIMELINE_QUIET)
		busy++;
	return busy;
}
