#include "core/symbols/space/spaces.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/sorted.h"

/* --- which of many mappings of the same addresses counts at a time --- */

/* A segment tree: the addresses at which mappings begin or end divide memory into stretches, which are the leaves.  A
 * mapping is noted in the few nodes that together cover it.  For an address, the nodes above its leaf have all its
 * mappings, each node in order of time. */

struct overlaps;

/* Nodes are numbered as in a heap: 1 is the root, 2 * n and 2 * n + 1 are below n, the leaves are leaves to 2 * leaves - 1. */
struct overlaps {
	uint64_t *bounds; /* [bound_count], ascending: leaf i is [bounds[i], bounds[i + 1]) */
	size_t bound_count;
	size_t leaves;    /* a power of two */
	uint32_t *starts; /* [2 * leaves + 1]: where the mappings of a node begin in noted */
	uint32_t *noted;  /* indexes of mappings, of each node in order of time */
};

static void find_bounds(struct overlaps *o, const struct mapping *items, size_t count)
{
	size_t kept = 0;

	o->bounds = xmalloc(2 * count * sizeof(*o->bounds));
	for (size_t i = 0; i < count; i++) {
		o->bounds[2 * i] = items[i].start;
		o->bounds[2 * i + 1] = items[i].end;
	}
	qsort(o->bounds, 2 * count, sizeof(*o->bounds), by_u64);
	for (size_t i = 0; i < 2 * count; i++) {
		if (!kept || o->bounds[kept - 1] != o->bounds[i])
			o->bounds[kept++] = o->bounds[i];
	}
	o->bound_count = kept;
	for (o->leaves = 1; o->leaves < kept;)
		o->leaves *= 2;
}

static size_t overlaps_leaf_of(const struct overlaps *o, uint64_t bound)
{
	return o->leaves + FIRST_NOT(i, o->bound_count, o->bounds[i] < bound);
}

/* Call note for the nodes that together cover the stretches of m. */
static void each_node(struct overlaps *o, const struct mapping *m, uint32_t number,
		      void (*note)(struct overlaps *o, size_t node, uint32_t number))
{
	size_t from = overlaps_leaf_of(o, m->start), to = overlaps_leaf_of(o, m->end);

	for (; from < to; from /= 2, to /= 2) {
		if (from % 2)
			note(o, from++, number);
		if (to % 2)
			note(o, --to, number);
	}
}

static void count_node(struct overlaps *o, size_t node, uint32_t number)
{
	(void)number;
	o->starts[node + 1]++;
}

/* Until all are noted, the start of a node is where its next mapping goes: finally, that is the start of the next
 * node. */
static void note_node(struct overlaps *o, size_t node, uint32_t number)
{
	o->noted[o->starts[node]++] = number;
}

struct moment {
	uint64_t from_ns;
	uint32_t number;
};

static int by_moment(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	return ORDER(x->from_ns, y->from_ns) ?: ORDER(x->number, y->number);
}

/* Build the tree for the mappings items[count], none of them empty. */
static struct overlaps *overlaps_new(const struct mapping *items, size_t count)
{
	struct overlaps *o = xcalloc(1, sizeof(*o));
	struct moment *order = xmalloc(count * sizeof(*order));
	size_t nodes;

	find_bounds(o, items, count);
	nodes = 2 * o->leaves;
	o->starts = xcalloc(nodes + 1, sizeof(*o->starts));
	for (size_t i = 0; i < count; i++) {
		order[i] = (struct moment){ items[i].from_ns, (uint32_t)i };
		each_node(o, &items[i], (uint32_t)i, count_node);
	}
	for (size_t n = 0; n < nodes; n++)
		o->starts[n + 1] += o->starts[n];
	o->noted = xmalloc((o->starts[nodes] + 1) * sizeof(*o->noted));
	qsort(order, count, sizeof(*order), by_moment);
	for (size_t i = 0; i < count; i++)
		each_node(o, &items[order[i].number], order[i].number, note_node);
	for (size_t n = nodes; n > 0; n--)
		o->starts[n] = o->starts[n - 1];
	o->starts[0] = 0;
	free(order);
	return o;
}

