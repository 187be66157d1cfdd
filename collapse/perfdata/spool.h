/* spool: copies input that cannot be mapped to a temporary file without a name. */
#ifndef COLLAPSE_PERFDATA_SPOOL_H
#define COLLAPSE_PERFDATA_SPOOL_H

#include <stdint.h>

#include "collapse/input/input.h"
#include "collapse/perfdata/record.h"

/* Copy a whole input (a pipe, or a packed file) to a new spool.  Returns the spool's descriptor, or -1 after a
 * message. */
int spool_copy(struct input_stream *in);

/* Write records, after decompressing the compressed ones, to a new spool; path names the file in messages.  Returns its
 * descriptor and its *size, or -1 after a message. */
int spool_expand(struct record_cursor records, const char *path, uint64_t *size);

#endif
