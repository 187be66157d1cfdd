#include "collapse/text/trace_calls.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/parse/span_stack.h"
#include "core/memory.h"
#include "core/sorted.h"

#define NO_FRAME UINT32_MAX

struct trace_call {
	uint64_t begin, end; /* ns; until the call's end is known, the latest end of the calls in it */
	uint32_t thread, frame;
	uint32_t order; /* in the file */
	bool is_open;   /* has not ended */
};

struct trace_edge {
	uint64_t at; /* ns */
	uint32_t thread, order;
	uint32_t frame; /* NO_FRAME: the end of the innermost call */
	const char *text;
};

static struct trace_call *trace_calls_add_call(struct trace_calls *c, struct trace_call call)
{
	c->calls = xgrow(c->calls, &c->call_cap, c->call_count + 1, sizeof(*c->calls));
	c->calls[c->call_count] = call;
	return &c->calls[c->call_count++];
}

static uint32_t trace_calls_next_event(struct trace_calls *c, uint32_t thread)
{
	c->thread_count = thread < c->thread_count ? c->thread_count : thread + 1;
	return c->event_count++;
}

void trace_calls_add(struct trace_calls *c, uint32_t thread, uint32_t frame, uint64_t begin, uint64_t end)
{
	trace_calls_add_call(
		c, (struct trace_call){ begin, end, thread, frame, trace_calls_next_event(c, thread), false });
}

static void add_edge(struct trace_calls *c, uint32_t thread, uint32_t frame, uint64_t at, const char *text)
{
	c->edges = xgrow(c->edges, &c->edge_cap, c->edge_count + 1, sizeof(*c->edges));
	c->edges[c->edge_count++] = (struct trace_edge){ at, thread, trace_calls_next_event(c, thread), frame, text };
}

void trace_calls_begin(struct trace_calls *c, uint32_t thread, uint32_t frame, uint64_t at)
{
	add_edge(c, thread, frame, at, NULL);
}

void trace_calls_end(struct trace_calls *c, uint32_t thread, uint64_t at, const char *text)
{
	add_edge(c, thread, NO_FRAME, at, text);
}

/* --- calls of begins and ends --------------------------------------------------------- */

/* The innermost of the calls whose indexes are in open; NULL: there is none. */
static struct trace_call *trace_calls_innermost(const struct trace_calls *c, const struct str *open)
{
	uint32_t place;

	if (!open->len)
		return NULL;
	memcpy(&place, open->buf + open->len - sizeof(place), sizeof(place));
	return &c->calls[place];
}

static void begin_call(struct trace_calls *c, struct str *open, const struct trace_edge *edge)
{
	uint32_t place = (uint32_t)c->call_count;

	trace_calls_add_call(c,
			     (struct trace_call){ edge->at, edge->at, edge->thread, edge->frame, edge->order, true });
	str_add(open, (const char *)&place, sizeof(place));
}

static void trace_calls_end_call(struct trace_calls *c, struct str *open, uint64_t at)
{
	struct trace_call *call = trace_calls_innermost(c, open), *caller;

	call->end = at;
	call->is_open = false;
	open->len -= sizeof(uint32_t);
	caller = trace_calls_innermost(c, open);
	if (caller && caller->end < at)
		caller->end = at;
}

/* By thread; callers before what they call. */
static int trace_calls_by_begin(const void *a, const void *b)
{
	const struct trace_call *x = a, *y = b;

	return ORDER(x->thread, y->thread) ?: ORDER(x->begin, y->begin) ?: ORDER(y->end, x->end) ?: ORDER(x->order, y->order);
}

/* The end of the innermost call (ends: uint64_t each); UINT64_MAX: there is none. */
static uint64_t innermost_end(const struct str *ends)
{
	uint64_t end = UINT64_MAX;

	if (ends->len)
		memcpy(&end, ends->buf + ends->len - sizeof(end), sizeof(end));
	return end;
}

static bool trace_calls_has_ended(const struct str *ends, uint64_t at)
{
	return ends->len && innermost_end(ends) <= at;
}

/* Are the calls of a thread, which are sorted, nested: is each within another one, or beside it? */
static bool are_nested(const struct trace_call *calls, size_t count)
{
	struct str ends = { 0 };
	size_t i;

	for (i = 0; i < count; i++) {
		while (trace_calls_has_ended(&ends, calls[i].begin))
			ends.len -= sizeof(calls[i].end);
		if (calls[i].end > innermost_end(&ends))
			break;
		str_add(&ends, (const char *)&calls[i].end, sizeof(calls[i].end));
	}
	str_free(&ends);
	return i == count;
}

/* Pair the begins and ends of a thread, in this order, to calls.  Returns false, and makes no calls, if they would not
 * be nested.  After sorting by time, only an end without a begin can fail to fit; it is reported. */