/* Is mapping a, a number in items, a better choice for time_ns than mapping b? */
static bool is_preferred(const struct mapping *items, uint32_t a, uint32_t b, uint64_t time_ns)
{
	uint64_t a_ns = items[a].from_ns, b_ns = items[b].from_ns;

	if ((a_ns <= time_ns) != (b_ns <= time_ns))
		return a_ns <= time_ns;
	if (a_ns != b_ns)
		return (a_ns <= time_ns) == (a_ns > b_ns);
	return a > b;
}

/* The best mapping of a node, which has at least one. */
static uint32_t best_of_node(const struct overlaps *o, size_t node, const struct mapping *items, uint64_t time_ns)
{
	const uint32_t *noted = o->noted + o->starts[node];
	size_t count = o->starts[node + 1] - o->starts[node];
	size_t after = FIRST_NOT(i, count, items[noted[i]].from_ns <= time_ns);
	uint64_t first_ns = items[noted[0]].from_ns;

	if (after)
		return noted[after - 1];
	return noted[FIRST_NOT(i, count, items[noted[i]].from_ns <= first_ns) - 1];
}

/* The mapping of address at time_ns: the newest that existed then, else the oldest; of several with the same time, the
 * last one.  items are the mappings of overlaps_new().  NULL: there is none. */
static const struct mapping *overlaps_best(const struct overlaps *o, const struct mapping *items, uint64_t address,
					   uint64_t time_ns)
{
	size_t after = FIRST_NOT(i, o->bound_count, o->bounds[i] <= address);
	const struct mapping *best = NULL;

	if (!after || after == o->bound_count)
		return NULL;
	for (size_t node = o->leaves + after - 1; node; node /= 2) {
		uint32_t number;

		if (o->starts[node] == o->starts[node + 1])
			continue;
		number = best_of_node(o, node, items, time_ns);
		if (!best || is_preferred(items, number, (uint32_t)(best - items), time_ns))
			best = &items[number];
	}
	return best;
}

static void overlaps_free(struct overlaps *o)
{
	if (!o)
		return;
	free(o->bounds);
	free(o->starts);
	free(o->noted);
	free(o);
}

/* --- spaces --- */

enum { MAX_FORK_DEPTH = 64 }; /* number of parents searched: hostile files have loops */

/* Where the space after older jumps to.  "An applicative random-access stack" (Myers 1983): jumps double their width, and
 * any space is found in a number of steps that grows with the logarithm of their number. */
static struct space *jump_of(struct space *older)
{
	struct space *far = older->jump;

	return far && far->jump && older->age - far->age == far->age - far->jump->age ? far->jump : older;
}

/* Add a new space for pid, which hides the one before from time_ns on. */
static struct space *add_space(struct spaces *s, int pid, uint64_t time_ns)
{
	struct space *space = arena_alloc(&s->arena, sizeof(*space)), *older = NULL;
	uint32_t *number = map_at(&s->newest, (uint32_t)pid, 0);

	if (*number)
		older = s->all[*number - 1];
	*space = (struct space){ .pid = pid, .from_ns = time_ns, .older = older, .jump = older };
	if (older) {
		space->always = older->always;
		space->age = older->age + 1;
		space->jump = jump_of(older);
	} else {
		space->always = arena_alloc(&s->arena, ALWAYS_MAX * sizeof(*space->always));
		memset(space->always, 0, ALWAYS_MAX * sizeof(*space->always));
	}
	s->all = xgrow(s->all, &s->all_cap, s->all_count + 1, sizeof(*s->all));
	s->all[s->all_count++] = space;
	*number = (uint32_t)s->all_count;
	return space;
}

