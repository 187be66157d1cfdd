/* offcpu_say: what collect offcpu --timeout prints about long blocks, on stderr. */
#ifndef COLLECT_OFFCPU_OFFCPU_SAY_H
#define COLLECT_OFFCPU_OFFCPU_SAY_H

#include "collect/offcpu/offcpu_threads.h"
#include "collect/sampling/walker.h"

/* A block will be reported: note its thread's name, since the thread may be gone when the stack is walked. */
void offcpu_say_note(struct offcpu_thread *thread, const struct offcpu_record *r);

/* Report a block that was ongoing at the end of s, as noted:
 *
 *     2026-11-21T14:08:03.123456789Z db1 8513/8530 still blocked after 1.002 s (sleeping): main;...
 *
 * Name and stack are kept in thread for the end of the block, when the thread may be gone.
 * walker: names Java frames; may be NULL. */
void offcpu_say_overdue(struct offcpu_thread *thread, const struct span *s, struct walker *walker);

/* Report its end, after its beginning. */
void offcpu_say_over(struct offcpu_thread *thread, uint64_t until_ns);

void offcpu_say_free(void);

#endif
