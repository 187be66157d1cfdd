/* thread_clocks: a BPF program that is called some microseconds after a thread runs, on its CPU. */
#ifndef COLLECT_LOCKS_THREAD_CLOCKS_H
#define COLLECT_LOCKS_THREAD_CLOCKS_H

#include <stddef.h>
#include <stdint.h>

#include "bpf/locks/locks.h"

struct thread_clock {
	uint32_t tid;
	int fd;
	struct locks_wanted wanted; /* what for */
};

struct thread_clocks { /* {0} is empty */
	struct thread_clock list[LOCKS_WANTED_MAX];
	size_t count;
};

/* Call the program for thread tid, again and again while it runs.  Does nothing if the kernel refuses, or too many
 * threads have one. */
void thread_clocks_add(struct thread_clocks *c, uint32_t tid, int program, const struct locks_wanted *wanted);

/* Remove list[i]; the last one takes its place. */
void thread_clocks_remove(struct thread_clocks *c, size_t i);

void thread_clocks_free(struct thread_clocks *c);

#endif
