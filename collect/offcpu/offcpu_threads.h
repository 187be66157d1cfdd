/* offcpu_threads: joins the records of one block: the stacks of the thread, its waker, the waker's waker.  They
 * arrive in this order:
 *
 *     waker     when the thread is woken
 *     block     when it runs again
 *     user      its user stack, when it returns to user code (Linux before 6.16) */
#ifndef COLLECT_OFFCPU_OFFCPU_THREADS_H
#define COLLECT_OFFCPU_OFFCPU_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/offcpu/offcpu.h"
#include "collect/recording/chain_builder.h"
#include "collect/recording/spans.h"
#include "collect/recording/trace_frames.h"
#include "core/map.h"
#include "core/str.h"

struct offcpu_thread {
	uint32_t tid;
	unsigned gone;              /* how many times in a row it was not among the living */
	uint64_t reported_ns;       /* since_ns of the block reported as long: */
	struct str name, stack;     /* the words in which it was reported */
	uint32_t reported_state;    /* the state in which it was reported */
	bool unsaid;                /* its stack is still being walked */
	uint64_t over_ns;           /* the reported block was over at this time; 0: not yet */
	uint64_t closed_ns;         /* since_ns of the block closed at the end */
	uint64_t held_since_ns;     /* since_ns of the block that is known to be ongoing: */
	struct chain_builder held;  /* the chain of the ongoing block */
	struct str held_copy;       /* the copy for walking the user part of `held`; empty: it is not walked */
	uint64_t told_since_ns;     /* since_ns of the ongoing block of which a part is written */
	uint64_t told_ns;           /* the end of the written part */
	uint64_t woken_since_ns;    /* since_ns of the block whose waker is: */
	struct chain_builder waker; /* the waker's label and stack; then those of its waker, and so on */
	uint64_t last_until_ns;     /* when the last block ended, and who ended it */
	struct chain_builder last_waker;
	uint64_t user_since_ns; /* since_ns of the block whose user stack arrived early: */
	struct chain_builder user;
	struct str user_copy;                    /* ... or the copy from which that stack is walked */
	struct offcpu_tally told[OFFCPU_STATES]; /* how much of the short blocks in its slot is recorded */
	struct offcpu_pending *pending;          /* blocks that lack their user stack */
	size_t pending_count, pending_cap;
};

struct offcpu_threads {               /* {0}, then set hops, finish and argument */
	struct offcpu_thread **slots; /* open addressing by tid */
	size_t slot_count, count;
	unsigned hops; /* maximum wakers after a stack; 0: none */
	struct trace_frames trace_frames;
	uint64_t lost_stacks;
	struct chain_builder chain; /* being built */
	struct str copy;            /* a struct user_copy, if the user part of the chain must be walked */

	/* Called for each complete block.  chain: the stack, the state, the wakers. */
	void (*finish)(const struct offcpu_record *r, const uint64_t *chain, size_t count);

	/* Called for each waker whose stack was copied, to add its user part to the chain.  NULL: no stacks are
	 * walked. */
	void (*add_waker)(const struct offcpu_record *r, struct chain_builder *chain);
};

void offcpu_threads_take(struct offcpu_threads *t, const struct offcpu_record *r);

/* Complete the blocks whose user stacks will not arrive any more. */
void offcpu_threads_end(struct offcpu_threads *t);

/* The thread's entry, created if needed. */
struct offcpu_thread *offcpu_thread(struct offcpu_threads *t, uint32_t tid);

/* Build the chain of an ongoing block in t->chain; user: the user stack, read from user space.  t->copy is set from
 * r. */
void offcpu_threads_held(struct offcpu_threads *t, const struct offcpu_record *r, const uint64_t *user,
			 size_t user_count);

/* Set copy to the struct user_copy in r; make it empty if r has none. */
void offcpu_copy_take(const struct offcpu_record *r, struct str *copy);

/* Forget the threads whose tids are neither among the living now nor were the last time, since a record of a thread
 * that has just ended may still come.  Wakers are forgotten in the same way. */
void offcpu_threads_forget(struct offcpu_threads *t, const struct map *living);

void offcpu_threads_free(struct offcpu_threads *t);

#endif
