#include "collapse/cause/outliers.h"

#include <stdlib.h>

#include "core/map.h"
#include "core/memory.h"
#include "core/sorted.h"

enum { OUTLIERS_EXPLAINED = 8 };

struct outlier_maker {
	struct outliers *all;
	const struct history *h;
	struct cause_frames *f;
	struct frames_function *functions; /* by stack, ... */
	bool *known;                       /* ... once it was looked at */
	struct map kinds, groups;
};

static struct frames_function function_of(struct outlier_maker *m, uint32_t stack)
{
	if (!m->known[stack]) {
		m->known[stack] = true;
		m->functions[stack] = frames_function(m->f, stack);
	}
	return m->functions[stack];
}

/* The group that has things alike. */
static struct outlier *group_of(struct outlier_maker *m, const struct slow_thing *t)
{
	struct frames_function function = function_of(m, t->stack);
	uint64_t names = (uint64_t)function.text << 32 | function.caller;
	uint32_t *kind = map_at(&m->kinds, names, m->h->threads[t->thread].process);
	uint32_t *group;

	if (!*kind)
		*kind = (uint32_t)m->kinds.count;
	group = map_at(&m->groups, (uint64_t)*kind << 32 | (uint32_t)t->file, t->kind);
	if (!*group) {
		struct outliers *all = m->all;

		all->items = xgrow(all->items, &all->cap, all->count + 1, sizeof(*all->items));
		all->items[all->count++] =
			(struct outlier){ .longest = *t, .function = function, .first_ns = t->begin_ns };
		*group = (uint32_t)all->count;
	}
	return &m->all->items[*group - 1];
}

static void add(struct outlier_maker *m, const struct slow_thing *t)
{
	struct outlier *o = group_of(m, t);

	if (slow_length(t) > slow_length(&o->longest))
		o->longest = *t;
	o->count++;
	o->total_ns += slow_length(t);
	if (t->begin_ns < o->first_ns)
		o->first_ns = t->begin_ns;
	if (t->begin_ns > o->last_ns)
		o->last_ns = t->begin_ns;
}

static int by_length(const void *a, const void *b)
{
	const struct outlier *x = a, *y = b;

	return ORDER(slow_length(&y->longest), slow_length(&x->longest)) ?:
	       ORDER(x->longest.begin_ns, y->longest.begin_ns) ?: ORDER(x->longest.thread, y->longest.thread);
}

/* ---- what made it slow ------------------------------------------------------------------- */

static bool is_for_device(struct cause_frames *f, const struct history_span *block)
{
	enum wait_kind kind = frames_wait_named(f, block->stack);

	return block->state == RECORDING_BLOCKED_IO || kind == WAIT_IO || kind == WAIT_FAULT;
}

static void find_rival(struct outlier *o, const struct history *h, struct cause_frames *f)
{
	const struct slow_thing *t = &o->longest;
	struct outlier_rival one = { HISTORY_NONE, HISTORY_NONE, 0 };
	uint64_t longest = 0;

	for (size_t i = 0; i < h->blocks.count; i++) {
		const struct history_span *b = &h->blocks.items[i];
		uint64_t ns = history_overlap(b, t->begin_ns, t->end_ns);

		if (!ns || b->thread == t->thread || h->threads[b->thread].recorder || !is_for_device(f, b))
			continue;
		if (b->thread != one.thread) {
			one = (struct outlier_rival){ b->thread, b->stack, 0 };
			longest = 0;
		}
		one.ns += ns;
		if (ns > longest) {
			longest = ns;
			one.stack = b->stack;
		}
		if (one.ns > o->rival.ns)
			o->rival = one;
	}
	if (o->rival.ns * 4 < slow_length(t))
		o->rival = (struct outlier_rival){ HISTORY_NONE, HISTORY_NONE, 0 };
	else
		o->did = frames_function(f, o->rival.stack);
}

static void find_cause(struct outlier *o, const struct history *h, struct cause_frames *f)
{
	const struct slow_thing *t = &o->longest;
	const struct history_span *block = history_block(h, t->thread, t->begin_ns, t->end_ns);

	if (!block || history_overlap(block, t->begin_ns, t->end_ns) * 2 < slow_length(t))
		return;
	o->cause = cause_follow(h, f, block);
	if (o->cause.kind != CAUSE_UNKNOWN && o->cause.guilty != t->thread)
		o->did = cause_function(h, f, o->cause.guilty, o->cause.stack, o->cause.from_ns, o->cause.to_ns);
	else
		o->cause.kind = CAUSE_UNKNOWN;
}

static void explain(struct outlier *o, const struct history *h, struct cause_frames *f)
{
	const struct slow_thing *t = &o->longest;

	o->binding = frames_binding(f, t->stack);
	o->reason = slow_main_reason(t);
	o->did = (struct frames_function){ UINT32_MAX, UINT32_MAX };
	o->by = HISTORY_NONE;
	o->rival.thread = HISTORY_NONE;
	if (o->reason == RECORDING_REASON_IO)
		find_rival(o, h, f);
	else if (o->reason == RECORDING_REASON_RUNNABLE)
		history_waited(h, t->thread, t->begin_ns, t->end_ns, &o->by);
	else if (o->reason == RECORDING_REASON_MMAP_LOCK || o->reason == RECORDING_REASON_OTHER)
		find_cause(o, h, f);
}

void outliers_find(struct outliers *all, const struct slow *slow, const struct history *h, struct cause_frames *f,
		   findings_roles *roles, const void *argument)
{
	struct outlier_maker m = { .all = all,
				   .h = h,
				   .f = f,
				   .functions = xcalloc(f->stacks->count + 1, sizeof(*m.functions)),
				   .known = xcalloc(f->stacks->count + 1, sizeof(*m.known)) };

	for (size_t i = 0; i < slow->count; i++) {
		if (roles(&h->threads[slow->items[i].thread], argument) & FINDING_VICTIM)
			add(&m, &slow->items[i]);
	}
	if (all->count)
		qsort(all->items, all->count, sizeof(*all->items), by_length);
	for (size_t i = 0; i < all->count && i < OUTLIERS_EXPLAINED; i++)
		explain(&all->items[i], h, f);
	free(m.functions);
	free(m.known);
	map_free(&m.kinds);
	map_free(&m.groups);
}

void outliers_free(struct outliers *all)
{
	if (all)
		free(all->items);
}
