/* wall_rounds: when threads are looked at: the time from one round to the next is random, so that what threads do in step
 * with a clock is not met at always the same point of it. */
#ifndef COLLECT_WALL_WALL_ROUNDS_H
#define COLLECT_WALL_WALL_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

struct wall_rounds {
	int timer; /* readable when a round is due */
	uint64_t every_ns;
	uint64_t due_ns; /* the next round */
	uint64_t late;   /* rounds left out */
	uint64_t random;
};

/* Begin: about hz rounds a second, the first of them soon after now_ns (CLOCK_MONOTONIC).  Returns -1 with errno if there is
 * no timer; wall_rounds_end() closes it in any case. */
int wall_rounds_begin(struct wall_rounds *r, unsigned int hz, uint64_t now_ns);

/* Is a round due? */
bool wall_rounds_due(struct wall_rounds *r);

/* A round has ended, and took so much CPU time: set the timer for the next one, after half a period to one and a half since this one was
 * due; or later, so that rounds, which nothing of ordinary priority interrupts, take a quarter of a CPU at most. */
void wall_rounds_next(struct wall_rounds *r, uint64_t now_ns, uint64_t took_ns);

void wall_rounds_end(struct wall_rounds *r);

#endif
