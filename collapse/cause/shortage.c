#include "collapse/cause/shortage.h"

#include <stdlib.h>

#include "core/memory.h"

enum {
	LEAST_RECLAIMS = 3,
	RECLAIM_SHARE = 50
}; /* memory is short if at least 3 samples, and at least one in 50, free
						  * pages */

/* Functions in which a thread that needs a page must first free some (mm/vmscan.c).  kswapd running alone is not a
 * shortage.  Then functions that take pages: mm/memory.c, mm/memcontrol.c. */
static const char *const frees[] = { "try_to_free_mem_cgroup_pages", "try_to_free_pages", NULL };
static const char *const takes[] = { "do_anonymous_page", "vma_alloc_folio*",           "alloc_anon_folio",
				     "vma_alloc_anon*",   "do_huge_pmd_anonymous_page", NULL };

enum { FREES = 1, TAKES = 2, LOOKED_AT = 4 };

struct shortage_search {
	const struct history *h;
	struct cause_frames *f;
	uint8_t *known;     /* of each stack */
	uint64_t *reclaims; /* by first thread of a process: only processes that free pages are short of memory */
};

/* What a stack does. */
static uint8_t shortage_look(struct shortage_search *s, uint32_t stack)
{
	if (!s->known[stack])
		s->known[stack] = (uint8_t)(LOOKED_AT | (frames_has(s->f, stack, frees) ? FREES : 0) |
					    (frames_has(s->f, stack, takes) ? TAKES : 0));
	return s->known[stack];
}

static uint64_t shortage_count_reclaims(struct shortage_search *s)
{
	uint64_t all = 0;

	for (size_t i = 0; i < s->h->samples.count; i++) {
		const struct history_span *sample = &s->h->samples.items[i];

		if (!(shortage_look(s, sample->stack) & FREES))
			continue;
		s->reclaims[s->h->threads[sample->thread].process]++;
		all++;
	}
	return all;
}

static struct frames_function taken_in(struct shortage_search *s, uint32_t thread)
{
	const struct history_range *r = &s->h->threads[thread].samples;
	uint32_t *stacks = xcalloc(r->count + 1, sizeof(*stacks));
	struct frames_function function;
	size_t count = 0;

	for (size_t i = r->first; i < r->first + r->count; i++) {
		if (shortage_look(s, s->h->samples.items[i].stack) & TAKES)
			stacks[count++] = s->h->samples.items[i].stack;
	}
	function = frames_common(s->f, stacks, count);
	free(stacks);
	return function;
}

/* The thread that took more than half of the memory taken by the processes that are short of it, or HISTORY_NONE. */
static uint32_t shortage_taker(struct shortage_search *s, uint64_t reclaims)
{
	uint64_t *taken = xcalloc(s->h->count + 1, sizeof(*taken)), all = 0, samples = 0, most_taken;
	uint32_t most = 0;

	for (size_t i = 0; i < s->h->samples.count; i++) {
		const struct history_span *sample = &s->h->samples.items[i];

		if (!s->reclaims[s->h->threads[sample->thread].process])
			continue;
		samples++;
		if (!(shortage_look(s, sample->stack) & TAKES))
			continue;
		all++;
		if (++taken[sample->thread] > taken[most])
			most = sample->thread;
	}
	most_taken = taken[most];
	free(taken);
	return reclaims * RECLAIM_SHARE >= samples && most_taken * 2 > all ? most : HISTORY_NONE;
}

struct shortage shortage_find(const struct history *h, struct cause_frames *f)
{
	struct shortage found = { HISTORY_NONE, { UINT32_MAX, UINT32_MAX } };
	struct shortage_search s = { h, f, xcalloc(f->stacks->count + 1, sizeof(*s.known)),
				     xcalloc(h->count + 1, sizeof(*s.reclaims)) };
	uint64_t reclaims = shortage_count_reclaims(&s);

	if (reclaims >= LEAST_RECLAIMS)
		found.taker = shortage_taker(&s, reclaims);
	if (found.taker != HISTORY_NONE)
		found.function = taken_in(&s, found.taker);
	free(s.known);
	free(s.reclaims);
	return found;
}

bool shortage_makes_wait(struct cause_frames *f, uint32_t stack)
{
	static const char *const reads[] = { "filemap_*", "page_cache_*", "do_swap_page", "swap_*", NULL };

	return frames_has(f, stack, reads);
}
