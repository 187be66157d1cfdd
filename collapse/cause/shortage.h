/* shortage: which thread took memory when memory is short: when the limit of a control group, or of the machine, is
 * reached, and threads have to free pages before they get one.  Pages of files that others have read are then dropped,
 * and must be read again. */
#ifndef COLLAPSE_CAUSE_SHORTAGE_H
#define COLLAPSE_CAUSE_SHORTAGE_H

#include <stdbool.h>

#include "collapse/cause/frames.h"
#include "collapse/cause/history.h"

struct shortage {
	uint32_t taker; /* the thread that got new memory in the most samples; HISTORY_NONE: memory is not short, or
					  * there are several such threads */
	struct frames_function function; /* in which that thread got new memory */
};

/* Find it, by samples.  h is sorted. */
struct shortage shortage_find(const struct history *h, struct cause_frames *f);

/* Does the stack show a wait for pages to be read from a file? */
bool shortage_makes_wait(struct cause_frames *f, uint32_t stack);

#endif
