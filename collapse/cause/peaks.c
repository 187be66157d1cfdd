#include "collapse/cause/peaks.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sorted.h"

void lane_samples_add(struct lane_samples *all, const struct recorded_sample *s, uint64_t time_ns)
{
	if (s->lane < 0)
		return;
	all->items = xgrow(all->items, &all->cap, all->count + 1, sizeof(*all->items));
	all->items[all->count++] = (struct lane_sample){ (uint32_t)s->lane, time_ns, s->period };
}

static int peaks_by_lane_and_time(const void *a, const void *b)
{
	const struct lane_sample *x = a, *y = b;

	return ORDER(x->lane, y->lane) ?: ORDER(x->time_ns, y->time_ns) ?: ORDER(x->value, y->value);
}

void lane_samples_sort(struct lane_samples *all)
{
	if (all->count)
		qsort(all->items, all->count, sizeof(*all->items), peaks_by_lane_and_time);
}

static bool peaks_ends_with(const struct lane_name *n, const char *word)
{
	size_t len = strlen(word);

	return n->len >= len && !memcmp(n->name + n->len - len, word, len);
}

/* Little of these is what hurts. */
static bool is_low(const struct lane_names *names, uint32_t lane)
{
	return lane < names->count &&
	       (peaks_ends_with(&names->list[lane], ";free") || peaks_ends_with(&names->list[lane], ";available") ||
		peaks_ends_with(&names->list[lane], ";page-cache"));
}

/* A limit does not peak. */
static bool is_limit(const struct lane_names *names, uint32_t lane)
{
	return lane < names->count && peaks_ends_with(&names->list[lane], ";limit");
}

/* Values of one lane: count of them, in the order of time. */
struct course {
	const struct lane_sample *values;
	size_t count;
};

/* The worst value between from_ns and to_ns; the value at from_ns counts, too.  Returns false if there is none. */
static bool worst_in(const struct course *c, uint64_t from_ns, uint64_t to_ns, bool low, uint64_t *worst)
{
	size_t i = FIRST_NOT(at, c->count, c->values[at].time_ns <= from_ns);
	bool found = false;

	for (i -= i > 0; i < c->count && c->values[i].time_ns < to_ns; i++) {
		uint64_t value = c->values[i].value;

		if (!found || (low ? value < *worst : value > *worst))
			*worst = value;
		found = true;
	}
	return found;
}

/* For what part of its time, in thousandths, was the lane within a tenth of its range of that extreme? */
static uint64_t share_near(const struct course *c, const struct peak *p)
{
	uint64_t near = 0, all = 0, tenth = (p->most - p->least) / 10;

	for (size_t i = 0; i + 1 < c->count; i++) {
		uint64_t ns = c->values[i + 1].time_ns - c->values[i].time_ns, value = c->values[i].value;

		all += ns;
		near += (p->low ? value <= p->least + tenth : value >= p->most - tenth) ? ns : 0;
	}
	return all ? near / (all / 1000 + 1) : 1000;
}

static bool is_peak(const struct course *c, struct peak *p, uint64_t from_ns, uint64_t to_ns)
{
	p->least = UINT64_MAX;
	p->most = 0;
	for (size_t i = 0; i < c->count; i++) {
		p->least = c->values[i].value < p->least ? c->values[i].value : p->least;
		p->most = c->values[i].value > p->most ? c->values[i].value : p->most;
	}
	if (p->most == p->least || !worst_in(c, from_ns, to_ns, p->low, &p->value))
		return false;
	if (p->low ? p->value > p->least + (p->most - p->least) / 10 : p->value < p->most - (p->most - p->least) / 10)
		return false;
	return share_near(c, p) < 200;
}

size_t peaks_find(const struct lane_samples *all, const struct lane_names *names, uint64_t from_ns, uint64_t to_ns,
		  struct peak peaks[PEAKS_MAX])
{
	size_t count = 0;

	for (size_t first = 0, end; first < all->count && count < PEAKS_MAX; first = end) {
		uint32_t lane = all->items[first].lane;
		struct peak p = { .lane = lane, .low = is_low(names, lane) };
		struct course c;

		for (end = first + 1; end < all->count && all->items[end].lane == lane;)
			end++;
		c = (struct course){ &all->items[first], end - first };
		if (!is_limit(names, lane) && is_peak(&c, &p, from_ns, to_ns))
			peaks[count++] = p;
	}
	return count;
}

void lane_samples_free(struct lane_samples *all)
{
	if (all)
		free(all->items);
}
