/* unpack: undoes gzip, xz and zstd while an input is read. */
#ifndef COLLAPSE_INPUT_UNPACK_H
#define COLLAPSE_INPUT_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

struct packing;

/* How an input that begins with these bytes is packed; NULL: it is not packed.  RFC 1952, the .xz file format 1.1.0,
 * RFC 8878. */
const struct packing *packing_of(const char *bytes, size_t len);

/* A few kB can unpack to many GB, for example of zeros.  Profiles are repetitive, but packing makes them only 10 to 100
 * times smaller.  So beyond UNPACKED_ALWAYS bytes, an input may unpack to at most UNPACKED_TIMES its size. */
#define UNPACKED_ALWAYS ((uint64_t)256 << 20)
enum { UNPACKED_TIMES = 250 };

static inline bool unpacked_too_much(uint64_t packed, uint64_t unpacked)
{
	return unpacked > UNPACKED_ALWAYS && unpacked / UNPACKED_TIMES > packed;
}

struct unpacked; /* opaque: a thread unpacks */

/* Start to unpack what comes from fd after the bytes in head, which are taken over; fd is closed at the end unless it is
 * standard input.  path names the input in messages and must outlive the result.  *out is the descriptor of a pipe with
 * the unpacked bytes.  Returns NULL after a message if that is not possible. */
struct unpacked *unpack_start(const struct packing *packing, int fd, struct str *head, const char *path, int *out);

/* Wait until all is unpacked; call it when the pipe was read to its end, or closed.  Returns false after a warning if
 * the packed bytes are damaged or end too soon, or would unpack to too much; the good part has come out of the pipe.
 * Frees u; NULL is accepted. */
bool unpack_end(struct unpacked *u);

#endif
