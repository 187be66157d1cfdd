/* user_stacks: reconstructs the user part of stacks from the registers and the copy of the stack in a
 * recording (perf record --call-graph dwarf):
 *
 *     recorded chain   KERNEL k k k [USER u u]      \
 *     registers, copy  ----unwind()---> u u u u u   /  KERNEL k k k USER u u u u u
 *
 * or from the calls that the processor recorded (perf record --call-graph lbr), reconstructed as perf
 * does:
 *
 *     calls {from to}...  --> `to` of the newest call: the function that runs; `from` of each call: its callers
 *
 * This replaces the user part that the recorder found by frame pointers.  A user part that was
 * recorded later (collapse/perfdata/sideband.h) is appended to the kernel part. */
#ifndef COLLAPSE_FOLD_USER_STACKS_H
#define COLLAPSE_FOLD_USER_STACKS_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/perfdata.h"
#include "collapse/perfdata/sample.h"
#include "collapse/perfdata/sideband.h"
#include "core/unwind/unwinder.h"

/* {0} is valid and empty. */
struct user_stacks {
	struct unwinder *unwinder; /* NULL: no copies of stacks, or an unsupported processor */
	struct sideband *sideband;
	uint64_t *chain; /* of the sample last walked */
	size_t cap;
	uint64_t orphans; /* samples whose user part should have followed later, but did not */
};

/* d tells the processor (default: that of this machine), sideband has the mappings.  Both must outlive u. */
void user_stacks_start(struct user_stacks *u, const struct perfdata *d, struct sideband *sideband);

/* Give s its whole chain, valid until the next call, and set s->end to how it ended.  Does nothing if
 * the whole chain was recorded. */
void user_stacks_walk(struct user_stacks *u, struct recorded_sample *s);

void user_stacks_free(struct user_stacks *u);

#endif
