/* row: reads rows of ClickHouse's formats RowBinary and Native, as far as they are complete. */
#ifndef SHIP_ROW_H
#define SHIP_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/error.h"
#include "core/str.h"

enum { ROW_MAX = 64 << 20 }; /* bytes: longer than any of ours */

struct binary_row {
	const char *at, *end;
};

/* The next len bytes; NULL, from now on, if they are not available. */
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

/* A number of 7 bits a byte; false as above. */
static inline bool row_varint(struct binary_row *r, uint64_t *n)
{
	const char *byte;
	int shift = 0;

	*n = 0;
	do {
		byte = row_bytes(r, 1);
		if (!byte || shift > 56)
			return false;
		*n |= (uint64_t)(*byte & 0x7f) << shift;
		shift += 7;
	} while (*byte & 0x80);
	return true;
}

/* A String; NULL as above. */
static inline const char *row_text(struct binary_row *r, size_t *len)
{
	uint64_t n;

	*len = 0;
	if (!row_varint(r, &n))
		return NULL;
	*len = n;
	return row_bytes(r, n);
}

/* Can more bytes of the answer follow, whose rest is the beginning of a row?  If not, returns false after a message. */
static inline bool row_may_go_on(const struct str *rest)
{
	return rest->len <= ROW_MAX || error("a row of the store's answer does not end") == 0;
}

/* Keep the bytes from `from` on, which are in s. */
static inline void str_keep_from(struct str *s, const char *from)
{
	size_t left = (size_t)(s->buf + s->len - from);

	memmove(s->buf, from, left);
	s->len = left;
}

#endif
