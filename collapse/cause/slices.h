/* slices: waits that were cut into slices.  CPython's take_gil() and loops of pthread_cond_timedwait() wait for a few
 * milliseconds, check whether they may go on, and wait again at the same place:
 *
 *     ######################.######################.##########....     one wait, which another thread ended
 *     5 ms, a timer ended it                        3 ms, another thread ended it */
#ifndef COLLAPSE_CAUSE_SLICES_H
#define COLLAPSE_CAUSE_SLICES_H

#include "collapse/cause/frames.h"
#include "collapse/cause/history.h"

/* Join a wait for a thread that was ended by an interrupt with the next wait in the same stack, if the thread hardly
 * ran between them.  A wait for a lock includes the waits for a CPU between its slices: h no longer has these.  If a timer
 * ended the last slice, the owner of the lock is a guess.  h is sorted. */
void slices_join(struct history *h, struct cause_frames *f);

#endif
