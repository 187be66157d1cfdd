#include "core/symbols/space/spaces.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/sorted.h"
#include "core/symbols/space/overlaps.h"

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
		space->always = arena_alloc(&s->arena, sizeof(*space->always));
		*space->always = (struct mapping){ 0 };
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
	s->reach.known = false;
	*spaces_find(s, pid, 0)->always = (struct mapping){
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

/* At most so many mappings are looked at for an address without a tree. */
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

/* The mapping of address in this space itself.  Of overlapping mappings, a later one does not exist yet. */
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

	if (space && address - space->always->start < space->always->end - space->always->start)
		return space->always;
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
	size_t count = s->all_count, kept = 0; /* one for each that is always there */

	for (size_t i = 0; i < s->all_count; i++)
		count += s->all[i]->mappings.count + s->all[i]->code.count;
	free(r->items);
	*r = (struct reach){ .items = xmalloc(count * sizeof(*r->items)), .known = true };
	for (size_t i = 0; i < s->all_count; i++) {
		const struct space *space = s->all[i];

		r->count += add_stretches(r->items + r->count, space->always, 1);
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
