/* patience: a time limit for work whose size other users determine, such as reading their files. */
#ifndef CORE_PATIENCE_H
#define CORE_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

/* Is a signal pending that asks this program to end (SIGINT, SIGTERM, SIGHUP)?  Collectors keep these blocked. */
bool stop_is_asked(void);

struct patience {
	uint64_t until_ns; /* CLOCK_MONOTONIC; 0: no limit */
};

struct patience patience_of(uint64_t ns);

/* Is the time up, or are we asked to end?  Costs a system call or two. */
bool patience_is_over(const struct patience *p);

#endif
