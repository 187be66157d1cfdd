/* offcpu_say: what collect offcpu --timeout prints about long blocks, on stderr. */
#ifndef COLLECT_OFFCPU_OFFCPU_SAY_H
#define COLLECT_OFFCPU_OFFCPU_SAY_H

#include "collect/offcpu/offcpu_threads.h"

/* Report a block that is ongoing at look_ns:
 *
 *     2026-11-21T14:08:03.123456789Z db1 8513/8530 still blocked after 1.002 s (sleeping): main;...
 *
 * Name and stack are kept in thread for the end of the block, when the thread may be gone. */
void offcpu_say_overdue(struct offcpu_thread *thread, const struct offcpu_record *r, uint64_t look_ns,
			const struct chain_builder *chain);

/* Report its end. */
void offcpu_say_over(const struct offcpu_thread *thread, const struct offcpu_record *r);

void offcpu_say_free(void);

#endif
