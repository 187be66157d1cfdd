/* offcpu_blocks: turns blocks reported by the program of collect offcpu into samples, one each or summed. */
#ifndef COLLECT_OFFCPU_OFFCPU_BLOCKS_H
#define COLLECT_OFFCPU_OFFCPU_BLOCKS_H

#include <stdint.h>

#include "bpf/offcpu.h"
#include "collect/run/collection.h"

/* Add the events to c.  Returns whether user stacks are walked. */
bool offcpu_blocks_prepare(struct collection *c);

/* Call once the program is loaded: finds which frames of kernel stacks are the program's own. */
void offcpu_blocks_loaded(void);

/* Sums begin at start_ns. */
void offcpu_blocks_start(uint64_t start_ns);

/* Take a record of the program (offcpu_program_load()). */
void offcpu_blocks_take(const struct offcpu_record *r);

/* Save ongoing blocks, in case we are killed.  Returns 0, or -1 after a message. */
int offcpu_blocks_tell_parts(void);

/* Report blocks that have lasted longer than --timeout.  Returns 0, or -1 after a message. */
int offcpu_blocks_tell_overdue(void);

/* Give pending stacks to the walker.  Call after draining the rings. */
void offcpu_blocks_hand_over(void);

/* Forget threads that have ended, if there are many. */
void offcpu_blocks_forget_threads(void);

/* Turn sums into samples, as of until_ns. */
void offcpu_blocks_flush(uint64_t until_ns);

/* Append the samples to the recording.  Returns 0, or -1 after a message. */
int offcpu_blocks_write(void);

/* The recording ended at end_ns: cut ongoing and later blocks there. */
void offcpu_blocks_end(uint64_t end_ns);

/* Call when all records have arrived: completes them, waits for the walker, flushes.  Returns 0, or -1 after a
 * message. */
int offcpu_blocks_finish(void);

struct offcpu_totals {
	uint64_t blocks, blocked_ns;
	uint64_t open; /* number of blocks that were not over at the end */
	uint64_t lost_stacks;
	uint64_t over_budget; /* number of blocks that were too many to be recorded one by one */
};
struct offcpu_totals offcpu_blocks_totals(void);

void offcpu_blocks_free(void);

#endif
