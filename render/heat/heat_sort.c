/* Sorts events by time.  Most inputs are already sorted, or a few sorted files in sequence: sorted runs are
 * found, and merged in pairs.  Events that are only a little out of order (CPUs that report in turn) are sorted
 * within their run. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "render/heat/heat_parts.h"

enum { NEAR = 64 }; /* how far back an event may be moved without a new run */

struct sorted_events {
	uint64_t *time_ns, *value;
	uint32_t *stack;
};

static bool heat_sort_is_before(const struct sorted_events *a, size_t i, const struct sorted_events *b, size_t j)
{
	if (a->time_ns[i] != b->time_ns[j])
		return a->time_ns[i] < b->time_ns[j];
	return a->stack[i] < b->stack[j];
}

static void heat_sort_copy(struct sorted_events *to, size_t j, const struct sorted_events *from, size_t i, size_t count)
{
	memcpy(to->time_ns + j, from->time_ns + i, count * sizeof(*to->time_ns));
	memcpy(to->stack + j, from->stack + i, count * sizeof(*to->stack));
	if (to->value)
		memcpy(to->value + j, from->value + i, count * sizeof(*to->value));
}

/* Move event i back to its place in first .. i, if that is near. */
static bool put_back(struct sorted_events *e, size_t first, size_t i)
{
	uint64_t time_ns = e->time_ns[i], value = e->value ? e->value[i] : 0;
	uint32_t stack = e->stack[i];
	size_t to = i;

	while (to > first && heat_sort_is_before(e, i, e, to - 1)) {
		if (i - --to > NEAR)
			return false;
	}
	memmove(e->time_ns + to + 1, e->time_ns + to, (i - to) * sizeof(*e->time_ns));
	memmove(e->stack + to + 1, e->stack + to, (i - to) * sizeof(*e->stack));
	e->time_ns[to] = time_ns;
	e->stack[to] = stack;
	if (e->value) {
		memmove(e->value + to + 1, e->value + to, (i - to) * sizeof(*e->value));
		e->value[to] = value;
	}
	return true;
}

/* Find where runs begin; the last item is count. */
static size_t *heat_sort_find_runs(struct sorted_events *e, size_t count, size_t *run_count)
{
	size_t *starts = NULL, cap = 0, n = 0, first = 0;

	for (size_t i = 1; i < count; i++) {
		if (!heat_sort_is_before(e, i, e, i - 1) || put_back(e, first, i))
			continue;
		starts = xgrow(starts, &cap, n + 1, sizeof(*starts));
		starts[n++] = first;
		first = i;
	}
	starts = xgrow(starts, &cap, n + 2, sizeof(*starts));
	starts[n++] = first;
	starts[n] = count;
	*run_count = n;
	return starts;
}

/* Merge from[a..b) and from[b..end) into to[a..end). */
static void heat_sort_merge(struct sorted_events *to, const struct sorted_events *from, size_t a, size_t b, size_t end)
{
	size_t i = a, j = b, at = a;

	while (i < b && j < end) {
		size_t next = heat_sort_is_before(from, j, from, i) ? j++ : i++;

		to->time_ns[at] = from->time_ns[next];
		to->stack[at] = from->stack[next];
		if (to->value)
			to->value[at] = from->value[next];
		at++;
	}
	heat_sort_copy(to, at, from, i, b - i);
	heat_sort_copy(to, at + b - i, from, j, end - j);
}

/* Merge each pair of runs of from into to.  Returns how many runs there are then. */
static size_t merge_pairs(struct sorted_events *to, const struct sorted_events *from, size_t *starts, size_t runs)
{
	size_t left = 0, end = starts[runs];

	for (size_t r = 0; r < runs; r += 2) {
		size_t a = starts[r], b = starts[r + 1];

		if (r + 1 < runs)
			heat_sort_merge(to, from, a, b, starts[r + 2]);
		else
			heat_sort_copy(to, a, from, a, b - a);
		starts[left++] = a;
	}
	starts[left] = end;
	return left;
}

void heat_sort(uint64_t *time_ns, uint32_t *stack, uint64_t *value, size_t count)
{
	struct sorted_events e = { time_ns, value, stack }, other = { 0 }, swap;
	size_t runs, *starts = heat_sort_find_runs(&e, count, &runs);

	if (runs > 1) {
		other.time_ns = xmalloc(count * sizeof(*other.time_ns));
		other.stack = xmalloc(count * sizeof(*other.stack));
		other.value = value ? xmalloc(count * sizeof(*other.value)) : NULL;
	}
	while (runs > 1) {
		runs = merge_pairs(&other, &e, starts, runs);
		swap = e;
		e = other;
		other = swap;
	}
	if (e.time_ns != time_ns) {
		heat_sort_copy(&other, 0, &e, 0, count);
		other = e;
	}
	free(other.time_ns);
	free(other.stack);
	free(other.value);
	free(starts);
}
