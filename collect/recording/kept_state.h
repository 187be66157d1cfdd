/* kept_state: the names and mappings that hold at the end of a recording, as records for the beginning of the next
 * one. */
#ifndef COLLECT_RECORDING_KEPT_STATE_H
#define COLLECT_RECORDING_KEPT_STATE_H

#include <stddef.h>
#include <stdint.h>

#include "collect/recording/records.h"
#include "core/str.h"

struct kept_state {     /* {0}: nothing yet */
	struct str out; /* whole records, in the order in which they came */
	size_t older;   /* number of bytes in it from before the last recording */
	struct new_records passed;
};

/* Take the state from the recording at path, of size bytes; out has the state so far, if it was written there.  Forgets
 * what was over before that recording: processes and threads that had ended or are not present (their sums may have
 * come late), and names, mappings and kernel symbols that were replaced or removed. */
void kept_state_take(struct kept_state *k, const char *path, uint64_t size);

/* Call this when the content of out was appended to a new recording, whose whole records now have size bytes. */
void kept_state_written(struct kept_state *k, uint64_t size);

void kept_state_free(struct kept_state *k);

#endif
