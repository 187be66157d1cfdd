/* tally: counts records on their way from the rings to the recording. */
#ifndef COLLECT_RECORDING_TALLY_H
#define COLLECT_RECORDING_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "collect/recording/capture.h"
#include "collect/recording/losses.h"

enum { TALLY_EVENTS = 64 }; /* events beyond this number are counted with the last one */

struct tally {                        /* {0}, then max_stack, walked */
	uint64_t max_stack;           /* kernel.perf_event_max_stack */
	bool walked;                  /* user stacks of the kernel's samples are walked
				      * (collect/sampling/stack_walk.h) */
	uint64_t spans[TALLY_EVENTS]; /* by event: number of spans that its samples sum up */
	uint64_t samples_of_spans;    /* samples of our own events */
	struct capture capture;       /* filled at the end; includes stacks of wakers */
	uint64_t first_ns, last_ns;   /* times of samples; 0: none yet */
	uint64_t losses[LOSS_COUNT];
};

/* Count the records in iov[0..count), of which only the first `written` bytes reached the file; the rest is counted as
 * unwritten.  A record may span two iovecs (a ring wraps), but its first 8 bytes never do.  Returns how many bytes of
 * whole records were written. */
size_t tally_records(struct tally *t, const struct iovec *iov, int count, size_t written);

#endif
