/* header: the pairs of the line with which collapse's output begins (core/format/folded.h). */
#ifndef SHIP_HEADER_H
#define SHIP_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/str.h"

/* Append the value of key, without its quotes and escapes, to value.  Returns false if there is none. */
bool header_value(const char *header, const char *key, struct str *value);

/* "lost=3/12345".  Numbers that are not there are 0. */
void header_lost(const char *header, uint64_t *lost, uint64_t *seen);

#endif
