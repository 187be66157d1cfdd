/* label_words: what numbers in labels mean, in words: page faults, requests of block devices, errors of system calls. */
#ifndef COLLAPSE_ROOTS_LABEL_WORDS_H
#define COLLAPSE_ROOTS_LABEL_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

/* Append "major-read-file", from enum recording_fault. */
void fault_type_add(struct str *out, uint32_t fault);

/* "block-io", from enum recording_reason. */
const char *fault_reason(uint32_t reason);

/* Append "write-sync", from enum recording_io. */
void io_operation_add(struct str *out, uint32_t io);

/* Append "vda"; the argument is the text after the number in RECORDING_DEVICES. */
void io_device_add(struct str *out, const char *text, size_t len);

/* The class of a size, for io_size_add(): all sizes between two powers of two have the same class.  bytes < 0 is an
 * unknown size: its class is 0, for which io_size_add() appends nothing. */
uint32_t io_size_class(int64_t bytes);

/* Append "0", "below-4k", "4k-8k", "1M-2M". */
void io_size_add(struct str *out, uint32_t class);

/* Append the name of a system call's error: "ENOENT"; "ERESTARTSYS" and the like if a signal interrupted the call;
 * "errno_999". */
void error_word_add(struct str *out, uint32_t error);

#endif
