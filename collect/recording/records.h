/* records: iterates over consecutive records, in a ring or a recording. */
#ifndef COLLECT_RECORDING_RECORDS_H
#define COLLECT_RECORDING_RECORDS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/uio.h>

#include "core/format/recording.h"
#include "core/symbols/space/modules.h"
#include "core/symbols/space/spaces.h"

struct records {
	const uint8_t *bytes;
	size_t len, at; /* at: where the next record begins */
};

/* The next record, which may be unaligned, and its header; NULL at the end, or at an incomplete record. */
static inline const uint8_t *records_next(struct records *r, struct perf_event_header *header)
{
	const uint8_t *record;

	if (r->len - r->at < sizeof(*header))
		return NULL;
	record = r->bytes + r->at;
	memcpy(header, record, sizeof(*header));
	if (header->size < sizeof(*header) || header->size > r->len - r->at)
		return NULL;
	r->at += header->size;
	return record;
}

/* The time of a record that is not a sample; 0: unknown. */
static inline uint64_t records_time(const uint8_t *record, size_t size)
{
	struct recording_trailer trailer = { 0 };

	if (size >= sizeof(struct perf_event_header) + sizeof(trailer))
		memcpy(&trailer, record + size - sizeof(trailer), sizeof(trailer));
	return trailer.time_ns;
}

/* Does the record give names or mappings, without which later samples have no names? */
bool record_is_state(uint32_t type);

/* The record of size bytes that begins at iov[0] + at and ends in iov[1], joined in a buffer that the next call
 * reuses. */
const uint8_t *records_join(const struct iovec *iov, size_t at, size_t size);

/* Apply what records say about mappings, forks and execs (core/symbols/space/changes.h). */
void records_apply_changes(struct records records, struct spaces *spaces, struct modules *modules);

/* How far a growing recording was read.  {0}: begin at the first record. */
struct new_records {
	uint64_t seen; /* number of bytes of the file read so far */
};

/* Call look() for each whole record appended since the last call to the recording at path.  Its whole records have
 * size bytes.  Does nothing if the recording cannot be read. */
void new_records_read(struct new_records *n, const char *path, uint64_t size,
		      void (*look)(void *argument, const uint8_t *record, uint32_t type), void *argument);

#endif
