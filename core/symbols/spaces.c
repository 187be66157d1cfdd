#include "core/symbols/spaces.h"

#include <stdlib.h>

#include "core/hash.h"
#include "core/memory.h"

enum { MAX_FORK_DEPTH = 64 }; /* of parents searched: hostile files have loops */

static struct space **find_slot(struct space **slots, size_t slot_count, int pid)
{
	size_t i = hash_mix((uint32_t)pid, 0) & (slot_count - 1);

	while (slots[i] && slots[i]->pid != pid)
		i = (i + 1) & (slot_count - 1);
	return &slots[i];
}

static void grow_slots(struct spaces *s)
{
	size_t count = s->slot_count ? s->slot_count * 2 : 64;
	struct space **slots = xcalloc(count, sizeof(*slots));

	for (size_t i = 0; i < s->slot_count; i++) {
		if (s->slots[i])
			*find_slot(slots, count, s->slots[i]->pid) = s->slots[i];
	}
	free(s->slots);
	s->slots = slots;
	s->slot_count = count;
}

/* A new space for pid, which hides the one before from time_ns on. */
static struct space *add_space(struct spaces *s, int pid, uint64_t time_ns)
{
	struct space *space = arena_alloc(&s->arena, sizeof(*space)), **slot;

	if (s->pid_count * 2 >= s->slot_count)
		grow_slots(s);
	slot = find_slot(s->slots, s->slot_count, pid);
	*space = (struct space){ .pid = pid, .from_ns = time_ns, .older = *slot };
	s->pid_count += !*slot;
	*slot = space;
	s->all = xgrow(s->all, &s->all_cap, s->all_count + 1, sizeof(*s->all));
	s->all[s->all_count++] = space;
	return space;
}

struct space *spaces_find(struct spaces *s, int pid, uint64_t time_ns)
{
	struct space *space = s->slot_count ? *find_slot(s->slots, s->slot_count, pid) : NULL;

	if (!space)
		return add_space(s, pid, 0);
	while (space->from_ns > time_ns && space->older)
		space = space->older;
	return space;
}

void spaces_map(struct spaces *s, int pid, uint64_t time_ns, uint64_t start, uint64_t len,
		uint64_t offset, uint32_t module)
{
	struct space *space = spaces_find(s, pid, time_ns);

	if (!len || start + len < start)
		return;
	space->mappings = xgrow(space->mappings, &space->cap, space->count + 1,
				sizeof(*space->mappings));
	space->mappings[space->count++] = (struct mapping){
		.start = start, .end = start + len, .offset = offset, .from_ns = time_ns, .module = module
	};
	space->sorted = false;
}

void spaces_fork(struct spaces *s, int pid, int parent_pid, uint64_t time_ns)
{
	struct space *parent;

	if (pid == parent_pid) /* a thread */
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

static int by_start(const void *a, const void *b)
{
	const struct mapping *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->from_ns < y->from_ns ? -1 : x->from_ns > y->from_ns;
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static bool same_place(const struct mapping *a, const struct mapping *b)
{
	return a->start == b->start && a->end == b->end && a->offset == b->offset &&
	       a->module == b->module;
}

/* Sort, and drop what was only said again (a synthesised record and the real one). */
static void sort_mappings(struct space *space)
{
	size_t kept = 0;

	if (space->count)
		qsort(space->mappings, space->count, sizeof(*space->mappings), by_start);
	for (size_t i = 0; i < space->count; i++) {
		if (!kept || !same_place(&space->mappings[kept - 1], &space->mappings[i]))
			space->mappings[kept++] = space->mappings[i];
	}
	space->count = kept;
}

/* Where mappings overlap, time decides.  Note each time at which one of them came. */
static void find_overlaps(struct space *space)
{
	uint64_t end = 0;
	size_t n = 0;

	space->max_end = xmalloc(space->count * sizeof(*space->max_end));
	space->changes_ns = xmalloc(space->count * sizeof(*space->changes_ns));
	for (size_t i = 0; i < space->count; i++) {
		const struct mapping *m = &space->mappings[i];
		bool overlaps = m->start < end ||
				(i + 1 < space->count && m[1].start < m->end);

		if (overlaps)
			space->changes_ns[n++] = m->from_ns;
		end = m->end > end ? m->end : end;
		space->max_end[i] = end;
	}
	space->change_count = n;
	if (n) {
		qsort(space->changes_ns, n, sizeof(*space->changes_ns), by_number);
		return;
	}
	free(space->max_end);
	free(space->changes_ns);
	space->max_end = space->changes_ns = NULL;
}

static void prepare(struct space *space)
{
	if (space->sorted)
		return;
	free(space->max_end);
	free(space->changes_ns);
	sort_mappings(space);
	find_overlaps(space);
	space->sorted = true;
}

uint32_t space_context(struct spaces *s, struct space *space, uint64_t time_ns)
{
	size_t low = 0, high;

	prepare(space);
	if (!space->first_context) {
		space->first_context = s->next_context + 1;
		s->next_context += (uint32_t)space->change_count + 1;
	}
	for (high = space->change_count; low < high;) {
		size_t middle = (low + high) / 2;

		if (space->changes_ns[middle] <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return space->first_context + (uint32_t)low;
}

/* The newest mapping that holds address at time_ns, among mappings[0..last]. */
static const struct mapping *newest(const struct space *space, size_t last, uint64_t address,
				    uint64_t time_ns)
{
	const struct mapping *best = NULL;

	for (size_t i = last + 1; i-- > 0 && space->max_end[i] > address;) {
		const struct mapping *m = &space->mappings[i];

		if (address < m->end && m->from_ns <= time_ns && (!best || m->from_ns > best->from_ns))
			best = m;
	}
	return best;
}

static const struct mapping *own_mapping(struct space *space, uint64_t address, uint64_t time_ns)
{
	size_t low = 0, high;

	prepare(space);
	for (high = space->count; low < high;) { /* first one that starts after address */
		size_t middle = (low + high) / 2;

		if (space->mappings[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	if (space->max_end)
		return newest(space, low - 1, address, time_ns);
	return address < space->mappings[low - 1].end ? &space->mappings[low - 1] : NULL;
}

const struct mapping *space_lookup(struct space *space, uint64_t address, uint64_t time_ns)
{
	for (int depth = 0; space && depth < MAX_FORK_DEPTH; depth++) {
		const struct mapping *m = own_mapping(space, address, time_ns);

		if (m)
			return m;
		if (time_ns > space->from_ns)
			time_ns = space->from_ns; /* as the parent was at the fork */
		space = space->parent;
	}
	return NULL;
}

void spaces_free(struct spaces *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->all_count; i++) {
		free(s->all[i]->mappings);
		free(s->all[i]->max_end);
		free(s->all[i]->changes_ns);
	}
	free(s->all);
	free(s->slots);
	arena_free(&s->arena);
	*s = (struct spaces){0};
}
