/* lock_threads: what is kept for each waiting thread: who released the lock that it waits for, and the last sum with a
 * stack, which is also used for a sum without one. */
#ifndef COLLECT_LOCKS_LOCK_THREADS_H
#define COLLECT_LOCKS_LOCK_THREADS_H

#include "bpf/locks/locks.h"
#include <stdbool.h>
#include <stddef.h>

#include "collect/recording/chain_builder.h"
#include "core/map.h"
#include "core/str.h"

enum { LOCK_PARTS_MAX = 8 };

struct lock_thread {
	uint32_t pid, tid;
	unsigned gone;              /* how many times in a row it was not among the living */
	uint64_t begun;             /* the wait whose owner is: */
	struct chain_builder owner; /* ... label and stack; empty: not known */
	uint32_t owner_pid, owner_tid;
	uint64_t seen;                    /* the wait during which the owner had the stack below: */
	struct chain_builder meanwhile;   /* ... label and stack; empty: not known */
	struct str parts[LOCK_PARTS_MAX]; /* [part_count] records of a wait whose owner may become known later */
	size_t part_count;
	uint64_t parts_end_ns;
	struct str last[LOCKS_SUMS]; /* the record of the last sum; empty: there was none */
};

struct lock_threads { /* {0} is empty */
	struct lock_thread *list;
	size_t count, cap;
	struct map by_tid;
	size_t kept; /* bytes in all `last` */
	struct str made;
};

/* The thread of a record, new if necessary; valid until the next call. */
struct lock_thread *lock_thread(struct lock_threads *t, const struct locks_record *r);

/* Does r continue the wait whose parts are kept, without a gap and in the same place? */
bool lock_thread_goes_on(const struct lock_thread *thread, const struct locks_record *r);

/* Keep a wait that timed out, if its owner may become known later; size: that of the record. */
bool lock_thread_keep_part(struct lock_thread *thread, const struct locks_record *r, size_t size);

/* Keep a sum that has a stack; size: that of the record. */
void lock_threads_keep(struct lock_threads *t, const struct locks_record *r, size_t size);

/* Returns the sum r, which has no stack, with the stack of the sum before it; or r itself if there was none.  Valid
 * until the next call. */
const struct locks_record *lock_threads_complete(struct lock_threads *t, const struct locks_record *r);

/* Forget the threads whose tids are neither among the living now nor were the last time, since a record of a thread
 * that has just ended may still come.  Kept parts must have been taken before. */
void lock_threads_forget(struct lock_threads *t, const struct map *living);

void lock_threads_free(struct lock_threads *t);

#endif
