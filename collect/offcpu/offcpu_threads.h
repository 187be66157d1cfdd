/* offcpu_threads: puts the records of one block together: the stack of the thread,
 * that of its waker, of the waker's waker.  They come in this order:
 *
 *     waker     when the thread is woken
 *     block     when it runs again
 *     user      its user stack, when it returns to user code (Linux before 6.16) */
#ifndef COLLECT_OFFCPU_OFFCPU_THREADS_H
#define COLLECT_OFFCPU_OFFCPU_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/offcpu.h"
#include "collect/recording/chain_builder.h"
#include "collect/recording/spans.h"
#include "collect/recording/trace_frames.h"
#include "core/str.h"

struct offcpu_thread {
	uint32_t tid;
	uint64_t reported_ns;      /* since_ns of the block that was said to last long: */
	struct str name, stack;    /* ... in these words */
	uint64_t closed_ns;        /* since_ns of the block that was closed at the end */
	uint64_t held_since_ns;    /* since_ns of the block that goes on, as is known: */
	struct chain_builder held; /* ... with this chain, ... */
	struct str held_copy;      /* ... whose user part is walked from this; empty: it is not */
	uint64_t told_since_ns;    /* since_ns of the block that goes on and is written */
	uint64_t told_ns;          /* ... up to here */
	uint64_t woken_since_ns;   /* since_ns of the block whose waker is: */
	struct chain_builder waker; /* its label, its stack; then hop by hop */
	uint64_t last_until_ns;    /* when the last block ended, and who ended it */
	struct chain_builder last_waker;
	uint64_t user_since_ns;    /* since_ns of the block whose user stack came early: */
	struct chain_builder user;
	struct str user_copy;      /* ... or what it is walked from */
	struct offcpu_pending *pending; /* blocks that lack their user stack */
	size_t pending_count, pending_cap;
};

struct offcpu_threads {            /* {0}, then hops, finish and argument */
	struct offcpu_thread **slots; /* open addressing by tid */
	size_t slot_count, count;
	unsigned hops;             /* wakers, at most, behind a stack; 0: none */
	struct trace_frames trace_frames;
	uint64_t lost_stacks;
	struct chain_builder chain; /* being put together, ... */
	struct str copy;           /* ... and a struct offcpu_copy, if its user part is to be walked */

	/* A block is complete.  chain: of the stack, the state, the wakers. */
	void (*finish)(const struct offcpu_record *r, const uint64_t *chain, size_t count);
};

void offcpu_threads_take(struct offcpu_threads *t, const struct offcpu_record *r);

/* Complete those whose user stack will not come any more. */
void offcpu_threads_end(struct offcpu_threads *t);

/* The thread, new if it was not seen before. */
struct offcpu_thread *offcpu_thread(struct offcpu_threads *t, uint32_t tid);

/* Put the chain of a block that goes on into t->chain: user is its user stack, as
 * found from outside.  t->copy is what there is in r. */
void offcpu_threads_held(struct offcpu_threads *t, const struct offcpu_record *r,
			 const uint64_t *user, size_t user_count);

/* Make copy the struct offcpu_copy that r has, or empty. */
void offcpu_copy_take(const struct offcpu_record *r, struct str *copy);

void offcpu_threads_free(struct offcpu_threads *t);

#endif
