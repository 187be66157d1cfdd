#include "collapse/wall.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/collapse.h"
#include "collapse/history_samples.h"
#include "core/error.h"
#include "core/format/recording.h"
#include "core/map.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "core/wallclock.h"

enum wall_kind { WALL_SAMPLE, WALL_BLOCK, WALL_SPAN };

struct wall_item {
	int pid, tid;
	int state; /* enum recording_state; of a sample, -1 */
	enum wall_kind kind;
	uint32_t stack;
	uint64_t second, ns, count;
};

struct wall {
	struct collapse *c;
	const struct recorded_event *sampled; /* the event whose samples show what ran */
	struct wall_item *items;
	size_t count, cap;
	uint64_t *values; /* [value_count], by stack */
	size_t value_count, value_cap;
	struct map copies; /* (stack, root) -> number of the copy + 1 */
	struct wall_item *weights;
	size_t weight_count, weight_cap;
};

/* ---- reading --------------------------------------------------------------------------- */

static void add_item(struct wall *w, const struct wall_item *item)
{
	w->items = xgrow(w->items, &w->cap, w->count + 1, sizeof(*w->items));
	w->items[w->count++] = *item;
}

/* A sum goes over several seconds: its parts add up to it. */
static void add_span(struct wall *w, struct wall_item item, uint64_t begin_ns, uint64_t end_ns)
{
	uint64_t all_ns = item.ns, done_ns = 0;

	for (uint64_t at = begin_ns; end_ns - at > NS_PER_SEC - at % NS_PER_SEC && end_ns > at;) {
		uint64_t next = at + NS_PER_SEC - at % NS_PER_SEC;

		item.second = at / NS_PER_SEC;
		item.ns = (uint64_t)((__uint128_t)all_ns * (next - begin_ns) / (end_ns - begin_ns)) - done_ns;
		add_item(w, &item);
		done_ns += item.ns;
		at = next;
	}
	item.second = end_ns > begin_ns ? (end_ns - 1) / NS_PER_SEC : begin_ns / NS_PER_SEC;
	item.ns = all_ns - done_ns;
	add_item(w, &item);
}

static void add_sample(void *wall, struct recorded_sample *s)
{
	struct wall *w = wall;
	struct gather *g = &w->c->gather;
	bool spans = s->event->spans;
	uint64_t begin_ns = clock_wall(&w->c->clock, spans ? s->begin_ns : s->time_ns);
	uint64_t end_ns = clock_wall(&w->c->clock, s->time_ns);
	struct wall_item item = { s->pid, s->tid, spans ? s->state : -1, WALL_SAMPLE, 0, 0, 0, s->count };
	size_t before = g->times.count;

	if (!s->tid || !history_wants(s) || s->event->allocations || (!spans && s->event != w->sampled))
		return;
	if (spans)
		item.kind = history_has_stack(s) ? WALL_BLOCK : WALL_SPAN;
	gather_add(g, s);
	if (g->times.count == before)
		return;
	item.stack = g->times.items[before].stack;
	item.ns = g->times.items[before].value;
	if (!spans) {
		item.count = 1;
		item.second = begin_ns / NS_PER_SEC;
		add_item(w, &item);
		return;
	}
	begin_ns = begin_ns > g->from_ns ? begin_ns : g->from_ns;
	end_ns = end_ns < g->to_ns ? end_ns : g->to_ns;
	if (item.kind == WALL_SPAN && item.state == RECORDING_RUNNING)
		add_span(w, item, begin_ns, end_ns > begin_ns ? end_ns : begin_ns);
	else
		add_item(w, &item);
}

/* ---- dividing -------------------------------------------------------------------------- */

static void add_value(struct wall *w, uint32_t stack, uint64_t ns)
{
	w->values = xgrow(w->values, &w->value_cap, (size_t)stack + 1, sizeof(*w->values));
	while (w->value_count <= stack)
		w->values[w->value_count++] = 0;
	w->values[stack] += ns;
}

/* The frames of one stack with the root and leaf of another. */
static uint32_t copy_of(struct wall *w, uint32_t stack, uint32_t other)
{
	struct stacks *s = &w->c->gather.stacks;
	uint32_t *number = map_at(&w->copies, stack, s->items[other].root);

	if (!*number) {
		struct stack copy = s->items[stack];

		copy.root = s->items[other].root;
		copy.value = copy.samples = copy.waker_frames = copy.wakers = 0;
		s->items = xgrow(s->items, &s->cap, s->count + 1, sizeof(*s->items));
		s->items[s->count++] = copy;
		*number = (uint32_t)s->count;
	}
	return *number - 1;
}

static int by_stack(const void *a, const void *b)
{
	const struct wall_item *x = a, *y = b;

	return ORDER(x->stack, y->stack);
}

static int by_rest(const void *a, const void *b)
{
	const struct wall_item *x = a, *y = b;

	return ORDER(y->second, x->second) ?: ORDER(x->stack, y->stack);
}

static void weigh(struct wall *w, uint32_t stack, uint64_t weight)
{
	w->weights = xgrow(w->weights, &w->weight_cap, w->weight_count + 1, sizeof(*w->weights));
	w->weights[w->weight_count++] = (struct wall_item){ .stack = stack, .count = weight };
}

/* Divide ns by the weights; the largest remainders get what rounding leaves.  copy: under the root and leaf of `of`,
 * which gets all if there are no weights. */
