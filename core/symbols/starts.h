/* starts: does a user stack reach back to where its thread began?
 *
 * Code without frame pointers breaks the chain of callers after a frame or two.
 * But a thread whose function calls nothing has a stack of two frames as well, and
 * there nothing is missing: the outermost one is _start, start_thread or the like. */
#ifndef CORE_SYMBOLS_STARTS_H
#define CORE_SYMBOLS_STARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/symbols/modules.h"

/* Is a stack of depth user frames one or two frames deep without beginning at such
 * a function?  name (as in the symbol table; NULL: none) and module (NULL: none)
 * are of the outermost frame. */
bool stack_is_short(size_t depth, const char *name, const struct module *module);

#endif
