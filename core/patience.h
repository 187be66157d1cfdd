/* patience: how long something may take whose size others decide on: files of other users. */
#ifndef CORE_PATIENCE_H
#define CORE_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

/* Does a signal wait that asks us to end (SIGINT, SIGTERM, SIGHUP)?  It does while it is blocked, as in a
 * collector. */
bool stop_is_asked(void);

struct patience {
	uint64_t until_ns; /* CLOCK_MONOTONIC; 0: for ever */
};

struct patience patience_of(uint64_t ns);

/* Is the time up, or are we asked to end?  A system call or two. */
bool patience_is_over(const struct patience *p);

#endif