struct space *spaces_find(struct spaces *s, int pid, uint64_t time_ns)
{
	uint32_t number = map_get(&s->newest, (uint32_t)pid, 0);
	struct space *space;

	if (!number)
		return add_space(s, pid, 0);
	space = s->all[number - 1];
	while (space->from_ns > time_ns && space->older)
		space = space->jump->from_ns > time_ns ? space->jump : space->older;
	return space;
}

static void spaces_list_add(struct spaces *s, struct mapping_list *list, const struct mapping *m)
{
	if (m->end <= m->start)
		return;
	s->reach.known = false;
	list->items = xgrow(list->items, &list->cap, list->count + 1, sizeof(*list->items));
	list->items[list->count++] = *m;
	list->sorted = false;
}

void spaces_map(struct spaces *s, int pid, uint64_t time_ns, uint64_t start, uint64_t len, uint64_t offset,
		uint32_t module)
{
	const struct mapping m = {
		.start = start, .end = start + len, .offset = offset, .from_ns = time_ns, .module = module
	};

	spaces_list_add(s, &spaces_find(s, pid, time_ns)->mappings, &m);
}

void spaces_map_memory(struct spaces *s, int pid, uint64_t time_ns, uint64_t start, uint64_t len, uint32_t module)
{
	const struct mapping m = { .start = start,
				   .end = start + len,
				   .offset = start,
				   .from_ns = time_ns,
				   .module = module,
				   .memory = true };

	spaces_list_add(s, &spaces_find(s, pid, time_ns)->mappings, &m);
}

void spaces_code(struct spaces *s, int pid, uint64_t time_ns, uint64_t start, uint64_t len, uint64_t offset,
		 uint32_t module)
{
	const struct mapping m = { .start = start,
				   .end = start + len,
				   .offset = offset,
				   .from_ns = time_ns,
				   .module = module,
				   .memory = true };

	spaces_list_add(s, &spaces_find(s, pid, time_ns)->code, &m);
}

void spaces_map_always(struct spaces *s, int pid, uint64_t start, uint64_t len, uint32_t module)
{
	struct mapping *always = spaces_find(s, pid, 0)->always;
	size_t at = 0;

	while (at + 1 < ALWAYS_MAX && always[at].end && always[at].start != start)
		at++;
	s->reach.known = false;
	always[at] = (struct mapping){
		.start = start,
		.end = start + len,
		.offset = start,
		.module = module,
		.memory = true,
	};
}

void spaces_fork(struct spaces *s, int pid, int parent_pid, uint64_t time_ns)
{
	struct space *parent;

	if (pid == parent_pid) /* the fork made a thread, not a process */
		return;
	parent = spaces_find(s, parent_pid, time_ns);
	add_space(s, pid, time_ns)->parent = parent;
}

void spaces_exec(struct spaces *s, int pid, uint64_t time_ns)
{
	struct space *before = spaces_find(s, pid, time_ns);

	/* While the kernel still loads the program, the user stack is the caller's. */
	add_space(s, pid, time_ns)->parent = before;
}

static int spaces_by_start(const void *a, const void *b)
{
	const struct mapping *x = a, *y = b;

	return ORDER(x->start, y->start) ?: ORDER(x->from_ns, y->from_ns);
}

static bool spaces_same_place(const struct mapping *a, const struct mapping *b)
{
	return a->start == b->start && a->end == b->end && a->offset == b->offset && a->module == b->module;
}

/* Drop duplicates (a synthesised record and the real one). */
static void spaces_drop_repeated(struct mapping_list *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (!kept || !spaces_same_place(&list->items[kept - 1], &list->items[i]))
			list->items[kept++] = list->items[i];
	}
	list->count = kept;
}

