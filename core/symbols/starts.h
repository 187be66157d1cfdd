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

#include "core/symbols/space/modules.h"

enum { STARTS_LOOKED_AT = 4 }; /* outermost frames: behind a start may be what other code left */

/* Is it the name (as in the symbol table; NULL: none) of such a function? */
bool is_thread_start(const char *name);

enum stack_start {
	START_SEEN,   /* it begins at such a function */
	START_UNSEEN, /* at another one, which may well be the first of people's own code: whole */
	START_LOST,   /* it looks broken: where nothing is mapped, or after one or two frames */
};

/* How a stack of depth user frames, which was found by frame pointers and is not cut, begins,
 * when none of the outermost frames is a start.  name and module (NULL: none) are of the
 * outermost frame that lies in any module; astray: further ones lie in none. */
enum stack_start stack_start_of(size_t depth, bool astray, const char *name, const struct module *module);

#endif
