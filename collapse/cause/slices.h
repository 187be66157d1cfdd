/* slices: waits that were cut into slices.  CPython's take_gil() and loops of pthread_cond_timedwait() wait for a few
 * milliseconds, look whether they may go on, and wait again at the same place:
 *
 *     ######################.######################.##########....     one wait, which another thread ended
 *     5 ms, a timer ended it                        3 ms, it was let go */
#ifndef COLLAPSE_CAUSE_SLICES_H
#define COLLAPSE_CAUSE_SLICES_H

#include "collapse/cause/frames.h"
#include "collapse/cause/history.h"

/* Join slices into one block: those that were ended by an interrupt, after which the thread hardly ran before it waited
 * for a thread in the same stack.  If a timer ended the last slice, the owner of the lock is a guess.  h is sorted. */
void slices_join(struct history *h, struct cause_frames *f);

#endif
