/* Finds what to show in the gaps between a thread's spans.
 *
 *     web-1  ####network####      ####network##   ###lock###      a busy thread: its spans under 1 ms are sums,
 *                           ^^^^^^             ^^^               which have no place in time but these gaps
 *
 * A thread is always in some state, so a gap consists of spans that were too short to be recorded one by one.  Their
 * sums tell the kind that took most of them.  All gaps of a row look the same, since more is not known. */
#include <stdlib.h>

#include "core/memory.h"
#include "render/profile/number.h"
#include "render/timeline/timeline.h"

enum { DULL_PART = 10 }; /* other kinds are shown if they have one part in so many of the gaps */

/* From the first thing that is known of the row to the last one; a row with only sums: the window. */
static void shorts_find_range(const struct timeline *t, struct timeline_row *row)
{
	uint64_t from = UINT64_MAX, to = 0, covered = 0, end = 0;

	for (size_t i = row->first; i < row->first + row->count; i++) {
		const struct timeline_span *s = &t->spans[i];

		from = s->start_ns < from ? s->start_ns : from;
		end = s->start_ns > end ? s->start_ns : end;
		to = s->start_ns + s->time_ns > to ? s->start_ns + s->time_ns : to;
		covered += to > end ? to - end : 0;
		end = to;
	}
	for (size_t i = row->first_sample; i < row->first_sample + row->sample_count; i++) {
		from = t->samples[i].ns < from ? t->samples[i].ns : from;
		to = t->samples[i].ns > to ? t->samples[i].ns : to;
	}
	if (from >= to) {
		from = t->in.start_ns;
		to = t->in.end_ns;
	}
	row->short_from_ns = from;
	row->short_to_ns = to;
	row->gap_ns = to - from > covered ? to - from - covered : 0;
}

/* Of the row's sums, the kind that took most; dull: among those too. */
static uint32_t shorts_main_kind(const struct timeline *t, const uint64_t *of_kind, bool dull, uint64_t *ns)
{
	uint32_t best = UINT32_MAX;

	*ns = 0;
	for (uint32_t kind = 0; kind < t->kind_count; kind++) {
		if (t->kinds[kind].idle || (t->kinds[kind].dull && !dull))
			continue;
		*ns += of_kind[kind];
		if (of_kind[kind] && (best == UINT32_MAX || of_kind[kind] > of_kind[best]))
			best = kind;
	}
	return best;
}

static void shorts_of_row(const struct timeline *t, struct timeline_row *row, const uint64_t *of_kind)
{
	uint64_t ns;

	shorts_find_range(t, row);
	row->short_kind = shorts_main_kind(t, of_kind, false, &ns);
	if (ns * DULL_PART < row->gap_ns)
		row->short_kind = shorts_main_kind(t, of_kind, true, &ns);
	row->short_part = row->gap_ns > ns ? (uint32_t)scale_u64(ns, SHORT_WHOLE, row->gap_ns) : SHORT_WHOLE;
	if (!row->gap_ns || !row->short_part)
		row->short_kind = UINT32_MAX;
}

void timeline_find_shorts(struct timeline *t)
{
	uint64_t *of_kind;

	for (size_t i = 0; i < t->row_count; i++)
		t->rows[i].short_kind = UINT32_MAX;
	if (!t->has_waits || t->by_cpu || !t->sum_count)
		return;
	of_kind = xcalloc(t->row_count * t->kind_count + 1, sizeof(*of_kind));
	for (size_t i = 0; i < t->sum_count; i++) {
		const struct timeline_stack *s = &t->stacks[t->sums[i].stack];

		of_kind[s->row * t->kind_count + s->kind] += t->sums[i].values.time;
	}
	for (size_t i = 0; i < t->row_count; i++)
		shorts_of_row(t, &t->rows[i], &of_kind[i * t->kind_count]);
	free(of_kind);
}
