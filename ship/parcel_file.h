/* parcel_file: a parcel as a file: "pyrograph-parcel 1\n", numbers, the parts of their lengths, the hash of all before it.
 *
 * So a file that is cut short, that lost blocks in a power cut, or that a disk changed, is not taken for a parcel. */
#ifndef SHIP_PARCEL_FILE_H
#define SHIP_PARCEL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "ship/batch.h"

enum { PARCEL_FILE_START = 256 }; /* its first bytes have all numbers */

/* Errors are those of the stream. */
void parcel_file_write(FILE *out, const struct parcel *p);

/* Does a file of this size that starts with these bytes, PARCEL_FILE_START or all, have the length that it says? */
bool parcel_file_has_its_length(const char *start, size_t len, uint64_t size);

/* Returns false, with an empty p, if these bytes are not a whole parcel. */
bool parcel_file_parse(const char *bytes, size_t size, struct parcel *p);

#endif
