/* turns: of an event loop: for how long did its thread not look for the next event? */
#ifndef COLLAPSE_CAUSE_TURNS_H
#define COLLAPSE_CAUSE_TURNS_H

#include "collapse/cause/finding_maker.h"

/* Add a group (FINDING_TURN) for each thread that handles events in a loop, but had a long turn. */
void turns_add(struct finding_maker *m);

#endif
