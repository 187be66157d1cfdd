#include "collapse/views/wall.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/cause/history.h"
#include "collapse/frames/stacks.h"
#include "collapse/views/reading.h"
#include "core/error.h"
#include "core/format/recording.h"
#include "core/map.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "core/wallclock.h"

/* ---- shares ----------------------------------------------------------------------------
 *
 * The time of threads is divided among their stacks; a span without a stack of its own gets:
 *
 *     running     the samples of the thread in that time; else the nearest in time
 *     woken       the stacks in which it was blocked; the nearest if it is a single span; else those of samples
 *     preempted,
 *     throttled   the stacks of its samples, likewise; else those in which it was blocked
 *     blocked     the stacks in which it was blocked in this state
 *
 * The time of a sum is taken second by second.  Parts are rounded such that their sums stay exact. */

enum wall_kind {
	WALL_SAMPLE, /* what ran */
	WALL_BLOCK,  /* blocked, in a stack; the same time is in a span */
	WALL_SPAN,   /* time in a state */
	WALL_OWN,    /* the same with its own stack */
};

struct wall_item {
	int pid, tid;
	int state; /* enum recording_state; of a sample, undefined */
	enum wall_kind kind;
	bool single; /* a single span, or a sum over at most a second */
	uint32_t stack;
	uint64_t begin_ns, end_ns;
	uint64_t ns, count;
};

/* {0} with stacks set is valid. */
struct wall_shares {
	struct stacks *stacks;
	struct wall_item *items; /* [count] */
	size_t count, cap;
	uint64_t *values; /* [value_count] ns, by stack */
	size_t value_count, value_cap;
	struct map copies; /* (stack, root) -> number of the copy + 1 */
	struct wall_weight {
		uint64_t weight, ns, rest;
		uint32_t stack;
	} * weights; /* of the span that is being divided */
	size_t weight_count, weight_cap;
	uint64_t estimated; /* threads whose time is estimated from samples, because there are no spans */
};

/* ---- adding ---------------------------------------------------------------------------- */

static void add_item(struct wall_shares *w, const struct wall_item *item)
{
	w->items = xgrow(w->items, &w->cap, w->count + 1, sizeof(*w->items));
	w->items[w->count++] = *item;
}

/* Add an item.  A block, or a sum, that covers several seconds becomes one item for each second; their times add up to
 * the whole. */
static void wall_shares_add(struct wall_shares *w, struct wall_item item)
{
	const struct wall_item whole = item;
	uint64_t length_ns = whole.end_ns - whole.begin_ns, done_ns = 0;

	if (item.kind == WALL_SAMPLE || (item.single && item.kind != WALL_BLOCK)) {
		add_item(w, &item);
		return;
	}
	for (uint64_t next; whole.end_ns - item.begin_ns > NS_PER_SEC - item.begin_ns % NS_PER_SEC;
	     item.begin_ns = next) {
		next = item.begin_ns + NS_PER_SEC - item.begin_ns % NS_PER_SEC;
		item.end_ns = next;
		item.ns = (uint64_t)((__uint128_t)whole.ns * (next - whole.begin_ns) / length_ns) - done_ns;
		done_ns += item.ns;
		add_item(w, &item);
	}
	item.end_ns = whole.end_ns;
	item.ns = whole.ns - done_ns;
	add_item(w, &item);
}

/* ---- values ---------------------------------------------------------------------------- */

static void wall_shares_add_value(struct wall_shares *w, uint32_t stack, uint64_t ns)
{
	w->values = xgrow(w->values, &w->value_cap, (size_t)stack + 1, sizeof(*w->values));
	while (w->value_count <= stack)
		w->values[w->value_count++] = 0;
	w->values[stack] += ns;
}