static void divide(struct wall *w, uint64_t ns, uint32_t of, bool copy)
{
	uint64_t all = 0, left_ns = ns;
	size_t n = 0;

	if (w->weight_count)
		qsort(w->weights, w->weight_count, sizeof(*w->weights), by_stack);
	for (size_t i = 0; i < w->weight_count; i++) {
		all += w->weights[i].count;
		if (n && w->weights[n - 1].stack == w->weights[i].stack)
			w->weights[n - 1].count += w->weights[i].count;
		else
			w->weights[n++] = w->weights[i];
	}
	w->weight_count = 0;
	if (!all) {
		add_value(w, of, ns);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		__uint128_t part = (__uint128_t)ns * w->weights[i].count;

		w->weights[i].ns = (uint64_t)(part / all);
		w->weights[i].second = (uint64_t)(part % all); /* here: the remainder */
		left_ns -= w->weights[i].ns;
	}
	qsort(w->weights, n, sizeof(*w->weights), by_rest);
	for (size_t i = 0; i < n; i++) {
		uint32_t stack = copy ? copy_of(w, w->weights[i].stack, of) : w->weights[i].stack;

		add_value(w, stack, w->weights[i].ns + (i < left_ns));
	}
}

static int by_thread(const void *a, const void *b)
{
	const struct wall_item *x = a, *y = b;

	return ORDER(x->pid, y->pid) ?: ORDER(x->tid, y->tid) ?: ORDER(x->kind, y->kind) ?: ORDER(x->state, y->state)
		?: ORDER(x->kind == WALL_SPAN && x->state != RECORDING_RUNNING ? x->stack : x->second,
			 y->kind == WALL_SPAN && y->state != RECORDING_RUNNING ? y->stack : y->second)
		?: ORDER(x->stack, y->stack);
}

static bool is_same_span(const struct wall_item *a, const struct wall_item *b)
{
	return a->state == b->state && (a->state == RECORDING_RUNNING ? a->second == b->second : a->stack == b->stack);
}

/* Add the weights of items of a kind; state and second of 0 mean any. */
static void weigh_all(struct wall *w, size_t first, size_t end, enum wall_kind kind, int state, uint64_t second)
{
	for (size_t i = first; i < end && w->items[i].kind <= kind; i++) {
		const struct wall_item *item = &w->items[i];

		if (item->kind == kind && (!state || item->state == state) && (!second || item->second == second))
			weigh(w, item->stack, state ? item->ns : item->count);
	}
}

static void divide_span(struct wall *w, size_t first, size_t spans, const struct wall_item *span, uint64_t ns)
{
	bool waits = span->state > RECORDING_RUNNING && span->state <= RECORDING_WOKEN, woken;

	if (span->state == RECORDING_RUNNING) {
		weigh_all(w, first, spans, WALL_SAMPLE, 0, span->second);
	} else if (waits) {
		woken = span->state == RECORDING_WOKEN;
		weigh_all(w, first, spans, woken ? WALL_BLOCK : WALL_SAMPLE, 0, 0);
		if (!w->weight_count)
			weigh_all(w, first, spans, woken ? WALL_SAMPLE : WALL_BLOCK, 0, 0);
	} else if (span->state > RECORDING_WOKEN) {
		weigh_all(w, first, spans, WALL_BLOCK, span->state, 0);
	}
	divide(w, ns, span->stack, waits);
}

static bool has_span(const struct wall *w, size_t spans, size_t end, int state)
{
	for (size_t i = spans; i < end; i++) {
		if (w->items[i].state == state)
			return true;
	}
	return false;
}

/* A thread's items: samples, blocks, and then the spans of sched.  Blocks of a state that sched does not have are as long
 * as offcpu says. */
static void divide_thread(struct wall *w, size_t first, size_t end)
{
	size_t spans = first, next;

	while (spans < end && w->items[spans].kind != WALL_SPAN)
		spans++;
	for (size_t i = first; i < spans; i = next) {
		bool alone = w->items[i].kind == WALL_BLOCK && !has_span(w, spans, end, w->items[i].state);

		for (next = i; next < spans && w->items[next].kind == w->items[i].kind &&
			       w->items[next].state == w->items[i].state;
		     next++) {
			if (alone)
				add_value(w, w->items[next].stack, w->items[next].ns);
		}
	}
	for (size_t i = spans; i < end; i = next) {
		uint64_t ns = 0;

		for (next = i; next < end && is_same_span(&w->items[i], &w->items[next]); next++)
			ns += w->items[next].ns;
		divide_span(w, first, spans, &w->items[i], ns);
	}
}

static void divide_all(struct wall *w)
{
	struct stacks *s = &w->c->gather.stacks;
	size_t end;

	if (w->count)
		qsort(w->items, w->count, sizeof(*w->items), by_thread);
	for (size_t i = 0; i < w->count; i = end) {
		for (end = i;
		     end < w->count && w->items[end].tid == w->items[i].tid && w->items[end].pid == w->items[i].pid;)
			end++;
		divide_thread(w, i, end);
	}
	for (size_t i = 0; i < s->count; i++)
		s->items[i].value = i < w->value_count ? w->values[i] : 0;
}

static const struct recorded_event *find_sampled(const struct perfdata *d)
{
	for (size_t i = 0; i < d->event_count; i++) {
		const struct recorded_event *e = &d->events[i];

		if (e->sample_count && !e->spans && !e->allocations && !e->lanes &&
		    e->attr.type != PERF_TYPE_TRACEPOINT)
			return e;
	}
	return NULL;
}

int wall_read(struct collapse *c)
{
	struct wall w = { .c = c, .sampled = find_sampled(&c->data) };
	int status = history_samples_read(c, add_sample, &w);

	if (!status)
		divide_all(&w);
	free(w.items);
	free(w.values);
	free(w.weights);
	free(w.copies.entries);
	return status;
}
