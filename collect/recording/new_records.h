/* new_records: reads what was appended to a recording since the last call. */
#ifndef COLLECT_RECORDING_NEW_RECORDS_H
#define COLLECT_RECORDING_NEW_RECORDS_H

#include <stdint.h>

/* {0}: begin at the first record. */
struct new_records {
	uint64_t seen; /* number of bytes of the file read so far */
};

/* Call look() for each whole record appended since the last call to the recording at path.  Its whole records have
 * size bytes.  Does nothing if the recording cannot be read. */
void new_records_read(struct new_records *n, const char *path, uint64_t size,
		      void (*look)(void *argument, const uint8_t *record, uint32_t type), void *argument);

#endif
