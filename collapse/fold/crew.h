/* crew: a few threads that do the same work. */
#ifndef COLLAPSE_FOLD_CREW_H
#define COLLAPSE_FOLD_CREW_H

#include <stddef.h>

enum { CREW_MAX = 64 };

/* Call work(argument, number) in up to count threads, at most CREW_MAX, of which this one has the number 0; returns when
 * all are done.  There may be fewer threads than count, so each must take its share of the work as it goes. */
void crew_run(size_t count, void (*work)(void *argument, size_t number), void *argument);

#endif
