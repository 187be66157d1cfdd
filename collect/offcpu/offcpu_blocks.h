/* offcpu_blocks: what becomes of the blocks that the program of collect offcpu tells of: samples, one for each or
 * summed up. */
#ifndef COLLECT_OFFCPU_OFFCPU_BLOCKS_H
#define COLLECT_OFFCPU_OFFCPU_BLOCKS_H

#include <stdint.h>

#include "bpf/offcpu.h"
#include "collect/offcpu/offcpu_walk.h"
#include "collect/run/collection.h"

/* Add the events.  Returns whose user stacks are to be walked. */
const struct offcpu_walk *offcpu_blocks_prepare(struct collection *c);

/* The program is loaded: look up which frames of kernel stacks are its own. */
void offcpu_blocks_loaded(void);

/* Sums begin at start_ns. */
void offcpu_blocks_start(uint64_t start_ns);

/* Take what the program tells (offcpu_program_load()). */
void offcpu_blocks_take(const struct offcpu_record *r);

/* Add what of blocks that go on would be lost if we were killed.  Returns 0, or -1 after a message. */
int offcpu_blocks_tell_parts(void);

/* Say which blocks go on for longer than --timeout.  Returns 0, or -1 after a message. */
int offcpu_blocks_tell_overdue(void);

/* Give the walker what is to be walked: the rings were drained. */
void offcpu_blocks_hand_over(struct collection *c);

/* Make samples, as of until_ns, of what is summed up. */
void offcpu_blocks_flush(uint64_t until_ns);

/* Append the samples to the recording.  Returns 0, or -1 after a message. */
int offcpu_blocks_write(struct collection *c);

/* The recording ended at end_ns: blocks that go on, and come from now on, are cut there. */
void offcpu_blocks_end(uint64_t end_ns);

/* All has come: complete it, wait for the walker, flush.  Returns 0, or -1 after a message. */
int offcpu_blocks_finish(struct collection *c);

struct offcpu_totals {
	uint64_t blocks, blocked_ns;
	uint64_t open;        /* of the blocks, those that were not over at the end */
	uint64_t lost_stacks;
};
struct offcpu_totals offcpu_blocks_totals(void);

void offcpu_blocks_free(void);

#endif