/* Where mappings overlap, time decides: note when each of them begins. */
static void find_overlaps(struct mapping_list *list)
{
	uint64_t end = 0;
	size_t n = 0;

	list->max_end = xmalloc(list->count * sizeof(*list->max_end));
	list->changes_ns = xmalloc(list->count * sizeof(*list->changes_ns));
	for (size_t i = 0; i < list->count; i++) {
		const struct mapping *m = &list->items[i];
		bool overlaps = m->start < end || (i + 1 < list->count && m[1].start < m->end);

		if (overlaps)
			list->changes_ns[n++] = m->from_ns;
		end = m->end > end ? m->end : end;
		list->max_end[i] = end;
	}
	list->change_count = n;
	if (n) {
		qsort(list->changes_ns, n, sizeof(*list->changes_ns), by_u64);
		return;
	}
	free(list->max_end);
	free(list->changes_ns);
	list->max_end = list->changes_ns = NULL;
}

/* How many mappings are searched for an address before a tree is built. */
enum { OVERLAPS_FEW = 64 };

static bool many_overlap(const struct mapping_list *list)
{
	for (size_t i = OVERLAPS_FEW; list->max_end && i < list->count; i++) {
		if (list->max_end[i - OVERLAPS_FEW] > list->items[i].start)
			return true;
	}
	return false;
}

static void list_forget(struct mapping_list *list)
{
	free(list->max_end);
	free(list->changes_ns);
	overlaps_free(list->overlaps);
	list->overlaps = NULL;
}

static void prepare_list(struct mapping_list *list, bool repeats)
{
	if (list->sorted)
		return;
	list_forget(list);
	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items), spaces_by_start);
	if (repeats)
		spaces_drop_repeated(list);
	find_overlaps(list);
	if (many_overlap(list))
		list->overlaps = overlaps_new(list->items, list->count);
	list->sorted = true;
}

static void spaces_prepare_one(struct space *space)
{
	prepare_list(&space->mappings, true);
	prepare_list(&space->code, false); /* code moved away and back is not a duplicate */
}

/* The number of changes up to a time. */
static size_t changes_until(const struct mapping_list *list, uint64_t time_ns)
{
	return FIRST_NOT(i, list->change_count, list->changes_ns[i] <= time_ns);
}

uint32_t space_context(struct spaces *s, struct space *space, uint64_t time_ns)
{
	spaces_prepare_one(space);
	if (!space->first_context) {
		space->first_context = s->next_context + 1;
		s->next_context += (uint32_t)(space->mappings.change_count + space->code.change_count) + 1;
	}
	return space->first_context +
	       (uint32_t)(changes_until(&space->mappings, time_ns) + changes_until(&space->code, time_ns));
}

/* Is m a better choice than best: the newest of those that existed at time_ns, else the
 * oldest? */
static bool spaces_is_better(const struct mapping *m, const struct mapping *best, uint64_t time_ns)
{
	if (!best || (m->from_ns <= time_ns) != (best->from_ns <= time_ns))
		return !best || m->from_ns <= time_ns;
	return m->from_ns <= time_ns ? m->from_ns > best->from_ns : m->from_ns < best->from_ns;
}

/* The best choice among the mappings in items[0..last] that contain address. */
static const struct mapping *best_of(const struct mapping_list *list, size_t last, uint64_t address, uint64_t time_ns)
{
	const struct mapping *best = NULL;

	for (size_t i = last + 1; i-- > 0 && list->max_end[i] > address;) {
		const struct mapping *m = &list->items[i];

		if (address < m->end && spaces_is_better(m, best, time_ns))
			best = m;
	}
	return best;
}

static const struct mapping *list_lookup(const struct mapping_list *list, uint64_t address, uint64_t time_ns)
{
	size_t after = FIRST_NOT(i, list->count, list->items[i].start <= address);

	if (!after)
		return NULL;
	if (list->overlaps)
		return overlaps_best(list->overlaps, list->items, address, time_ns);
	if (list->max_end)
		return best_of(list, after - 1, address, time_ns);
	return address < list->items[after - 1].end ? &list->items[after - 1] : NULL;
}

