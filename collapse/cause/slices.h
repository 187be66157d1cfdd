/* slices: waits that were cut into slices.  CPython's take_gil() and loops of pthread_cond_timedwait() wait for a few
 * milliseconds, look whether they may go on, and wait again at the same place:
 *
 *     ######################.######################.##########....     one wait, which another thread ended
 *     5 ms, a timer ended it                        3 ms, it was let go */
#ifndef COLLAPSE_CAUSE_SLICES_H
#define COLLAPSE_CAUSE_SLICES_H

#include "collapse/cause/frames.h"
#include "collapse/cause/history.h"

/* Make one block of slices: of those that an interrupt ended after which the thread hardly ran, and then waited for a
 * thread in the same stack.  Who had the lock for which a timer ended the last slice is guessed.  h is sorted. */
void slices_join(struct history *h, struct cause_frames *f);

#endif
