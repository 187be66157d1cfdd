/* user_stacks: the user part of stacks of which a recording has registers and a copy of the
 * stack (perf record --call-graph dwarf):
 *
 *     recorded chain   KERNEL k k k [USER u u]      \
 *     registers, copy  ----unwind()---> u u u u u   /  KERNEL k k k USER u u u u u
 *
 * or the calls that the processor noted (perf record --call-graph lbr), which are put together as
 * perf does:
 *
 *     calls {from to}...           ----> to of the newest: the function that runs; from of each: its callers
 *
 * What the recorder has put into the user part of its chain, following frame pointers, is
 * left out then: one way or the other, never both.  A user part that came later is put where it
 * belongs (collapse/perfdata/deferred.h). */
#ifndef COLLAPSE_FOLD_USER_STACKS_H
#define COLLAPSE_FOLD_USER_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/perfdata.h"
#include "collapse/perfdata/sample.h"
#include "collapse/perfdata/sideband.h"
#include "core/unwind/unwinder.h"

/* {0} is valid and empty. */
struct user_stacks {
	struct unwinder *unwinder; /* NULL: for another kind of processor */
	struct sideband *sideband;
	uint64_t *chain; /* of the sample last walked */
	size_t cap;
	uint64_t orphans; /* samples whose user part should have come later, and did not */
};

/* d says which processor the registers are of, else it is this machine's; sideband what was mapped.
 * Both must outlive u. */
void user_stacks_start(struct user_stacks *u, const struct perfdata *d, struct sideband *sideband);

/* Give s its whole chain, valid until the next call, and say how that ended.  Does nothing
 * for samples whose chain is whole as it was recorded. */
void user_stacks_walk(struct user_stacks *u, struct recorded_sample *s);

void user_stacks_free(struct user_stacks *u);

#endif