/* The mapping of address in this space itself.  If mappings overlap, a later one does not exist yet. */
static const struct mapping *own_mapping(const struct space *space, uint64_t address, uint64_t time_ns)
{
	const struct mapping *m = list_lookup(&space->mappings, address, time_ns);

	return m && space->mappings.max_end && m->from_ns > time_ns ? NULL : m;
}

/* Was the space made by a fork?  Only a fork inherits the memory; an exec does not. */
static bool is_forked(const struct space *space)
{
	return space->parent && space->parent->pid != space->pid;
}

const struct mapping *space_lookup(struct space *space, uint64_t address, uint64_t time_ns)
{
	const struct mapping *memory = NULL;

	for (size_t i = 0; space && i < ALWAYS_MAX; i++) {
		if (address - space->always[i].start < space->always[i].end - space->always[i].start)
			return &space->always[i];
	}
	for (int depth = 0; space && depth < MAX_FORK_DEPTH; depth++) {
		const struct mapping *m, *code;

		spaces_prepare_one(space);
		m = own_mapping(space, address, time_ns);
		if (m && !m->memory)
			return memory ? memory : m;
		code = list_lookup(&space->code, address, time_ns);
		if (code)
			return code;
		memory = memory ? memory : m;
		if (memory && !is_forked(space))
			break;
		if (time_ns > space->from_ns)
			time_ns = space->from_ns; /* look at the parent's state at the time of the fork */
		space = space->parent;
	}
	return memory;
}

/* --- what is mapped anywhere ------------------------------------------------------- */

SORT_BY(spaces_by_first, struct stretch_of_memory, start);

static size_t add_stretches(struct stretch_of_memory *to, const struct mapping *mappings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] = (struct stretch_of_memory){ mappings[i].start, mappings[i].end };
	return count;
}

static void find_reach(struct spaces *s)
{
	struct reach *r = &s->reach;
	size_t count = ALWAYS_MAX * s->all_count, kept = 0;

	for (size_t i = 0; i < s->all_count; i++)
		count += s->all[i]->mappings.count + s->all[i]->code.count;
	free(r->items);
	*r = (struct reach){ .items = xmalloc(count * sizeof(*r->items)), .known = true };
	for (size_t i = 0; i < s->all_count; i++) {
		const struct space *space = s->all[i];

		r->count += add_stretches(r->items + r->count, space->always, ALWAYS_MAX);
		r->count += add_stretches(r->items + r->count, space->mappings.items, space->mappings.count);
		r->count += add_stretches(r->items + r->count, space->code.items, space->code.count);
	}
	if (r->count)
		qsort(r->items, r->count, sizeof(*r->items), spaces_by_first);
	for (size_t i = 0; i < r->count; i++) {
		if (!kept || r->items[i].start > r->items[kept - 1].end)
			r->items[kept++] = r->items[i];
		else if (r->items[i].end > r->items[kept - 1].end)
			r->items[kept - 1].end = r->items[i].end;
	}
	r->count = kept;
}

bool spaces_reach(struct spaces *s, uint64_t address)
{
	size_t after;

	if (!s->reach.known)
		find_reach(s);
	after = FIRST_NOT(i, s->reach.count, s->reach.items[i].start <= address);
	return after && address < s->reach.items[after - 1].end;
}

void spaces_prepare(struct spaces *s)
{
	for (size_t i = 0; i < s->all_count; i++)
		spaces_prepare_one(s->all[i]);
	if (!s->reach.known)
		find_reach(s);
}

static void spaces_list_free(struct mapping_list *list)
{
	free(list->items);
	list_forget(list);
}

void spaces_free(struct spaces *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->all_count; i++) {
		spaces_list_free(&s->all[i]->mappings);
		spaces_list_free(&s->all[i]->code);
	}
	free(s->all);
	free(s->reach.items);
	map_free(&s->newest);
	arena_free(&s->arena);
	*s = (struct spaces){ 0 };
}
