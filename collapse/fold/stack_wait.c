#include "collapse/fold/stack_wait.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/frames/frame_owner.h"
#include "core/memory.h"

static unsigned stack_wait_rank_of(struct wait_ranks *r, const struct intern *texts, uint32_t text)
{
	if (r->cap <= text) {
		r->by_text = xrealloc(r->by_text, texts->count * 2);
		memset(r->by_text + r->cap, 0, texts->count * 2 - r->cap);
		r->cap = texts->count * 2;
	}
	if (!r->by_text[text])
		r->by_text[text] =
			(uint8_t)((r->rank ? r->rank : wait_rank)(intern_text(texts, text), intern_len(texts, text)) +
				  1);
	return r->by_text[text] - 1;
}

/* The largest rank of the names in a stack. */
static unsigned stack_rank(struct wait_ranks *r, const struct stack *stack, struct names *names)
{
	unsigned best = 0;

	for (uint32_t i = 0; i < stack->frame_count; i++) {
		struct frame_texts texts = names_of(names, stack->frames[i]);

		for (uint32_t j = 0; j < texts.count; j++) {
			unsigned rank = stack_wait_rank_of(r, &names->texts, texts.items[j]);

			best = rank > best ? rank : best;
		}
	}
	return best;
}

/* Is this frame the beginning of the program ("main", "__libc_start_main"), not of another thread? */
static bool is_of_main(struct names *names, uint32_t frame)
{
	struct frame_texts texts = names_of(names, frame);

	for (uint32_t i = 0; i < texts.count; i++) {
		const char *name = intern_text(&names->texts, texts.items[i]);

		if (!strcmp(name, "main") || !strncmp(name, "__libc_start_", strlen("__libc_start_")))
			return true;
	}
	return false;
}

/* The number of functions that belong to the beginning of a thread: the thread's first function, and one that it calls.
 * Either may be the one that waits. */
enum { BEGINNING = 2 };

/* Is the thread at its beginning: does its stack have only those functions, apart from libraries?  The outermost frame
 * is of the C library, which calls the first function. */
static bool is_at_beginning(const struct stack *stack, struct names *names)
{
	uint32_t own = 0;

	if (stack->truncated || !stack->frame_count ||
	    !frame_is_of_library(names, stack->frames[stack->frame_count - 1]))
		return false;
	for (uint32_t i = 0; i < stack->frame_count && !(stack->frames[i] & FRAME_TEXT); i++) {
		if (stack->frames[i] & FRAME_KERNEL || frame_is_of_library(names, stack->frames[i])) {
			if (is_of_main(names, stack->frames[i]))
				return false;
			continue;
		}
		if (++own > BEGINNING || is_of_main(names, stack->frames[i]) ||
		    frame_is_of_jit(names, stack->frames[i]))
			return false;
	}
	return own > 0;
}

static bool stack_frame_waits(struct names *names, uint32_t frame)
{
	struct frame_texts texts = names_of(names, frame);

	for (uint32_t i = 0; i < texts.count; i++) {
		const char *name = intern_text(&names->texts, texts.items[i]);

		if (wait_matches("pthread_cond_timedwait*", name, wait_name_len(name, strlen(name))))
			return true;
	}
	return false;
}

/* CPython waits for its GIL with a time limit, on a condition, and for nothing else; without symbols, or where the function
 * was inlined, only its file is known: Python/ceval_gil.c, take_gil(). */
static bool stack_waits_for_gil(const struct stack *stack, struct names *names)
{
	for (uint32_t i = 0; i + 1 < stack->frame_count && !(stack->frames[i] & FRAME_TEXT); i++) {
		if (!(stack->frames[i] & FRAME_KERNEL) && stack_frame_waits(names, stack->frames[i]))
			return !(stack->frames[i + 1] & FRAME_TEXT) && frame_is_of_cpython(names, stack->frames[i + 1]);
	}
	return false;
}

enum futex_kind stack_futex_kind(struct wait_ranks *r, const struct stack *stack, struct names *names)
{
	enum futex_kind kind;

	r->rank = futex_rank;
	kind = futex_kind_of(stack_rank(r, stack, names));
	return kind == FUTEX_CONDITION && stack_waits_for_gil(stack, names) ? FUTEX_GIL : kind;
}

enum wait_kind stack_wait_named(struct wait_ranks *r, const struct stack *stack, struct names *names)
{
	unsigned rank = stack_rank(r, stack, names);

	return wait_parks(rank) && stack_waits_for_gil(stack, names) ? WAIT_GIL : wait_kind_of(rank);
}

enum wait_kind stack_wait_kind(struct wait_ranks *r, const struct stack *stack, struct names *names)
{
	unsigned rank = stack_rank(r, stack, names);

	if (wait_parks(rank) && stack_waits_for_gil(stack, names))
		return WAIT_GIL;
	if (wait_awaits_child(rank) || (wait_parks(rank) && is_at_beginning(stack, names)))
		return WAIT_WORK;
	return wait_kind_of(rank);
}

void wait_ranks_free(struct wait_ranks *r)
{
	free(r->by_text);
}
