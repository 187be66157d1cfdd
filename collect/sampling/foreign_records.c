#include "collect/sampling/foreign_records.h"

#include <linux/perf_event.h>
#include <string.h>

/* How many thread ids a record begins with: pid tid, or pid ppid tid ptid; 0: it has none. */
static size_t foreign_ids(uint32_t type)
{
	switch (type) {
	case PERF_RECORD_COMM:
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_NAMESPACES: return 2;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT: return 4;
	default: return 0;
	}
}

bool foreign_records_possible(const unsigned char *ring, size_t size, uint64_t from, uint64_t to)
{
	struct perf_event_header header;

	for (; from < to; from += header.size) {
		memcpy(&header, ring + (from & (size - 1)), sizeof(header)); /* whole words, which do not wrap */
		if (header.size < sizeof(header))
			return false;
		if (foreign_ids(header.type))
			return true;
	}
	return false;
}

static bool foreign_is_ours(const unsigned char *record, const struct perf_event_header *header,
			    bool (*is_target)(uint32_t tid))
{
	size_t count = foreign_ids(header->type);
	uint32_t ids[4];

	if (!count || header->size < sizeof(*header) + count * sizeof(*ids))
		return true;
	memcpy(ids, record + sizeof(*header), count * sizeof(*ids));
	if ((int32_t)ids[0] < 0) /* of the kernel */
		return true;
	for (size_t i = 0; i < count; i++) {
		if (is_target(ids[i]))
			return true;
	}
	return false;
}

size_t foreign_records_drop(unsigned char *bytes, size_t len, bool (*is_target)(uint32_t tid))
{
	struct perf_event_header header;
	size_t kept = 0;

	for (size_t at = 0; len - at >= sizeof(header); at += header.size) {
		memcpy(&header, bytes + at, sizeof(header));
		if (header.size < sizeof(header) || header.size > len - at) { /* malformed */
			memmove(bytes + kept, bytes + at, len - at);
			return kept + len - at;
		}
		if (!foreign_is_ours(bytes + at, &header, is_target))
			continue;
		memmove(bytes + kept, bytes + at, header.size);
		kept += header.size;
	}
	return kept;
}
