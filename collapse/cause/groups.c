#include "collapse/cause/groups.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/sorted.h"

static struct group *groups_find(struct groups *all, const struct group_key *key)
{
	uint32_t *number = map_at(&all->by_key, key->guilty,
				  (uint32_t)key->wish << 16 | (uint32_t)key->kind << 8 | (uint32_t)key->wait);

	if (!*number) {
		all->items = xgrow(all->items, &all->cap, all->count + 1, sizeof(*all->items));
		all->items[all->count++] = (struct group){ .key = *key };
		*number = (uint32_t)all->count;
	}
	all->latest = *number - 1;
	return &all->items[*number - 1];
}

enum { FEW_SHARES = 16 }; /* are searched from their start */

static struct finding_share *find_share(const struct group_shares *l, uint32_t thread)
{
	uint32_t number = map_get(&l->numbers, thread, 0);

	for (size_t i = 0; l->count <= FEW_SHARES && i < l->count; i++) {
		if (l->items[i].thread == thread)
			return &l->items[i];
	}
	return number ? &l->items[number - 1] : NULL;
}

static struct finding_share *new_share(struct group_shares *l, uint32_t thread)
{
	l->items = xgrow(l->items, &l->cap, l->count + 1, sizeof(*l->items));
	l->items[l->count++] = (struct finding_share){ thread, 0 };
	for (size_t i = l->count == FEW_SHARES + 1 ? 0 : l->count - 1; l->count > FEW_SHARES && i < l->count; i++)
		*map_at(&l->numbers, l->items[i].thread, 0) = (uint32_t)i + 1;
	return &l->items[l->count - 1];
}

void group_share_add(struct group_shares *l, uint32_t thread, uint64_t ns)
{
	struct finding_share *share = find_share(l, thread);

	if (!share)
		share = new_share(l, thread);
	share->ns += ns;
}

static void groups_add_shares(struct group_shares *l, const struct group_shares *more)
{
	for (size_t i = 0; i < more->count; i++)
		group_share_add(l, more->items[i].thread, more->items[i].ns);
}

uint32_t group_largest(const struct group_shares *l)
{
	const struct finding_share *best = NULL;

	for (size_t i = 0; i < l->count; i++) {
		if (!best || l->items[i].ns > best->ns)
			best = &l->items[i];
	}
	return best ? best->thread : HISTORY_NONE;
}

static void groups_add_window(struct group *g, struct finding_stretch w)
{
	g->windows = xgrow(g->windows, &g->window_cap, g->window_count + 1, sizeof(*g->windows));
	g->windows[g->window_count++] = w;
}

/* Count the span as a new wait, unless it continues the previous one. */
static void groups_add_part(struct group *g, const struct history_span *wait, size_t whole)
{
	if (!whole || whole != g->whole) {
		g->count++;
		g->whole_ns = 0;
		g->whole_at_ns = wait->begin_ns;
	}
	g->whole = whole;
	g->whole_ns += history_length(wait);
}

void groups_add(struct groups *all, const struct group_key *key, const struct history_span *wait, const struct cause *c,
		size_t whole)
{
	struct group *g = groups_find(all, key);
	uint64_t ns = history_length(wait);
	bool first = !g->count;

	groups_add_part(g, wait, whole);
	if (first || g->whole_ns > g->longest_ns) {
		g->longest_ns = g->whole_ns;
		g->longest_at_ns = g->whole_at_ns;
		g->longest = *c;
		g->longest_victim = wait->thread;
		g->site_stack = wait->stack;
	}
	g->total_ns += ns;
	g->ran_ns += c->ran_ns;
	g->ready_ns += c->ready_ns;
	g->throttled_ns += c->throttled_ns;
	group_share_add(&g->victims, wait->thread, ns);
	if (c->guilty != HISTORY_NONE)
		group_share_add(&g->guilty, c->guilty, ns);
	if (c->by != HISTORY_NONE)
		group_share_add(&g->by, c->by, c->ready_ns);
	groups_add_window(g, (struct finding_stretch){ c->from_ns, c->to_ns });
}

void group_merge(struct group *a, struct group *b)
{
	if (b->longest_ns > a->longest_ns) {
		a->longest_ns = b->longest_ns;
		a->longest_at_ns = b->longest_at_ns;
		a->longest = b->longest;
		a->longest_victim = b->longest_victim;
		a->site_stack = b->site_stack;
	}
	a->count += b->count;
	a->total_ns += b->total_ns;
	a->ran_ns += b->ran_ns;
	a->ready_ns += b->ready_ns;
	a->throttled_ns += b->throttled_ns;
	groups_add_shares(&a->victims, &b->victims);
	groups_add_shares(&a->guilty, &b->guilty);
	groups_add_shares(&a->by, &b->by);
	for (size_t i = 0; i < b->window_count; i++)
		groups_add_window(a, b->windows[i]);
	b->merged = true;
}

SORT_BY(groups_by_begin, struct finding_stretch, from_ns);

void group_sort(struct group *g)
{
	size_t kept = 0;

	qsort(g->windows, g->window_count, sizeof(*g->windows), groups_by_begin);
	for (size_t i = 1; i < g->window_count; i++) {
		struct finding_stretch *last = &g->windows[kept];

		if (g->windows[i].from_ns > last->to_ns + GROUP_PAUSE_NS)
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

void group_shares_free(struct group_shares *l)
{
	free(l->items);
	map_free(&l->numbers);
}

void groups_free(struct groups *all)
{
	for (size_t i = 0; i < all->count; i++) {
		group_shares_free(&all->items[i].victims);
		group_shares_free(&all->items[i].guilty);
		group_shares_free(&all->items[i].by);
		group_shares_free(&all->items[i].thieves);
		free(all->items[i].windows);
	}
	free(all->items);
	map_free(&all->by_key);
}
