/* Joins what several threads have read, in the order of lines, and sorts all by time. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "render/heat/heat_parts.h"
#include "render/profile/sample.h"

/* Maps the stacks of one recording, as numbered by one thread, to their numbers in the heat. */
struct joined_places {
	uint32_t *stack; /* [text] HEAT_NONE: not looked up yet */
	uint32_t recording;
};

/* ---- values ---- */

void heat_reserve(struct heat *h, size_t count)
{
	size_t all = h->event_count + count;

	h->time_ns = xrealloc(h->time_ns, all * sizeof(*h->time_ns));
	h->stack = xrealloc(h->stack, all * sizeof(*h->stack));
	if (h->value)
		h->value = xrealloc(h->value, all * sizeof(*h->value));
	h->reading->event_cap = all;
}

static void need_values(struct heat *h)
{
	if (h->value)
		return;
	h->value = xmalloc(h->reading->event_cap * sizeof(*h->value));
	for (size_t i = 0; i < h->event_count; i++)
		h->value[i] = h->same_value;
}

static int heat_join_refine(struct heat *h, unsigned decimals)
{
	unsigned places = decimals - h->decimals;

	h->same_value = decimal_shift(h->same_value, places);
	if (h->same_value == UINT64_MAX)
		return -1;
	for (size_t i = 0; h->value && i < h->event_count; i++) {
		h->value[i] = decimal_shift(h->value[i], places);
		if (h->value[i] == UINT64_MAX)
			return -1;
	}
	h->decimals = decimals;
	return 0;
}

/* Convert h and make room for b's values. */
static int heat_join_same_units(struct heat *h, const struct heat_block *b)
{
	uint64_t same;

	if (b->decimals > h->decimals && heat_join_refine(h, b->decimals) < 0)
		return -1;
	same = decimal_shift(b->same_value, h->decimals - b->decimals);
	if (same == UINT64_MAX)
		return -1;
	if (!h->event_count)
		h->same_value = same;
	if (b->value || h->same_value != same)
		need_values(h);
	return 0;
}

/* ---- stacks ---- */

static uint32_t heat_join_stack_of(struct heat *h, const char *text, size_t len, uint32_t recording,
				   const struct heat_filter *filter)
{
	struct heat_reading *r = h->reading;
	uint32_t key[2] = { intern_add(&h->texts, text, len), recording };
	uint32_t stack = intern_add(&r->keys, (const char *)key, sizeof(key));

	if (stack < h->stack_count)
		return stack;
	h->stacks = xgrow(h->stacks, &r->stacks_cap, h->stack_count + 1, sizeof(*h->stacks));
	r->unwanted = xgrow(r->unwanted, &r->unwanted_cap, h->stack_count + 1, sizeof(*r->unwanted));
	h->stacks[stack] = (struct heat_stack){ .text = key[0], .recording = recording };
	r->unwanted[stack] = !line_passes(&filter->stacks, text, len);
	h->stack_count++;
	return stack;
}

/* ---- events ---- */

/* Join the events first..end of a run. */
static int join_run(struct heat *h, const struct heat_block *b, size_t first, size_t end,
		    const struct joined_places *places, const struct heat_filter *filter)
{
	unsigned shift = h->decimals - b->decimals;

	for (size_t i = first; i < end; i++) {
		uint32_t text = b->text[i], stack = places->stack[text];
		size_t n = h->event_count;

		if (stack == HEAT_NONE)
			stack = places->stack[text] = heat_join_stack_of(
				h, intern_text(b->texts, text), intern_len(b->texts, text), places->recording, filter);
		if (h->reading->unwanted[stack]) {
			h->filtered_lines++;
			continue;
		}
		h->time_ns[n] = b->time_ns[i];
		h->stack[n] = stack;
		if (h->value)
			h->value[n] = decimal_shift(b->value ? b->value[i] : b->same_value, shift);
		if (h->value && h->value[n] == UINT64_MAX)
			return -1;
		h->event_count++;
	}
	return 0;
}

static void heat_join_gaps(struct heat *h, const struct heat_block *b, const char *path)
{
	for (size_t i = 0; i < b->gap_count; i++) {
		struct heat_gap gap = b->gaps[i];

		if (gap.recording == HEAT_NONE)
			gap.recording = heat_recording_unknown(h, path);
		gap.why = intern_add(&h->names, intern_text(b->texts, gap.why), intern_len(b->texts, gap.why));
		h->gaps = xgrow(h->gaps, &h->reading->gaps_cap, h->gap_count + 1, sizeof(*h->gaps));
		h->gaps[h->gap_count++] = gap;
	}
}

static void join_lanes(struct heat *h, const struct heat_block *b)
{
	static const struct line_filter all = { 0 };
	const char *at = str_text(&b->lanes), *end = at + b->lanes.len;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		if (lanes_line(&h->lanes, &all, at, (size_t)(newline - at)))
			h->lanes.in.bad_lines++;
		at = newline + 1;
	}
}

