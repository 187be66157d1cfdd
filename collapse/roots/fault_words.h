/* fault_words: what a page fault was, and where its time went, in words. */
#ifndef COLLAPSE_ROOTS_FAULT_WORDS_H
#define COLLAPSE_ROOTS_FAULT_WORDS_H

#include <stdint.h>

#include "core/str.h"

/* Append "major-read-file", from enum recording_fault. */
void fault_type_add(struct str *out, uint32_t fault);

/* "block-io", from enum recording_reason. */
const char *fault_reason(uint32_t reason);

#endif
