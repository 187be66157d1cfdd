/* protobuf_reader: reads protocol buffers, field by field, in place (protobuf.dev/programming-guides/encoding).
 *
 *     struct wire fields = wire_make(bytes, len);
 *     struct wire_field f;
 *
 *     while (wire_next(&fields, &f)) ...
 *     if (fields.wrong) ...    the message is damaged at fields.at
 *
 * No length is trusted: a field that is longer than its message ends the walk. */
#ifndef CORE_PROTOBUF_READER_H
#define CORE_PROTOBUF_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pb_type { PB_VARINT = 0, PB_FIXED64 = 1, PB_BYTES = 2, PB_FIXED32 = 5 };

enum { PB_VARINT_MAX = 10 }; /* bytes */

struct wire {
	const uint8_t *at, *end;
	bool wrong;
};

struct wire_field {
	uint32_t number;
	enum pb_type type;
	uint64_t value;    /* unless it is PB_BYTES */
	struct wire bytes; /* for PB_BYTES: a string, a message, or packed numbers */
};

static inline struct wire wire_make(const void *bytes, size_t len)
{
	return (struct wire){ bytes, (const uint8_t *)bytes + len, false };
}

static inline size_t wire_len(const struct wire *w)
{
	return (size_t)(w->end - w->at);
}

/* Take a varint: 7 bits in each byte, the lowest first.  Returns false, with w->wrong, if there is none. */
bool wire_varint(struct wire *w, uint64_t *n);

/* Take size bytes, at most 8, as a number, the lowest first.  Returns false, with w->wrong, if there are fewer. */
bool wire_fixed(struct wire *w, size_t size, uint64_t *n);

/* Take the next field.  Returns false at the end, or with w->wrong if the field is incomplete. */
bool wire_next(struct wire *w, struct wire_field *f);

/* Walk through the numbers of a repeated field, which may be packed: at first *rest is f->bytes, and *first is true.
 * Returns false at the end. */
bool wire_number(const struct wire_field *f, struct wire *rest, bool *first, uint64_t *n);

#endif
