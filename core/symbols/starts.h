/* starts: does a user stack reach back to where its thread began?
 *
 * Code without frame pointers breaks the chain of callers: it ends after a frame or two, or
 * goes on at some value that was taken for an address.  But a thread whose function calls
 * nothing has a stack of two frames as well, and there nothing is missing: the outermost one
 * is _start, start_thread or the like. */
#ifndef CORE_SYMBOLS_STARTS_H
#define CORE_SYMBOLS_STARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/symbols/modules.h"

/* Does a stack of depth user frames, found by frame pointers and not cut, not begin at such a
 * function?  name (as in the symbol table; NULL: none) and module (NULL: none) are of the
 * outermost frame.  Of a stripped program's own functions nobody can tell: only stacks of one
 * or two of them are called broken. */
bool stack_is_broken(size_t depth, const char *name, const struct module *module);

#endif
