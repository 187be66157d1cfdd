/* stalls: stretches of time in which several threads waited together for one.
 *
 *     request-1  ####.........####
 *     request-2  ##..........#####     one stall: 3 threads waited up to 12 dots; refresher ran
 *     request-3  #####......######
 *     refresher  ..###########....
 *
 * A single waiting thread makes a stall, too, if it surely has work to do (it waits for a lock, or for what another
 * thread reads from a device), and if it waits for at least half as long as the longest such wait of all. */
#ifndef COLLAPSE_CAUSE_STALLS_H
#define COLLAPSE_CAUSE_STALLS_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/cause/follow.h"
#include "collapse/cause/frames.h"
#include "collapse/cause/history.h"

struct stall {
	uint64_t from_ns, to_ns; /* from the first wait's begin to the last one's end; wall clock */
	uint64_t longest_ns, waits_ns;
	uint32_t threads; /* how many waited */
	uint32_t guilty;  /* for whom */
	enum cause_kind did;
	enum wait_kind wait;             /* of the longest wait, as are did and ... */
	uint32_t stack;                  /* ... the stack in which the guilty one was; HISTORY_NONE: it ran */
	struct frames_function function; /* that the guilty one was in */
};

/* {0} is valid and empty. */
struct stalls {
	struct stall *items; /* [count], in order of time */
	size_t count, cap;
};

enum { STALLS_MAX = 500 };

/* Find the stalls: those with most waiting, at most STALLS_MAX.  h is sorted. */
void stalls_find(struct stalls *all, const struct history *h, struct cause_frames *f);

void stalls_free(struct stalls *all);

#endif
