/* shortage: who took memory, where memory is short: a control group's limit, or the machine's, is reached, and threads have to free
 * pages before they get one.  What others read from files is dropped then, and read again. */
#ifndef COLLAPSE_CAUSE_SHORTAGE_H
#define COLLAPSE_CAUSE_SHORTAGE_H

#include <stdbool.h>

#include "collapse/cause/frames.h"
#include "collapse/cause/history.h"

struct shortage {
	uint32_t
		taker; /* the thread with most samples in which it got new memory; HISTORY_NONE: memory is not short, or
					  * several took as much */
	struct frames_function function; /* in which it did */
};

/* Find it, by samples.  h is sorted. */
struct shortage shortage_find(const struct history *h, struct cause_frames *f);

/* Is it a wait in which a file's pages are read? */
bool shortage_makes_wait(struct cause_frames *f, uint32_t stack);

#endif
