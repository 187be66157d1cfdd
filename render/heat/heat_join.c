/* Joins what several threads have read, in the order of lines. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "render/heat/heat_parts.h"
#include "render/profile/sample.h"

/* The numbers in the heat of the stacks that one thread has read, for one recording. */
struct joined_places {
	uint32_t *stack; /* [text] HEAT_NONE: not looked up yet */
	uint32_t recording;
};

/* ---- values --------------------------------------------------------------------- */

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

/* ---- stacks --------------------------------------------------------------------- */

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

/* ---- events --------------------------------------------------------------------- */

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
