/* finding_maker: the parts of findings_make(). */
#ifndef COLLAPSE_CAUSE_FINDING_MAKER_H
#define COLLAPSE_CAUSE_FINDING_MAKER_H

#include "collapse/cause/finding.h"
#include "collapse/cause/groups.h"
#include "collapse/cause/shortage.h"

/* A process that waits for another one is worth telling only if there is nothing else to tell. */
#define CHILD_WEIGHT 0.2

enum { NOTICED_NS = 50000000 }; /* people notice a tenth of a second */

/* Where threads wait for others: queues.h. */
struct queues {
	struct frames_function *places; /* by stack, ... */
	bool *known_places;             /* once it was looked up */
	struct map waits_at;            /* place, thread -> 1 */
	struct map waits_in;            /* name of a place's function, thread -> 1 */
	struct map turns_at;            /* place, 0 -> 1: threads that wait there wake each other */
};

/* What the threads of a process wanted, and what they got. */
struct demand {
	uint64_t ran_ns, waited_ns;
};

struct finding_maker {
	struct findings *all;
	const struct history *h;
	struct cause_frames *f;
	uint8_t *roles;         /* by thread: enum finding_role */
	struct demand *demands; /* by the first thread of a process */
	uint64_t *spare_ns;     /* by thread: time blocked in waits that may be for work; ... */
	uint64_t *rested_ns;    /* ... and that, or asleep; ... */
	uint64_t *lived_ns;     /* ... and all its time */
	struct map answers_us;  /* waker, woken -> how long such waits took that the waker ended */
	struct queues queues;
	uint32_t *stoppers; /* by the first thread of a JVM: the thread that stops the others, + 1; 0: no JVM */
	struct shortage shortage;
	struct groups groups;
};

/* Make a finding of each group, in any order.  Groups whose guilty threads belong to one process and did the same in
 * the same function become one finding. */
void findings_of_groups(struct finding_maker *m);

/* The function in which the thread ran most, if it has samples. */
struct frames_function finding_maker_function(struct finding_maker *m, uint32_t thread);

#endif
