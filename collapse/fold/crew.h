/* crew: a few threads that share work. */
#ifndef COLLAPSE_FOLD_CREW_H
#define COLLAPSE_FOLD_CREW_H

#include <stddef.h>

enum { CREW_MAX = 64 };

/* Call work(argument, number) in at most count threads, and at most CREW_MAX; the calling thread has the number 0.
 * Returns when all are done.  Since there may be fewer threads than count, each must fetch its next piece of work when
 * it is ready for it. */
void crew_run(size_t count, void (*work)(void *argument, size_t number), void *argument);

#endif
