/* tally: counts what passes on its way from the rings to the recording. */
#ifndef COLLECT_RECORDING_TALLY_H
#define COLLECT_RECORDING_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "collect/recording/capture.h"
#include "collect/recording/losses.h"

enum { TALLY_EVENTS = 64 };          /* those behind it are counted with the last one */

struct tally {                       /* {0}, then max_stack, walked */
	uint64_t max_stack;          /* kernel.perf_event_max_stack */
	bool walked;                 /* user stacks of samples that are not ours are (collect/sampling/stack_walk.h) */
	uint64_t spans[TALLY_EVENTS]; /* by number of the event: what its samples sum up */
	uint64_t samples_of_spans;   /* of all samples, those of events of ours */
	struct capture capture;      /* known at the end, stacks of wakers too */
	uint64_t first_ns, last_ns;  /* of the samples; 0: none yet */
	uint64_t losses[LOSS_COUNT];
};

/* Count the records in iov[0..count), of which the first `written` bytes reached
 * the file; the rest is counted as unwritten.  A record may run from one iovec into
 * the next (a ring wraps), its first 8 bytes never do.  Returns how many bytes of
 * whole records were written. */
size_t tally_records(struct tally *t, const struct iovec *iov, int count, size_t written);

#endif
