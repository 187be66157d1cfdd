/* new_records: what a recording that is being written has got since the last look. */
#ifndef COLLECT_RECORDING_NEW_RECORDS_H
#define COLLECT_RECORDING_NEW_RECORDS_H

#include <stdint.h>

/* {0}: from the beginning. */
struct new_records {
	uint64_t seen; /* bytes of the file looked at so far */
};

/* Call look for each whole record that the recording at path, its first size bytes, has got
 * since the last call.  One that cannot be read: none. */
void new_records_read(struct new_records *n, const char *path, uint64_t size,
		      void (*look)(void *argument, const uint8_t *record, uint32_t type), void *argument);

#endif
