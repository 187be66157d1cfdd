#include "collapse/cause/outliers.h"

#include <stdlib.h>

#include "collapse/cause/block_wait.h"
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
	const struct slow *slow;
	struct map kinds, groups;
};

/* ---- which count ------------------------------------------------------------------------- */

/* Was most of its time lost to a device, the wait for a CPU, or memory? */
static bool outliers_is_held_up(const struct slow_thing *t)
{
	return slow_main_reason(t) != RECORDING_REASON_OTHER;
}

/* Could the thread have waited because it was idle, or because something outside this machine was late?  That is usual
 * for calls and futexes: they count only if their names show a wait for a lock or a device, or if something else held
 * them up. */
static bool outliers_is_idle(struct cause_frames *f, const struct slow_thing *t)
{
	if (t->kind == SLOW_FAULT || t->kind == SLOW_REQUEST || outliers_is_held_up(t) ||
	    (t->kind == SLOW_LOCK && (t->what & RECORDING_LOCK_KIND) != RECORDING_LOCK_FUTEX))
		return false;
	switch (frames_wait_kind(f, t->stack)) {
	case WAIT_LOCK:
	case WAIT_GIL:
	case WAIT_IO:
	case WAIT_FAULT: return false;
	default: return true;
	}
}

static bool is_in(const struct slow_thing *inner, const struct slow_thing *outer)
{
	return inner->thread == outer->thread && inner->begin_ns >= outer->begin_ns && inner->end_ns <= outer->end_ns &&
	       inner != outer;
}

static bool is_most_of(const struct slow_thing *inner, const struct slow_thing *outer)
{
	return is_in(inner, outer) && inner->kind != outer->kind && slow_length(inner) * 2 >= slow_length(outer);
}

enum { LOOK_BACK = 64 };

/* Does it make up most of another outlier that counts?  An enclosing outlier begins earlier, so it comes earlier in the
 * list. */
static bool outliers_is_part(const struct outlier_maker *m, size_t i)
{
	const struct slow_thing *t = &m->slow->items[i];

	for (size_t k = i, looked = 0; k > 0 && looked < LOOK_BACK; looked++) {
		const struct slow_thing *outer = &m->slow->items[--k];

		if (outer->thread != t->thread)
			return false;
		if (is_most_of(t, outer) && !outliers_is_idle(m->f, outer))
			return true;
	}
	return false;
}

/* ---- those that are left out ------------------------------------------------------------- */

static void outliers_leave(struct outliers_left *left, const struct slow_thing *t)
{
	if (!left->count++ || slow_length(t) > slow_length(&left->longest))
		left->longest = *t;
}

/* Count the outlier, unless it is part of one that was counted. */
static void outliers_leave_out(struct outlier_maker *m, size_t i)
{
	const struct slow_thing *t = &m->slow->items[i];
	const struct history_span *block;

	for (size_t k = i, looked = 0; k > 0 && looked < LOOK_BACK; looked++) {
		if (m->slow->items[--k].thread != t->thread)
			break;
		if (is_in(t, &m->slow->items[k]))
			return;
	}
	outliers_leave(&m->all->left, t);
	block = history_block(m->h, t->thread, t->begin_ns, t->end_ns);
	if (block && history_overlap(block, t->begin_ns, t->end_ns) * 2 > slow_length(t) &&
	    block_timed_out(m->f, block->stack))
		outliers_leave(&m->all->timed_out, t);
}

/* ---- those alike ------------------------------------------------------------------------- */

static struct frames_function outliers_function_of(struct outlier_maker *m, uint32_t stack)
{
	if (!m->known[stack]) {
		m->known[stack] = true;
		m->functions[stack] = frames_function(m->f, stack);
	}
	return m->functions[stack];
}

/* The group that has things alike. */
static struct outlier *outliers_group_of(struct outlier_maker *m, const struct slow_thing *t)
{
	struct frames_function function = outliers_function_of(m, t->stack);
	uint64_t names = (uint64_t)function.text << 32 | function.caller;
	uint32_t *kind = map_at(&m->kinds, names, m->h->threads[t->thread].process);
	uint32_t *group;

	if (!*kind)
		*kind = (uint32_t)m->kinds.count;
	group = map_at(&m->groups, (uint64_t)*kind << 32 | (uint32_t)t->file,
		       t->kind == SLOW_FAULT ? 0 : (uint32_t)t->what << 2 | t->kind);
	if (!*group) {
		struct outliers *all = m->all;

		all->items = xgrow(all->items, &all->cap, all->count + 1, sizeof(*all->items));
		all->items[all->count++] = (struct outlier){ .longest = *t, .function = function };
		*group = (uint32_t)all->count;
	}
	return &m->all->items[*group - 1];
}

static void outliers_add(struct outlier_maker *m, const struct slow_thing *t)
{
	struct outlier *o = outliers_group_of(m, t);

	if (slow_length(t) > slow_length(&o->longest))
		o->longest = *t;
	o->count++;
	o->total_ns += slow_length(t);
}

static int outliers_by_length(const void *a, const void *b)
{
	const struct outlier *x = a, *y = b;

	return ORDER(slow_length(&y->longest), slow_length(&x->longest)) ?:
	       ORDER(x->longest.begin_ns, y->longest.begin_ns) ?: ORDER(x->longest.thread, y->longest.thread);
}

