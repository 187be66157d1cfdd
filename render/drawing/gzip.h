/* gzip: RFC 1952, without a time or a name, so that equal input gives equal output. */
#ifndef RENDER_GZIP_H
#define RENDER_GZIP_H

#include <stdbool.h>
#include <stdio.h>

#include "core/str.h"

/* Write bytes to out, packed.  Returns 0, or -1 after a message.  Write errors are left to outfile_commit(). */
int gzip_write(FILE *out, const char *bytes, size_t len);

/* Do the bytes begin like a gzip file? */
bool gzip_is(const char *bytes, size_t len);

/* Append bytes, unpacked.  Returns NULL, or what is wrong: invalid bytes, or out would become
 * longer than max. */
const char *gzip_read(struct str *out, const char *bytes, size_t len, size_t max);

#endif
