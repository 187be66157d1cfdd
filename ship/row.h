/* row: reads rows of ClickHouse's format RowBinary, as far as they are complete. */
#ifndef SHIP_ROW_H
#define SHIP_ROW_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/str.h"

struct binary_row {
	const char *at, *end;
};

/* The next len bytes; NULL, now and from then on: they are not there. */
static inline const char *row_bytes(struct binary_row *r, size_t len)
{
	const char *bytes = r->at;

	if (!bytes || (size_t)(r->end - bytes) < len) {
		r->at = NULL;
		return NULL;
	}
	r->at += len;
	return bytes;
}

/* A String; NULL as above. */
static inline const char *row_text(struct binary_row *r, size_t *len)
{
	const char *byte;
	int shift = 0;

	*len = 0;
	do {
		byte = row_bytes(r, 1);
		if (!byte || shift > 56)
			return NULL;
		*len |= (size_t)(*byte & 0x7f) << shift;
		shift += 7;
	} while (*byte & 0x80);
	return row_bytes(r, *len);
}

/* Keep what is from `from` on, which is in s. */
static inline void str_keep_from(struct str *s, const char *from)
{
	size_t left = (size_t)(s->buf + s->len - from);

	memmove(s->buf, from, left);
	s->len = left;
}

#endif
