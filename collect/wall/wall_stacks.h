/* wall_stacks: the user stacks of threads that do not run.  The kernel's iterator cannot take them; they are read from the
 * memory of the process, some in each round, and count only if the thread did not run meanwhile: the program checks that at
 * once, or, before Linux 6.2, the next round shows it. */
#ifndef COLLECT_WALL_WALL_STACKS_H
#define COLLECT_WALL_WALL_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/wall.h"
#include "core/str.h"

/* What a thread has been doing. */
struct wall_run {
	uint64_t since_ns;
	uint64_t begin_ns; /* of what is not told yet */
	uint32_t pid, tid, cpu, state;
	uint32_t by; /* who ran on the CPU that it waited for; 0: unknown */
	uint32_t count;
	uint64_t stack[WALL_FRAMES]; /* the kernel's */
	bool has_registers, read;    /* its user stack was read, or could not be ... */
	bool is_walked;              /* ... and is, or was, walked */
	uint64_t registers[sizeof(struct user_copy) / sizeof(uint64_t)];
	uint64_t *whole; /* [whole_count]: its whole chain with labels; NULL: unknown.  Owned */
	size_t whole_count;
};

/* A stack that was read: of a run that began at since_ns. */
struct wall_read {
	uint32_t slot, tid;
	uint64_t since_ns;
	struct str copy; /* a struct user_copy */
};

/* {0} is valid. */
struct wall_stacks {
	struct wall_read *reads; /* [count] */
	size_t count, cap;
	size_t next; /* slot to begin with in the next round */
};

/* Read stacks of runs[run_count] that have lasted until now_ns for a round at least, `most` at most. */
void wall_stacks_read(struct wall_stacks *w, struct wall_run *runs, size_t run_count, uint64_t now_ns,
		      uint64_t round_ns, size_t most);

typedef void wall_stacks_take(const struct wall_run *run, uint32_t slot, const struct str *copy);

/* The next round is over: pass on the stacks of runs that go on, and forget all. */
void wall_stacks_check(struct wall_stacks *w, const struct wall_run *runs, wall_stacks_take *take);

void wall_stacks_free(struct wall_stacks *w);

#endif
