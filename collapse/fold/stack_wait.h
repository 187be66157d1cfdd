/* stack_wait: what the thread of a stack waits for, by the functions in it (collapse/roots/wait_kind.h) and by where it
 * waits.
 *
 *     start_thread;begin;serve;pthread_cond_wait                  the thread is idle: it waits for work
 *     start_thread;begin;serve;answer;query;pthread_cond_wait     the thread is in the middle of something
 *
 * CPython without symbols waits for its GIL in a function without a name: its file tells, and what that calls.
 *
 * A thread that waits for a condition or a semaphore in the function with which it began, or in one called by that,
 * waits for work, because nothing else is on its stack.  Code of libraries does not count.  In Java, waits of pools are
 * recognized by the names of the classes for pools.  A process that waits for the end of one that it began is idle, too:
 * what keeps it waiting is told of that one.  A sleep never counts as a wait for work, since a timer cannot be
 * told from a sleep that should not be there. */
#ifndef COLLAPSE_FOLD_STACK_WAIT_H
#define COLLAPSE_FOLD_STACK_WAIT_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/frames/names.h"
#include "collapse/frames/stacks.h"
#include "collapse/roots/lock_kind.h"
#include "collapse/roots/wait_kind.h"

/* wait_rank() of texts, computed when first needed.  {0} is valid and empty. */
struct wait_ranks {
	unsigned (*rank)(const char *name, size_t len); /* another function of this kind; NULL: wait_rank() */
	uint8_t *by_text;                               /* + 1 */
	size_t cap;
};

enum wait_kind stack_wait_kind(struct wait_ranks *r, const struct stack *stack, struct names *names);

/* The same, regardless of where the thread waits. */
enum wait_kind stack_wait_named(struct wait_ranks *r, const struct stack *stack, struct names *names);

/* What kind of futex it is; r is for this function alone. */
enum futex_kind stack_futex_kind(struct wait_ranks *r, const struct stack *stack, struct names *names);

void wait_ranks_free(struct wait_ranks *r);

#endif