static bool join_edges(struct trace_calls *c, const struct trace_edge *edges, size_t count, bool sorted)
{
	size_t before = c->call_count, i;
	struct str open = { 0 };
	bool fit;

	for (i = 0; i < count; i++) {
		const struct trace_call *caller = trace_calls_innermost(c, &open);
		const struct trace_edge *edge = &edges[i];

		if (edge->frame != NO_FRAME && (!caller || caller->begin <= edge->at))
			begin_call(c, &open, edge);
		else if (edge->frame == NO_FRAME && caller && caller->end <= edge->at)
			trace_calls_end_call(c, &open, edge->at);
		else if (sorted)
			text_wrong(c->s, edge->text, "the end of a call that did not begin");
		else
			break;
	}
	str_free(&open);
	fit = i == count;
	if (fit && !sorted) {
		qsort(c->calls + before, c->call_count - before, sizeof(*c->calls), trace_calls_by_begin);
		fit = are_nested(c->calls + before, c->call_count - before);
	}
	if (!fit)
		c->call_count = before;
	return fit;
}

static int trace_calls_by_thread(const void *a, const void *b)
{
	const struct trace_edge *x = a, *y = b;

	return ORDER(x->thread, y->thread) ?: ORDER(x->order, y->order);
}

static int trace_calls_by_time(const void *a, const void *b)
{
	const struct trace_edge *x = a, *y = b;

	return ORDER(x->at, y->at) ?: ORDER(x->order, y->order);
}

/* For equal times, the order of the file decides which edge comes first, if that order gives nested calls. */
static void join_all_edges(struct trace_calls *c)
{
	size_t next;

	if (c->edge_count)
		qsort(c->edges, c->edge_count, sizeof(*c->edges), trace_calls_by_thread);
	for (size_t i = 0; i < c->edge_count; i = next) {
		for (next = i + 1; next < c->edge_count && c->edges[next].thread == c->edges[i].thread;)
			next++;
		if (join_edges(c, c->edges + i, next - i, false))
			continue;
		qsort(c->edges + i, next - i, sizeof(*c->edges), trace_calls_by_time);
		join_edges(c, c->edges + i, next - i, true);
	}
}

static void end_open_calls(struct trace_calls *c)
{
	uint64_t *last = xcalloc((size_t)c->thread_count + 1, sizeof(*last)); /* by thread: its latest time */

	for (size_t i = 0; i < c->call_count; i++) {
		const struct trace_call *call = &c->calls[i];

		last[call->thread] = call->end > last[call->thread] ? call->end : last[call->thread];
	}
	for (size_t i = 0; i < c->call_count; i++) {
		struct trace_call *call = &c->calls[i];

		if (!call->is_open)
			continue;
		text_lose(c->s, TEXT_UNENDED, last[call->thread] - call->end);
		call->end = last[call->thread];
	}
	free(last);
}

/* --- the time of each call ----------------------------------------------------------- */

static void trace_calls_end_calls(struct span_stack *stack, struct text_stacks *s, struct str *ends, uint64_t until)
{
	while (trace_calls_has_ended(ends, until)) {
		span_stack_end(stack, s, innermost_end(ends));
		ends->len -= sizeof(uint64_t);
	}
}

static void fold_thread(struct text_stacks *s, const struct trace_call *calls, size_t count, uint32_t labels)
{
	struct span_stack stack = { .labels = labels };
	struct str ends = { 0 };

	for (size_t i = 0; i < count; i++) {
		uint64_t outer, end;

		trace_calls_end_calls(&stack, s, &ends, calls[i].begin);
		outer = innermost_end(&ends);
		end = calls[i].end < outer ? calls[i].end : outer;
		if (end < calls[i].end)
			text_lose(s, TEXT_CLIPPED, calls[i].end - end);
		span_stack_begin(&stack, s, calls[i].frame, calls[i].begin);
		str_add(&ends, (const char *)&end, sizeof(end));
	}
	trace_calls_end_calls(&stack, s, &ends, UINT64_MAX);
	str_free(&ends);
	span_stack_free(&stack);
}

void trace_calls_fold(struct trace_calls *c, uint32_t (*labels)(void *context, uint32_t thread), void *context)
{
	size_t next;

	join_all_edges(c);
	end_open_calls(c);
	if (c->call_count)
		qsort(c->calls, c->call_count, sizeof(*c->calls), trace_calls_by_begin);
	for (size_t i = 0; i < c->call_count; i = next) {
		for (next = i + 1; next < c->call_count && c->calls[next].thread == c->calls[i].thread;)
			next++;
		fold_thread(c->s, c->calls + i, next - i, labels(context, c->calls[i].thread));
	}
}

void trace_calls_free(struct trace_calls *c)
{
	free(c->calls);
	free(c->edges);
	*c = (struct trace_calls){ 0 };
}
