/* shortage: which thread took memory when memory is short: when the limit of a control group, or of the machine, is
 * reached, and threads have to free pages before they get one.  Pages of files that others have read are then dropped,
 * and must be read again. */
#ifndef COLLAPSE_CAUSE_SHORTAGE_H
#define COLLAPSE_CAUSE_SHORTAGE_H

#include <stdbool.h>

#include "collapse/cause/frames.h"
#include "collapse/cause/history.h"

struct shortage {
	uint32_t
		taker; /* the thread with most samples in which it got new memory; HISTORY_NONE: memory is not short, or
					  * several threads took equally much */
	struct frames_function function; /* in which it did */
};

/* Find it, by samples.  h is sorted. */
struct shortage shortage_find(const struct history *h, struct cause_frames *f);

/* Does the stack show a wait for pages to be read from a file? */
bool shortage_makes_wait(struct cause_frames *f, uint32_t stack);

#endif
