/* owner_watch: a thread that looks at the owners of locks while others wait for them, without delay, whatever the
 * collector is busy with. */
#ifndef COLLECT_LOCKS_OWNER_WATCH_H
#define COLLECT_LOCKS_OWNER_WATCH_H

#include "bpf/locks/locks.h"
#include <stdbool.h>
#include <stdint.h>

#include "core/str.h"

/* For the wait `begun` of thread pid/tid: a lock's owner that was off the CPU. */
struct owner_seen {
	uint32_t pid, tid, cpu;
	uint64_t begun, time_ns;
	struct locks_holder holder;
	/* Its user stack: */
	struct str copy;                 /* a struct user_copy; or if it is empty, ... */
	uint64_t followed[LOCKS_FRAMES]; /* ... [count], by frame pointers */
	size_t count;
};

/* Start once the program is attached.  walks: copy stacks.  Returns 0, or -1 after a message. */
int owner_watch_start(bool walks);

/* Pass what was seen during the wait `begun` of this thread to take(), and forget what was seen earlier.  What was seen
 * is there before the record of the wait arrives. */
void owner_watch_take(uint32_t tid, uint64_t begun, void (*take)(const struct owner_seen *seen));

/* End the thread, if it was started.  Call before locks_program_halt(). */
void owner_watch_stop(void);

void owner_watch_free(void);

#endif