int heat_join(struct heat *h, const struct heat_block *b, const char *path, const struct heat_filter *filter)
{
	struct joined_places places = { .stack = xmalloc(b->texts->count * sizeof(uint32_t)), .recording = HEAT_NONE };
	size_t first = 0;
	int status = 0;

	h->lines += b->lines;
	h->bad_lines += b->bad_lines;
	h->filtered_lines += b->filtered_lines;
	h->untimed_lines += b->untimed_lines;
	heat_join_gaps(h, b, path);
	join_lanes(h, b);
	if (b->count && heat_join_same_units(h, b) < 0)
		status = -1;
	for (size_t i = 0; i < b->run_count && !status; i++) {
		const struct heat_run *run = &b->runs[i];

		if (run->event_end == first)
			continue;
		if (!first || run->recording != places.recording)
			memset(places.stack, 0xff, b->texts->count * sizeof(uint32_t));
		places.recording = run->recording == HEAT_NONE ? heat_recording_unknown(h, path) : run->recording;
		status = join_run(h, b, first, run->event_end, &places, filter);
		first = run->event_end;
	}
	free(places.stack);
	return status;
}

/* ---- sorting by time ---- */

/* Most inputs are already sorted, or consist of a few sorted files.  So sorted runs are found, and merged in pairs.
 * Events that are only a little out of order (CPUs that report in turn) are sorted within their run. */

enum { NEAR = 64 }; /* how far back an event may be moved without a new run */

struct sorted_events {
	uint64_t *time_ns, *value;
	uint32_t *stack;
};

static bool heat_sort_is_before(const struct sorted_events *a, size_t i, const struct sorted_events *b, size_t j)
{
	if (a->time_ns[i] != b->time_ns[j])
		return a->time_ns[i] < b->time_ns[j];
	return a->stack[i] < b->stack[j];
}

static void heat_sort_copy(struct sorted_events *to, size_t j, const struct sorted_events *from, size_t i, size_t count)
{
	memcpy(to->time_ns + j, from->time_ns + i, count * sizeof(*to->time_ns));
	memcpy(to->stack + j, from->stack + i, count * sizeof(*to->stack));
	if (to->value)
		memcpy(to->value + j, from->value + i, count * sizeof(*to->value));
}

/* Move event i back to its place in first .. i, if this is near. */
static bool put_back(struct sorted_events *e, size_t first, size_t i)
{
	uint64_t time_ns = e->time_ns[i], value = e->value ? e->value[i] : 0;
	uint32_t stack = e->stack[i];
	size_t to = i;

	while (to > first && heat_sort_is_before(e, i, e, to - 1)) {
		if (i - --to > NEAR)
			return false;
	}
	memmove(e->time_ns + to + 1, e->time_ns + to, (i - to) * sizeof(*e->time_ns));
	memmove(e->stack + to + 1, e->stack + to, (i - to) * sizeof(*e->stack));
	e->time_ns[to] = time_ns;
	e->stack[to] = stack;
	if (e->value) {
		memmove(e->value + to + 1, e->value + to, (i - to) * sizeof(*e->value));
		e->value[to] = value;
	}
	return true;
}

/* Find the begins of runs; the last item is count. */
static size_t *heat_sort_find_runs(struct sorted_events *e, size_t count, size_t *run_count)
{
	size_t *starts = NULL, cap = 0, n = 0, first = 0;

	for (size_t i = 1; i < count; i++) {
		if (!heat_sort_is_before(e, i, e, i - 1) || put_back(e, first, i))
			continue;
		starts = xgrow(starts, &cap, n + 1, sizeof(*starts));
		starts[n++] = first;
		first = i;
	}
	starts = xgrow(starts, &cap, n + 2, sizeof(*starts));
	starts[n++] = first;
	starts[n] = count;
	*run_count = n;
	return starts;
}

/* Merge from[a..b) and from[b..end) into to[a..end). */
static void heat_sort_merge(struct sorted_events *to, const struct sorted_events *from, size_t a, size_t b, size_t end)
{
	size_t i = a, j = b, at = a;

	while (i < b && j < end) {
		size_t next = heat_sort_is_before(from, j, from, i) ? j++ : i++;

		to->time_ns[at] = from->time_ns[next];
		to->stack[at] = from->stack[next];
		if (to->value)
			to->value[at] = from->value[next];
		at++;
	}
	heat_sort_copy(to, at, from, i, b - i);
	heat_sort_copy(to, at + b - i, from, j, end - j);
}

/* Merge each pair of runs of from into to.  Returns the new number of runs. */
static size_t merge_pairs(struct sorted_events *to, const struct sorted_events *from, size_t *starts, size_t runs)
{
	size_t left = 0, end = starts[runs];

	for (size_t r = 0; r < runs; r += 2) {
		size_t a = starts[r], b = starts[r + 1];

		if (r + 1 < runs)
			heat_sort_merge(to, from, a, b, starts[r + 2]);
		else
			heat_sort_copy(to, a, from, a, b - a);
		starts[left++] = a;
	}
	starts[left] = end;
	return left;
}

void heat_sort(uint64_t *time_ns, uint32_t *stack, uint64_t *value, size_t count)
{
	struct sorted_events e = { time_ns, value, stack }, other = { 0 }, swap;
	size_t runs, *starts = heat_sort_find_runs(&e, count, &runs);

	if (runs > 1) {
		other.time_ns = xmalloc(count * sizeof(*other.time_ns));
		other.stack = xmalloc(count * sizeof(*other.stack));
		other.value = value ? xmalloc(count * sizeof(*other.value)) : NULL;
	}
	while (runs > 1) {
		runs = merge_pairs(&other, &e, starts, runs);
		swap = e;
		e = other;
		other = swap;
	}
	if (e.time_ns != time_ns) {
		heat_sort_copy(&other, 0, &e, 0, count);
		other = e;
	}
	free(other.time_ns);
	free(other.stack);
	free(other.value);
	free(starts);
}
