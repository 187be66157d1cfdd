/* error_word: the error of a system call, in words. */
#ifndef COLLAPSE_ROOTS_ERROR_WORD_H
#define COLLAPSE_ROOTS_ERROR_WORD_H

#include <stdint.h>

#include "core/str.h"

/* Append "ENOENT"; "ERESTARTSYS" and the like if a signal interrupted the call; "errno_999". */
void error_word_add(struct str *out, uint32_t error);

#endif
