/* wall_program: the BPF program of collect wall (bpf/wall.bpf.c), its rounds, and its tables. */
#ifndef COLLECT_WALL_WALL_PROGRAM_H
#define COLLECT_WALL_WALL_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/wall.h"
#include "collect/spans/span_program.h"

extern struct span_program wall_program; /* the collector sets its take(), which gets each struct wall_record */

/* Check rights and load the program.  Returns 0, or -1 after a message. */
int wall_program_load(struct collection *c, uint32_t threads, const char *cgroup);

/* Find threads that start from now on.  Returns 0, or -1 after a message. */
int wall_program_start(struct collection *c);

/* Look at threads, as of now_ns, and pass new states to take().  Visits either only threads whose activity may have
 * changed since the previous round, or all, which also finds threads whose end was missed; *looked_at_all says which.
 * Returns 0, or -1 after a message. */
int wall_program_round(uint64_t now_ns, bool all, bool *looked_at_all);

/* The thread that ran on a CPU in the last round; 0: unknown. */
uint32_t wall_program_running(uint32_t cpu);

/* Why the program cannot be used here, in a few words; NULL: it can be. */
const char *wall_program_obstacle(void);

/* Can wall_program_check() be called?  It can since Linux 6.2. */
bool wall_program_can_check(void);

/* Find out which of tids[count] are still in the same place as in the last round: the same_ns of their slots becomes
 * that round.  Returns 0, or -1 after a message. */
int wall_program_check(const uint32_t *tids, size_t count);

/* The table of threads, [*count], some of them free. */
struct wall_slot *wall_program_slots(size_t *count);

/* The slot's thread has ended. */
void wall_program_forget(uint32_t slot);

struct wall_counts {
	uint64_t rounds, walks, passed_over;
};

struct wall_counts wall_program_counts(void);

/* In each round, look at only one in `stride` of the threads that are switched often. */
void wall_program_set_stride(uint32_t stride);

void wall_program_free(void);

#endif
