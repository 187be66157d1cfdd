/* kept_state: the names and mappings that hold at the end of a recording, as records for the begin of the next one. */
#ifndef COLLECT_RECORDING_KEPT_STATE_H
#define COLLECT_RECORDING_KEPT_STATE_H

#include <stddef.h>
#include <stdint.h>

#include "collect/recording/records.h"
#include "core/str.h"

struct kept_state {     /* {0}: nothing yet */
	struct str out; /* whole records, in the order in which they came */
	size_t older;   /* so many bytes are from before the last recording */
	struct new_records passed;
};

/* Take what the recording at path says, of size bytes, whose state so far is out itself, if it was written there.  Forgets
 * what was over before that recording: processes and threads that had ended, or are not there (their sums may have come
 * late); names, mappings and symbols of the kernel in whose place there are others, or none. */
void kept_state_take(struct kept_state *k, const char *path, uint64_t size);

/* What is in out was appended to a new recording, whose whole records have size bytes now. */
void kept_state_written(struct kept_state *k, uint64_t size);

void kept_state_free(struct kept_state *k);

#endif