/* The frames of one stack, with the root and leaf of another. */
static uint32_t wall_shares_copy_of(struct wall_shares *w, uint32_t stack, uint32_t other)
{
	struct stacks *s = w->stacks;
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

static int wall_shares_by_stack(const void *a, const void *b)
{
	const struct wall_weight *x = a, *y = b;

	return ORDER(x->stack, y->stack);
}

static int by_rest(const void *a, const void *b)
{
	const struct wall_weight *x = a, *y = b;

	return ORDER(y->rest, x->rest) ?: ORDER(x->stack, y->stack);
}

/* Add up the weights of equal stacks, so that each stack has one weight.  Returns their sum. */
static uint64_t merge_weights(struct wall_shares *w)
{
	struct wall_weight *list = w->weights;
	uint64_t all = 0;
	size_t n = 0;

	if (w->weight_count)
		qsort(list, w->weight_count, sizeof(*list), wall_shares_by_stack);
	for (size_t i = 0; i < w->weight_count; i++) {
		all += list[i].weight;
		if (n && list[n - 1].stack == list[i].stack)
			list[n - 1].weight += list[i].weight;
		else
			list[n++] = list[i];
	}
	w->weight_count = n;
	return all;
}

/* Divide a span by the weights; the largest remainders get the ns that rounding leaves.  Without weights, the span's
 * own stack gets all of it.  Waits keep their own root and leaf. */
static void wall_shares_divide_span(struct wall_shares *w, const struct wall_item *span, bool waits)
{
	uint64_t all = merge_weights(w), left_ns = span->ns;
	size_t n = w->weight_count;

	w->weight_count = 0;
	if (!all) {
		wall_shares_add_value(w, span->stack, span->ns);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		__uint128_t part = (__uint128_t)span->ns * w->weights[i].weight;

		w->weights[i].ns = (uint64_t)(part / all);
		w->weights[i].rest = (uint64_t)(part % all);
		left_ns -= w->weights[i].ns;
	}
	if (left_ns)
		qsort(w->weights, n, sizeof(*w->weights), by_rest);
	for (size_t i = 0; i < n; i++) {
		uint32_t stack = waits ? wall_shares_copy_of(w, w->weights[i].stack, span->stack) : w->weights[i].stack;

		wall_shares_add_value(w, stack, w->weights[i].ns + (i < left_ns));
	}
}

/* ---- which stacks ---------------------------------------------------------------------- */

/* The items of a thread: those that ran, and those that were blocked, by state; each list is sorted by end. */
enum { RAN, BLOCKED, GROUPS = BLOCKED + RECORDING_STATE_COUNT };

struct thread_items {
	const struct wall_item *groups[GROUPS];
	size_t counts[GROUPS];
	const struct wall_item *spans; /* [span_count] */
	size_t span_count;
};

/* Could the thread run? */
static bool is_wait(const struct wall_item *span)
{
	return (span->state > RECORDING_RUNNING && span->state <= RECORDING_WOKEN) ||
	       span->state == RECORDING_THROTTLED;
}

static bool is_block(const struct wall_item *span)
{
	return span->state > RECORDING_RUNNING && !is_wait(span);
}

/* How many items of the group end at that time or before. */
static size_t ended_by(const struct thread_items *t, size_t group, uint64_t ns)
{
	size_t low = 0, high = t->counts[group];

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->groups[group][middle].end_ns <= ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Blocked time is divided in proportion to the times of the items, other time in proportion to their counts. */
static void wall_shares_weigh(struct wall_shares *w, const struct wall_item *item, const struct wall_item *span)
{
	uint64_t weight = is_block(span) ? item->ns : item->count;

	w->weights = xgrow(w->weights, &w->weight_cap, w->weight_count + 1, sizeof(*w->weights));
	w->weights[w->weight_count++] = (struct wall_weight){ .stack = item->stack, .weight = weight ?: 1 };
}

/* Weigh the items that end within the span; for a sum, within its second. */
static void weigh_inside(struct wall_shares *w, const struct thread_items *t, size_t group,
			 const struct wall_item *span)
{
	uint64_t begin_ns = span->begin_ns, end_ns = span->end_ns;

	if (!span->single) {
		begin_ns -= begin_ns % NS_PER_SEC;
		end_ns = begin_ns + NS_PER_SEC;
	}
	for (size_t i = ended_by(t, group, begin_ns), end = ended_by(t, group, end_ns); i < end; i++)
		wall_shares_weigh(w, &t->groups[group][i], span);
}

/* The item of the group that is nearest in time, and its distance; UINT64_MAX: there is none. */
static size_t wall_shares_nearest(const struct thread_items *t, size_t group, uint64_t begin_ns, uint64_t end_ns,
				  uint64_t *distance_ns)
{
	const struct wall_item *items = t->groups[group];
	size_t after = ended_by(t, group, begin_ns), found = after;

	*distance_ns = UINT64_MAX;
	if (after < t->counts[group])
		*distance_ns = items[after].begin_ns > end_ns ? items[after].begin_ns - end_ns : 0;
	if (after && begin_ns - items[after - 1].end_ns <= *distance_ns) {
		found = after - 1;
		*distance_ns = begin_ns - items[found].end_ns;
	}
	return found;
}

/* Weigh the nearest item of these groups, and all others that end at the same time, as sums do. */
static void weigh_nearest(struct wall_shares *w, const struct thread_items *t, size_t first, size_t end,
			  const struct wall_item *span)
{
	uint64_t end_ns = is_wait(span) && span->single ? span->begin_ns : span->end_ns, least_ns = UINT64_MAX;
	size_t best = first, at = 0;

	for (size_t group = first; group < end; group++) {
		uint64_t distance_ns;
		size_t found = wall_shares_nearest(t, group, span->begin_ns, end_ns, &distance_ns);

		if (distance_ns < least_ns) {
			least_ns = distance_ns;
			best = group;
			at = found;
		}
	}
	if (least_ns == UINT64_MAX)
		return;
	end_ns = t->groups[best][at].end_ns;
	while (at && t->groups[best][at - 1].end_ns == end_ns)
		at--;
	for (; at < t->counts[best] && t->groups[best][at].end_ns == end_ns; at++)
		wall_shares_weigh(w, &t->groups[best][at], span);
}

static void weigh_groups(struct wall_shares *w, const struct thread_items *t, size_t first, size_t end,
			 const struct wall_item *span)
{
	for (size_t group = first; group < end && !(is_wait(span) && span->single); group++)
		weigh_inside(w, t, group, span);
	if (!w->weight_count)
		weigh_nearest(w, t, first, end, span);
}

static void divide_span(struct wall_shares *w, const struct thread_items *t, const struct wall_item *span)
{
	if (span->state == RECORDING_WOKEN)
		weigh_groups(w, t, BLOCKED, GROUPS, span);
	else if (is_block(span))
		weigh_groups(w, t, BLOCKED + (size_t)span->state, BLOCKED + (size_t)span->state + 1, span);
	if (!w->weight_count && !is_block(span))
		weigh_groups(w, t, RAN, RAN + 1, span);
	if (!w->weight_count && is_wait(span))
		weigh_groups(w, t, BLOCKED, GROUPS, span);
	wall_shares_divide_span(w, span, is_wait(span));
}

/* ---- threads --------------------------------------------------------------------------- */

static int wall_shares_by_thread(const void *a, const void *b)
{
	const struct wall_item *x = a, *y = b;

	return ORDER(x->pid, y->pid) ?: ORDER(x->tid, y->tid) ?: ORDER(x->kind, y->kind)
		?: ORDER(x->state, y->state) ?: ORDER(x->end_ns, y->end_ns) ?: ORDER(x->begin_ns, y->begin_ns)
		?: ORDER(x->stack, y->stack) ?: ORDER(x->ns, y->ns) ?: ORDER(x->count, y->count);
}

static bool is_of_group(const struct wall_item *a, const struct wall_item *b)
{
	return a->kind == b->kind && (a->kind == WALL_SAMPLE || a->state == b->state);
}

static struct thread_items thread_items(const struct wall_item *items, size_t count)
{
	struct thread_items t = { 0 };
	size_t at = 0;

	for (size_t first = 0; at < count && items[at].kind <= WALL_BLOCK; first = at) {
		size_t group = items[at].kind == WALL_SAMPLE ? RAN : BLOCKED + (size_t)items[at].state;

		while (at < count && is_of_group(&items[at], &items[first]))
			at++;
		t.groups[group] = items + first;
		t.counts[group] = at - first;
	}
	t.spans = items + at;
	t.span_count = count - at;
	return t;
}

/* Samples and blocks that lie in no span keep their own durations. */
static void wall_shares_add_unknown(struct wall_shares *w, const struct thread_items *t)
{
	bool has_blocked = false;

	for (size_t i = 0; i < t->span_count; i++)
		has_blocked |= is_block(&t->spans[i]);
	for (size_t group = t->span_count ? BLOCKED : RAN; group < GROUPS && !has_blocked; group++) {
		for (size_t i = 0; i < t->counts[group]; i++)
			wall_shares_add_value(w, t->groups[group][i].stack, t->groups[group][i].ns);
	}
	w->estimated += !t->span_count;
}

static void divide_thread(struct wall_shares *w, const struct wall_item *items, size_t count)
{
	struct thread_items t = thread_items(items, count);

	wall_shares_add_unknown(w, &t);
	for (size_t i = 0; i < t.span_count; i++) {
		if (t.spans[i].kind == WALL_OWN)
			wall_shares_add_value(w, t.spans[i].stack, t.spans[i].ns);
		else
			divide_span(w, &t, &t.spans[i]);
	}
}

/* Set the values of the stacks.  Call this once. */
static void wall_shares_divide(struct wall_shares *w)
{
	struct stacks *s = w->stacks;
	size_t end;

	if (w->count)
		qsort(w->items, w->count, sizeof(*w->items), wall_shares_by_thread);
	for (size_t i = 0; i < w->count; i = end) {
		for (end = i;
		     end < w->count && w->items[end].tid == w->items[i].tid && w->items[end].pid == w->items[i].pid;)
			end++;
		divide_thread(w, w->items + i, end - i);
	}
	for (size_t i = 0; i < s->count; i++)
		s->items[i].value = i < w->value_count ? w->values[i] : 0;
}

static void wall_shares_free(struct wall_shares *w)
{
	free(w->items);
	free(w->values);
	free(w->weights);
	map_free(&w->copies);
	*w = (struct wall_shares){ 0 };
}

/* ---- reading --------------------------------------------------------------------------- */

struct wall {
	struct reading *reading;
	const struct recorded_event *sampled; /* the event whose samples show running code; NULL: none */
	bool has_states;                      /* taken from sched; otherwise those of collect wall count, if there are
					       * any */
	struct wall_shares shares;
};

static bool is_wall(const struct recorded_sample *s)
{
	return s->event->spans && !strcmp(s->event->name, RECORDING_WALL);
}

/* Labels follow the frames. */
static bool has_frames(const struct recorded_sample *s)
{
	return s->chain_count && !RECORDING_IS_LABEL(load_u64(s->chain));
}

static bool wants(const struct wall *w, const struct recorded_sample *s)
{
	if (is_wall(s))
		return !w->has_states && s->tid;
	if (!s->tid || s->event->allocations || !history_wants(s))
		return false;
	return s->event->spans || s->event == w->sampled;
}

static enum wall_kind collapse_wall_kind_of(const struct recorded_sample *s)
{
	if (!s->event->spans)
		return WALL_SAMPLE;
	if (is_wall(s))
		return has_frames(s) ? WALL_OWN : WALL_SPAN;
	return history_has_stack(s) ? WALL_BLOCK : WALL_SPAN;
}

static uint64_t between(uint64_t ns, uint64_t least, uint64_t most)
{
	return ns < least ? least : ns > most ? most : ns;
}

/* A span that windows cut has several. */
static void collapse_wall_add_piece(struct wall *w, struct wall_item item, const struct recorded_sample *s,
				    const struct timed_sample *piece)
{
	item.stack = piece->stack;
	item.ns = s->event->spans || event_is_clock(s->event) ? piece->value : 0;
	if (w->reading->gather.windows && item.single) {
		item.begin_ns = piece->wall_ns;
		item.end_ns = piece->wall_ns + piece->value;
	}
	wall_shares_add(&w->shares, item);
}

static void collapse_wall_add_sample(void *wall, struct recorded_sample *s)
{
	struct wall *w = wall;
	struct gather *g = &w->reading->gather;
	bool known = s->state >= 0 && s->state < RECORDING_STATE_COUNT, spans = s->event->spans;
	struct wall_item item = { .pid = s->pid,
				  .tid = s->tid,
				  .state = known ? s->state : RECORDING_STATE_UNKNOWN,
				  .single = s->span_flags & RECORDING_SINGLE,
				  .begin_ns = clock_wall(&w->reading->clock, spans ? s->begin_ns : s->time_ns),
				  .end_ns = clock_wall(&w->reading->clock, s->time_ns),
				  .count = spans ? s->count : 1 };
	size_t before = g->times.count;

	if (!wants(w, s))
		return;
	item.kind = collapse_wall_kind_of(s);
	if (item.single)
		item.end_ns = item.begin_ns + s->period;
	gather_add(g, s);
	item.end_ns = between(item.end_ns, g->from_ns, g->to_ns);
	item.begin_ns = between(item.begin_ns, g->from_ns, item.end_ns);
	for (size_t i = before; i < g->times.count; i++)
		collapse_wall_add_piece(w, item, s, &g->times.items[i]);
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

static bool collapse_wall_has_samples(const struct perfdata *d, const char *event)
{
	for (size_t i = 0; i < d->event_count; i++) {
		if (!strcmp(d->events[i].name, event) &&
		    (d->events[i].sample_count || (d->events[i].derived && !d->events[i].from_states)))
			return true;
	}
	return false;
}

/* Report what is estimated, or unknown. */
static void warn_of_gaps(const struct wall *w)
{
	const struct perfdata *d = &w->reading->data;

	if (!w->has_states && collapse_wall_has_samples(d, RECORDING_WALL))
		inform("%s: times are estimated from samples of what each thread did", d->path);
	else if (!w->has_states)
		warn("%s: no scheduler states (pyrograph collect cpu,sched,offcpu): the time that threads ran is %s, "
		     "and "
		     "there are no waits for a CPU",
		     d->path, w->sampled && event_is_clock(w->sampled) ? "estimated from samples" : "unknown");
	if (!collapse_wall_has_samples(d, RECORDING_OFFCPU) && !collapse_wall_has_samples(d, RECORDING_WALL))
		warn("%s: no blocked time with stacks (pyrograph collect cpu,sched,offcpu): it is below the thread",
		     d->path);
	if (!w->sampled)
		warn("%s: no samples of what ran (pyrograph collect cpu,...): it is [running, not sampled]", d->path);
}

int wall_read(struct reading *r)
{
	struct wall w = { .reading = r, .sampled = find_sampled(&r->data), .shares.stacks = &r->gather.stacks };
	int status;

	w.has_states = collapse_wall_has_samples(&r->data, RECORDING_SCHED);
	warn_of_gaps(&w);
	status = reading_history(r, collapse_wall_add_sample, &w);
	if (!status)
		wall_shares_divide(&w.shares);
	wall_shares_free(&w.shares);
	return status;
}
