#include "collect/machine/ksymbol_size.h"

#include <linux/perf_event.h>
#include <string.h>

#include "core/format/recording.h"

enum { NAME_AT = 24 /* header, address, length, type, flags */, WORD = 8, TRAILER = sizeof(struct recording_trailer) };

/* The size of the ring when the bytes are not in a ring. */
#define UNWRAPPED (SIZE_MAX / 2 + 1)

/* Records are made of whole words, which do not wrap. */
static const unsigned char *ksymbol_size_word_at(const unsigned char *ring, size_t size, uint64_t at)
{
	return ring + (at & (size - 1));
}

/* Reads a header; returns false if it is malformed. */
static bool next_header(const unsigned char *ring, size_t size, uint64_t at, uint64_t end, struct perf_event_header *to)
{
	memcpy(to, ksymbol_size_word_at(ring, size, at), sizeof(*to));
	return to->size >= sizeof(*to) && to->size % WORD == 0 && to->size <= end - at;
}

/* Number of surplus bytes after the trailer of a record. */
static uint64_t surplus_of(const unsigned char *ring, size_t size, uint64_t start, uint64_t len)
{
	uint64_t name_end = NAME_AT + WORD; /* with its padding */

	while (name_end < len && !memchr(ksymbol_size_word_at(ring, size, start + name_end - WORD), '\0', WORD))
		name_end += WORD;
	return name_end + TRAILER < len && (len - name_end) % TRAILER == 0 ? len - name_end - TRAILER : 0;
}

bool ksymbols_are_right(const unsigned char *ring, size_t size, uint64_t from, uint64_t to)
{
	struct perf_event_header header;

	for (; from < to && next_header(ring, size, from, to, &header); from += header.size) {
		if (header.type == PERF_RECORD_KSYMBOL && surplus_of(ring, size, from, header.size))
			return false;
	}
	return true;
}

void ksymbols_mend(unsigned char *bytes, size_t len)
{
	struct perf_event_header header;
	size_t surplus;

	for (size_t at = 0; at < len && next_header(bytes, UNWRAPPED, at, len, &header); at += header.size) {
		unsigned char *end = bytes + at + header.size;

		surplus = header.type == PERF_RECORD_KSYMBOL ? surplus_of(bytes, UNWRAPPED, at, header.size) : 0;
		if (!surplus)
			continue;
		memmove(end - TRAILER, end - TRAILER - surplus, TRAILER);
		memset(end - TRAILER - surplus, 0, surplus);
	}
}
