/* A profile in order of time: its lines are replayed, each next to the previous one. */
#include "render/profile/profile.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/sorted.h"

static int profile_chart_by_time(const void *a, const void *b)
{
	const struct profile_event *x = *(struct profile_event *const *)a;
	const struct profile_event *y = *(struct profile_event *const *)b;

	return ORDER(x->time_ns, y->time_ns) ?: ORDER(x, y); /* as the input had them */
}

static struct profile_event **events_by_time(struct profile *p)
{
	struct profile_event **sorted = xcalloc(p->event_count, sizeof(*sorted));
	bool in_order = true;

	for (size_t i = 0; i < p->event_count; i++) {
		sorted[i] = &p->events[i];
		in_order &= !i || p->events[i - 1].time_ns <= p->events[i].time_ns;
	}
	if (!in_order)
		qsort(sorted, p->event_count, sizeof(*sorted), profile_chart_by_time);
	return sorted;
}

/* The nodes of a stack from the root's child on, and their nodes in the chart. */
struct trail {
	uint32_t *old, *now;
	size_t depth, old_cap, now_cap;
};

/* The depth of a stack. */
static size_t profile_chart_depth_of(const struct profile *p, uint32_t stack)
{
	uint32_t end = profile_stack_end(p, stack);
	size_t depth = 0;

	for (; stack; stack = p->stacks[stack].in) {
		depth += end - p->stacks[stack].first;
		end = p->stacks[stack].parent + 1;
	}
	return depth;
}

/* Set trail to the path of stack.  Returns how many nodes it shares with the previous path. */
static size_t profile_chart_follow(struct trail *trail, const struct profile *p, uint32_t stack)
{
	size_t depth = profile_chart_depth_of(p, stack), shared, at = depth;
	uint32_t end = profile_stack_end(p, stack);

	trail->old = xgrow(trail->old, &trail->old_cap, depth + 1, sizeof(*trail->old));
	trail->now = xgrow(trail->now, &trail->now_cap, depth + 1, sizeof(*trail->now));
	shared = depth < trail->depth ? depth : trail->depth;
	for (; stack; stack = p->stacks[stack].in) {
		for (uint32_t node = end; node-- > p->stacks[stack].first;) {
			if (--at < trail->depth && trail->old[at] != node && at < shared)
				shared = at;
			trail->old[at] = node;
		}
		end = p->stacks[stack].parent + 1;
	}
	trail->depth = depth;
	return shared;
}

/* The stack that the chart's node is in, if node is on the path that was added last. */
static uint32_t stack_with(const struct profile *chart, uint32_t node, uint32_t last)
{
	while (chart->stacks[last].first > node)
		last = chart->stacks[last].in;
	return last;
}

/* The value that node has had for itself so far becomes a gap before its next child. */
static void profile_chart_add_gap(struct profile *chart, uint32_t node, uint32_t *last)
{
	uint64_t value = chart->stacks[*last].self;

	if (!value)
		return;
	chart->stacks[*last].self = 0;
	*last = profile_begin_stack(chart, node, stack_with(chart, node, *last));
	profile_add_node(chart, PROFILE_GAP_NAME);
	chart->stacks[*last].self = value;
}

/* Add a line; nodes that it does not share with the previous line are new. */
static void profile_chart_play(struct profile *chart, struct trail *trail, uint32_t *last, const struct profile *p,
			       const struct profile_event *e)
{
	size_t before = trail->depth, shared = profile_chart_follow(trail, p, e->stack);

	if (shared < trail->depth || shared < before) {
		uint32_t parent = shared ? trail->now[shared - 1] : 0;

		if (shared == before)
			profile_chart_add_gap(chart, parent, last);
		*last = profile_begin_stack(chart, parent, stack_with(chart, parent, *last));
	}
	for (size_t i = shared; i < trail->depth; i++) {
		trail->now[i] = (uint32_t)chart->count;
		profile_add_node(chart, profile_name(p, trail->old[i]));
	}
	chart->stacks[*last].self += e->value;
}

void profile_chart(struct profile *p)
{
	struct profile_event **sorted;
	struct profile chart = *p;
	struct trail trail = { 0 };
	uint32_t last = 0;

	if (!p->event_count)
		return;
	sorted = events_by_time(p);
	chart.nodes = NULL;
	chart.stacks = NULL;
	chart.count = chart.cap = chart.stack_count = chart.stacks_cap = 0;
	profile_begin_stack(&chart, 0, 0);
	profile_add_node(&chart, PROFILE_ROOT_NAME);
	for (size_t i = 0; i < p->event_count; i++)
		profile_chart_play(&chart, &trail, &last, p, sorted[i]);
	chart.events = NULL;
	chart.event_count = chart.events_cap = 0;
	chart.slots = NULL;
	chart.slot_count = 0;
	chart.charted = true;
	free(sorted);
	free(trail.old);
	free(trail.now);
	free(p->nodes);
	free(p->stacks);
	free(p->events);
	free(p->slots);
	*p = chart;
}
