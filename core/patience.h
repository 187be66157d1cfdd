/* patience: a time limit for work whose size others decide: files of other users. */
#ifndef CORE_PATIENCE_H
#define CORE_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

/* Is a signal pending that asks us to end (SIGINT, SIGTERM, SIGHUP)?  Collectors keep them blocked. */
bool stop_is_asked(void);

struct patience {
	uint64_t until_ns; /* CLOCK_MONOTONIC; 0: no limit */
};

struct patience patience_of(uint64_t ns);

/* Is the time up, or are we asked to end?  Costs a system call or two. */
bool patience_is_over(const struct patience *p);

#endif
