/* io_words: what a block device was asked for, in words. */
#ifndef COLLAPSE_ROOTS_IO_WORDS_H
#define COLLAPSE_ROOTS_IO_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

/* Append "write-sync", from enum recording_io. */
void io_operation_add(struct str *out, uint32_t io);

/* Append "vda", from what RECORDING_DEVICES has after the number. */
void io_device_add(struct str *out, const char *text, size_t len);

/* The class of a size, for io_size_add(): all sizes between two powers of two have the same.  bytes < 0, an unknown size:
 * class 0, for which io_size_add() appends nothing. */
uint32_t io_size_class(int64_t bytes);

/* Append "0", "below-4k", "4k-8k", "1M-2M". */
void io_size_add(struct str *out, uint32_t class);

#endif
