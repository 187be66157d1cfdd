#include "collapse/cause/shortage.h"

#include <stdlib.h>

#include "core/memory.h"

enum { LEAST_RECLAIMS = 10, RECLAIM_SHARE = 50 }; /* samples that free pages: at least 10, and at least one in 50 */

/* mm/vmscan.c; mm/memory.c, mm/memcontrol.c */
static const char *const frees[] = { "try_to_free_mem_cgroup_pages", "try_to_free_pages", "shrink_node*", NULL };
static const char *const takes[] = { "do_anonymous_page", "vma_alloc_folio*",           "alloc_anon_folio",
				     "vma_alloc_anon*",   "do_huge_pmd_anonymous_page", NULL };

enum { FREES = 1, TAKES = 2, LOOKED_AT = 4 };

/* What a stack does; known: of each stack. */
static uint8_t shortage_look(struct cause_frames *f, uint8_t *known, uint32_t stack)
{
	if (!known[stack])
		known[stack] = (uint8_t)(LOOKED_AT | (frames_has(f, stack, frees) ? FREES : 0) |
					 (frames_has(f, stack, takes) ? TAKES : 0));
	return known[stack];
}

static struct frames_function taken_in(const struct history *h, struct cause_frames *f, uint8_t *known, uint32_t thread)
{
	const struct history_range *r = &h->threads[thread].samples;
	uint32_t *stacks = xcalloc(r->count + 1, sizeof(*stacks));
	struct frames_function function;
	size_t count = 0;

	for (size_t i = r->first; i < r->first + r->count; i++) {
		if (shortage_look(f, known, h->samples.items[i].stack) & TAKES)
			stacks[count++] = h->samples.items[i].stack;
	}
	function = frames_common(f, stacks, count);
	free(stacks);
	return function;
}

struct shortage shortage_find(const struct history *h, struct cause_frames *f)
{
	struct shortage s = { HISTORY_NONE, { UINT32_MAX, UINT32_MAX } };
	uint64_t *taken = xcalloc(h->count + 1, sizeof(*taken)), all = 0, reclaims = 0;
	uint8_t *known = xcalloc(f->stacks->count + 1, sizeof(*known));
	uint32_t most = 0;

	for (size_t i = 0; i < h->samples.count; i++) {
		const struct history_span *sample = &h->samples.items[i];
		uint8_t does = shortage_look(f, known, sample->stack);

		reclaims += does & FREES ? 1 : 0;
		if (!(does & TAKES))
			continue;
		all++;
		if (++taken[sample->thread] > taken[most])
			most = sample->thread;
	}
	if (reclaims >= LEAST_RECLAIMS && reclaims * RECLAIM_SHARE >= h->samples.count && taken[most] * 2 > all) {
		s.taker = most;
		s.function = taken_in(h, f, known, most);
	}
	free(taken);
	free(known);
	return s;
}

bool shortage_makes_wait(struct cause_frames *f, uint32_t stack)
{
	static const char *const reads[] = { "filemap_*", "page_cache_*", "do_swap_page", "swap_*", NULL };

	return frames_has(f, stack, reads);
}
