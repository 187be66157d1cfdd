/* fault_rests: finds a stack for sums that have none.  Shortly before such a sum, its CPU sent another one of the same
 * thread and kind of access, with a stack, which is used for both. */
#ifndef COLLECT_FAULTS_FAULT_RESTS_H
#define COLLECT_FAULTS_FAULT_RESTS_H

#include <stddef.h>

#include "bpf/faults.h"
#include "core/str.h"

struct fault_rests {      /* {0} is empty */
	struct str *last; /* [count] the last sum with a stack, by CPU and kind */
	size_t count, cap;
	struct str made;
};

/* Keep a sum that has a stack; size: that of the record. */
void fault_rests_keep(struct fault_rests *f, const struct fault_record *r, size_t size);

/* Returns the sum r, which has no stack, with the stack, kind and file of the sum before it; or r itself, if the sum
 * before belongs to another thread.  Valid until the next call. */
const struct fault_record *fault_rests_complete(struct fault_rests *f, const struct fault_record *r);

void fault_rests_free(struct fault_rests *f);

#endif
