#include "collapse/cause/groups.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/sorted.h"

static struct group *find(struct groups *all, const struct group_key *key)
{
	uint64_t a = (uint64_t)key->guilty << 32 | key->by;
	uint32_t *number = map_at(&all->by_key, a, (uint32_t)key->kind << 8 | (uint32_t)key->wait);

	if (!*number) {
		all->items = xgrow(all->items, &all->cap, all->count + 1, sizeof(*all->items));
		all->items[all->count++] = (struct group){ .key = *key };
		*number = (uint32_t)all->count;
	}
	all->latest = *number - 1;
	return &all->items[*number - 1];
}

static void add_victim(struct group *g, uint32_t thread, uint64_t ns)
{
	size_t i = 0;

	while (i < g->victim_count && g->victims[i].thread != thread)
		i++;
	if (i == g->victim_count) {
		g->victims = xgrow(g->victims, &g->victim_cap, i + 1, sizeof(*g->victims));
		g->victims[g->victim_count++] = (struct finding_victim){ thread, 0 };
	}
	g->victims[i].ns += ns;
}

void groups_add(struct groups *all, const struct group_key *key, const struct history_span *wait, const struct cause *c)
{
	struct group *g = find(all, key);
	uint64_t ns = wait->end_ns - wait->begin_ns;

	if (!g->count++ || ns > g->longest_ns) {
		g->longest_ns = ns;
		g->longest_at_ns = wait->begin_ns;
		g->longest = *c;
		g->longest_victim = wait->thread;
		g->site_stack = wait->stack;
	}
	g->total_ns += ns;
	add_victim(g, wait->thread, ns);
	g->windows = xgrow(g->windows, &g->window_cap, g->window_count + 1, sizeof(*g->windows));
	g->windows[g->window_count++] = (struct group_window){ c->from_ns, c->to_ns };
}

SORT_BY(by_begin, struct group_window, from_ns);

void group_sort(struct group *g)
{
	size_t kept = 0;

	qsort(g->windows, g->window_count, sizeof(*g->windows), by_begin);
	for (size_t i = 1; i < g->window_count; i++) {
		struct group_window *last = &g->windows[kept];

		if (g->windows[i].from_ns > last->to_ns)
			g->windows[++kept] = g->windows[i];
		else if (g->windows[i].to_ns > last->to_ns)
			last->to_ns = g->windows[i].to_ns;
	}
	g->window_count = kept + 1;
}

bool group_covers(const struct group *g, uint64_t ns)
{
	size_t i = FIRST_NOT(at, g->window_count, g->windows[at].to_ns <= ns);

	return i < g->window_count && g->windows[i].from_ns <= ns;
}

void groups_free(struct groups *all)
{
	for (size_t i = 0; i < all->count; i++) {
		free(all->items[i].victims);
		free(all->items[i].windows);
	}
	free(all->items);
	map_free(&all->by_key);
}
