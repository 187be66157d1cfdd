/* packed_stream: a gzip file (RFC 1952) that is written piece by piece.  The same input gives the same output, because
 * there is no time and no name in it, and blocks have a fixed size, however many threads pack them.
 *
 *     header | block 1 | block 2 | ... | CRC-32 and length of all of it
 *
 * Input of up to PACKED_WHOLE is one block, which libdeflate compresses at the end, in half of zlib's time.  Longer
 * input is divided into blocks.  Each is compressed by itself, with the end of the previous block as its dictionary, so
 * that two can be packed at once.  The result is a single member, as readers expect. */
#ifndef COLLAPSE_WIRE_PACKED_STREAM_H
#define COLLAPSE_WIRE_PACKED_STREAM_H

#include <stdio.h>

#include "core/str.h"

enum { PACKED_WHOLE = 16 << 20 };

struct packed_stream;

/* Start writing to out.  The caller frees it with packed_stream_end(). */
struct packed_stream *packed_stream_begin(FILE *out);

void packed_stream_add(struct packed_stream *s, const char *bytes, size_t len);

/* Write the rest.  The caller must check out for errors. */
void packed_stream_end(struct packed_stream *s);

#endif
