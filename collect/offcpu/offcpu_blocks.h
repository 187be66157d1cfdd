/* offcpu_blocks: turns blocks reported by the program of collect offcpu into samples, each or summed. */
#ifndef COLLECT_OFFCPU_OFFCPU_BLOCKS_H
#define COLLECT_OFFCPU_OFFCPU_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#include "bpf/offcpu/offcpu.h"
#include "collect/run/collection.h"

/* Add the events to c. */
void offcpu_blocks_prepare(struct collection *c);

/* Call this once the program is loaded: it finds out which frames of kernel stacks are the program's own. */
void offcpu_blocks_loaded(void);

/* Take a struct offcpu_record of the program. */
void offcpu_blocks_take(void *context, const void *data, size_t size);

/* Record the parts of ongoing blocks so far, in case we are killed.  Returns 0, or -1 after a message. */
int offcpu_blocks_tell_parts(void);

/* Record the number and the time of blocks that got no stack, so far. */
void offcpu_blocks_tell_untaken(void);

/* Report blocks that have lasted longer than --timeout.  Returns 0, or -1 after a message. */
int offcpu_blocks_tell_overdue(void);

/* Forget threads that have ended, if there are many. */
void offcpu_blocks_forget_threads(void);

/* The recording ended at end_ns: cut ongoing and later blocks there. */
void offcpu_blocks_end(uint64_t end_ns);

/* Call when all records have arrived: completes them. */
void offcpu_blocks_finish(void);

struct offcpu_totals {
	uint64_t blocks, blocked_ns;
	uint64_t open;        /* number of blocks that were not over at the end */
	uint64_t over_budget; /* number of blocks that were too many to be recorded one by one */
	uint64_t untaken;     /* number of blocks that have no stack because of --budget */
	uint64_t stood_for;   /* number of blocks that have the stack of another block of their thread */
};
struct offcpu_totals offcpu_blocks_totals(void);

void offcpu_blocks_free(void);

#endif
