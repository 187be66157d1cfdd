#include "collect/wall/wall_stacks.h"

#include <stdlib.h>

#include "collect/spans/held_stack.h"
#include "core/format/recording.h"
#include "core/memory.h"

/* Where the stack pointer is in the registers (struct pt_regs). */
#ifdef __aarch64__
enum { SP = 31 };
#else
enum { SP = 19 };
#endif

static bool wall_stacks_is_wanted(const struct wall_run *run, uint64_t now_ns, uint64_t round_ns)
{
	return run->tid && run->has_registers && !run->read && now_ns - run->since_ns >= round_ns;
}

static void read_one(struct wall_stacks *w, struct wall_run *run, uint32_t slot)
{
	struct wall_read *r;

	w->reads = xgrow(w->reads, &w->cap, w->count + 1, sizeof(*w->reads));
	r = &w->reads[w->count];
	*r = (struct wall_read){ .slot = slot, .tid = run->tid, .since_ns = run->since_ns };
	str_add(&r->copy, (const char *)run->registers, sizeof(run->registers));
	run->read = true;
	if (held_stack_complete((int)run->tid, run->registers[SP], &r->copy))
		w->count++;
	else
		str_free(&r->copy);
}

void wall_stacks_read(struct wall_stacks *w, struct wall_run *runs, size_t run_count, uint64_t now_ns,
		      uint64_t round_ns, size_t most)
{
	size_t done = 0;

	for (size_t i = 0; i < run_count && done < most; i++) {
		size_t slot = w->next++ % run_count;

		if (!wall_stacks_is_wanted(&runs[slot], now_ns, round_ns))
			continue;
		read_one(w, &runs[slot], (uint32_t)slot);
		done++;
	}
}

void wall_stacks_check(struct wall_stacks *w, const struct wall_run *runs, wall_stacks_take *take)
{
	for (size_t i = 0; i < w->count; i++) {
		struct wall_read *r = &w->reads[i];
		const struct wall_run *run = &runs[r->slot];

		if (run->tid == r->tid && run->since_ns == r->since_ns)
			take(run, r->slot, &r->copy);
		str_free(&r->copy);
	}
	w->count = 0;
}

void wall_stacks_free(struct wall_stacks *w)
{
	for (size_t i = 0; i < w->count; i++)
		str_free(&w->reads[i].copy);
	free(w->reads);
	*w = (struct wall_stacks){ 0 };
}
