/* new_records: reads what was appended to a recording since the last call. */
#ifndef COLLECT_RECORDING_NEW_RECORDS_H
#define COLLECT_RECORDING_NEW_RECORDS_H

#include <stdint.h>

/* {0}: from the beginning. */
struct new_records {
	uint64_t seen; /* bytes of the file looked at so far */
};

/* Call look for each whole record appended since the last call to the recording at path, of which size bytes are
 * whole.  Does nothing if it cannot be read. */
void new_records_read(struct new_records *n, const char *path, uint64_t size,
		      void (*look)(void *argument, const uint8_t *record, uint32_t type), void *argument);

#endif