/* ---- what made it slow ------------------------------------------------------------------- */

struct device_rival device_rival_find(const struct history *h, struct cause_frames *f, uint32_t thread,
				      const struct finding *finding, uint64_t from_ns, uint64_t to_ns)
{
	struct device_rival best = { .thread = HISTORY_NONE }, one = best;
	uint64_t longest = 0;

	for (size_t i = 0; i < h->blocks.count; i++) {
		const struct history_span *b = &h->blocks.items[i];
		uint64_t ns = history_overlap(b, from_ns, to_ns);

		if (!ns || b->thread == thread || h->threads[b->thread].recorder || !cause_is_device(f, b) ||
		    (finding && finding_has_victim(finding, b->thread)))
			continue;
		if (b->thread != one.thread) {
			one = (struct device_rival){ .thread = b->thread, .stack = b->stack };
			longest = 0;
		}
		one.ns += ns;
		if (ns > longest) {
			longest = ns;
			one.stack = b->stack;
		}
		if (one.ns > best.ns)
			best = one;
	}
	return best;
}

static void find_rival(struct outlier *o, const struct history *h, struct cause_frames *f)
{
	const struct slow_thing *t = &o->longest;
	struct device_rival found = device_rival_find(h, f, t->thread, NULL, t->begin_ns, t->end_ns);

	if (found.thread == HISTORY_NONE || found.ns * 4 < slow_length(t))
		return;
	o->rival.thread = found.thread;
	o->rival.stack = found.stack;
	o->rival.ns = found.ns;
	o->did = frames_function(f, found.stack);
}

/* Requests to devices are recorded one by one: which threads had some at the same time? */
static bool find_requests(struct outlier *o, const struct slow *slow, struct cause_frames *f)
{
	const struct slow_thing *t = &o->longest;
	size_t count = 0;

	for (size_t i = 0; i < slow->count; i++) {
		const struct slow_thing *r = &slow->items[i];
		uint32_t thread = r->other != HISTORY_NONE ? r->other : r->thread;

		if (r->kind != SLOW_REQUEST || thread == t->thread || r->thread == t->thread ||
		    r->end_ns <= t->begin_ns || r->begin_ns >= t->end_ns ||
		    (t->kind == SLOW_REQUEST && t->device != r->device))
			continue;
		if (!count++ || slow_length(r) > slow_length(&o->rival.request)) {
			o->rival.request = *r;
			o->rival.thread = thread;
		}
	}
	o->rival.requests = count;
	if (count)
		o->did = frames_function(f, o->rival.request.stack);
	return count;
}

/* Find the events that make up most of the outlier, from the outside in: these follow it in the list. */
static void find_inner(struct outlier *o, const struct slow *slow)
{
	const struct slow_thing *outer = &o->longest;
	size_t i = FIRST_NOT(at, slow->count,
			     slow->items[at].thread < outer->thread || (slow->items[at].thread == outer->thread &&
									slow->items[at].begin_ns < outer->begin_ns));

	for (; i < slow->count && o->inner_count < OUTLIER_INNER; i++) {
		const struct slow_thing *t = &slow->items[i];

		if (t->thread != outer->thread || t->begin_ns >= outer->end_ns)
			break;
		if (is_most_of(t, outer)) {
			o->inner[o->inner_count++] = *t;
			outer = &o->inner[o->inner_count - 1];
		}
	}
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

static void outliers_explain(struct outlier *o, const struct slow *slow, const struct history *h,
			     struct cause_frames *f)
{
	const struct slow_thing *t = &o->longest;
	bool device;

	o->binding = frames_binding(f, t->stack);
	o->reason = slow_main_reason(t);
	o->did = (struct frames_function){ UINT32_MAX, UINT32_MAX };
	o->by = HISTORY_NONE;
	o->rival.thread = HISTORY_NONE;
	device = o->reason == RECORDING_REASON_IO || o->reason == RECORDING_REASON_QUEUE ||
		 o->reason == RECORDING_REASON_DEVICE;
	find_inner(o, slow);
	if (t->kind == SLOW_LOCK && t->other != HISTORY_NONE)
		o->did = frames_function(f, t->stack | FRAMES_OF_WAKER);
	else if (device && !find_requests(o, slow, f))
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
				   .slow = slow,
				   .functions = xcalloc(f->stacks->count + 1, sizeof(*m.functions)),
				   .known = xcalloc(f->stacks->count + 1, sizeof(*m.known)) };

	for (size_t i = 0; i < slow->count; i++) {
		const struct slow_thing *t = &slow->items[i];

		if (t->unasked || !(roles(&h->threads[t->thread], argument) & FINDING_VICTIM))
			continue;
		if (outliers_is_idle(f, t))
			outliers_leave_out(&m, i);
		else if (!outliers_is_part(&m, i))
			outliers_add(&m, t);
	}
	if (all->count)
		qsort(all->items, all->count, sizeof(*all->items), outliers_by_length);
	for (size_t i = 0; i < all->count && i < OUTLIERS_EXPLAINED; i++)
		outliers_explain(&all->items[i], slow, h, f);
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
