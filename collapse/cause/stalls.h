/* stalls: stretches of time in which several threads waited for the same thread.
 *
 *     request-1  ####.........####
 *     request-2  ##..........#####     one stall: 3 threads waited up to 12 dots; refresher ran
 *     request-3  #####......######
 *     refresher  ..###########....
 *
 * A single waiting thread makes a stall, too, if it surely has work to do (it waits for a lock, or for what another
 * thread reads from a device), and if it waits for at least half as long as the longest such wait of all.  Where a
 * thread has made others wait so long, or several together, a fifth of the longest wait for it is enough.
 *
 * The stretches of a finding are stalls, too, such as those in which an event loop was blocked. */
#ifndef COLLAPSE_CAUSE_STALLS_H
#define COLLAPSE_CAUSE_STALLS_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/cause/finding.h"
#include "collapse/cause/follow.h"
#include "collapse/cause/frames.h"
#include "collapse/cause/history.h"

/* What did not go on. */
enum stall_of {
	STALL_OF_WAITS,  /* threads that waited for the guilty one */
	STALL_OF_CPU,    /* ... for a CPU, which it had */
	STALL_OF_EVENTS, /* events, which the guilty one did not handle */
};

struct stall {
	enum stall_of of;
	uint64_t from_ns, to_ns; /* from the beginning of the first wait to the end of the last one; wall clock */
	uint64_t longest_ns, waits_ns;
	uint32_t threads; /* how many waited */
	uint32_t guilty;  /* for whom */
	enum cause_kind did;
	enum wait_kind wait;             /* the kind of the longest wait; did and the stack also belong to that wait */
	uint32_t stack;                  /* ... the stack in which the guilty one was; HISTORY_NONE: it ran */
	struct frames_function function; /* that the guilty one was in */
};

/* {0} is valid and empty. */
struct stalls {
	struct stall *items; /* [count], in order of time */
	size_t count, cap;
};

enum { STALLS_MAX = 500 };

/* Find the STALLS_MAX stalls with most waiting.  h is sorted. */
void stalls_find(struct stalls *all, const struct history *h, struct cause_frames *f);

/* Add the stretches of a finding about waits, each of them at least a fifth as long as the longest, unless there is a stall
 * of the same guilty thread then. */
void stalls_add_finding(struct stalls *all, const struct findings *from, const struct finding *f,
			const struct history *h, struct cause_frames *frames);

void stalls_free(struct stalls *all);

#endif
