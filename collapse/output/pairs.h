/* pairs: the "key=value " pairs of the comments in folded text (core/format/folded.h).  Each function
 * appends a pair and a blank. */
#ifndef COLLAPSE_OUTPUT_PAIRS_H
#define COLLAPSE_OUTPUT_PAIRS_H

#include <stdint.h>

#include "core/str.h"

void pair_add(struct str *out, const char *key, const char *value);
void pair_add_count(struct str *out, const char *key, uint64_t count);

/* pair_add_time() writes ISO 8601, pair_add_instant() seconds.nanoseconds. */
void pair_add_time(struct str *out, const char *key, uint64_t wall_ns);
void pair_add_instant(struct str *out, const char *key, uint64_t ns);

#endif
