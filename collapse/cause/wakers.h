/* wakers: threads that wake others all the time, and where they do. */
#ifndef COLLAPSE_CAUSE_WAKERS_H
#define COLLAPSE_CAUSE_WAKERS_H

#include "collapse/cause/finding_maker.h"

/* Add a group (FINDING_WAKER) for each thread that woke others often; the stack of its cause is that of a waker. */
void wakers_add(struct finding_maker *m);

#endif
