/* turns: of threads that wait for events, how long they did not look for the next one.
 *
 *     epoll_wait  ######  ###### #######            ######
 *     runs              ##      #       ############       a turn of 12 #: what happens meanwhile is answered late */
#ifndef COLLAPSE_CAUSE_TURNS_H
#define COLLAPSE_CAUSE_TURNS_H

#include "collapse/cause/finding_maker.h"

/* Add a group (FINDING_TURN) for each thread that waits for events most of its time, in a loop, but had a long turn. */
void turns_add(struct finding_maker *m);

#endif
