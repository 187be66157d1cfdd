/* starts: does a user stack reach back to where its thread began?
 *
 * Code without frame pointers breaks the chain of callers: the chain ends after a frame or two, or continues at a value
 * that was taken for an address.  But the stack of a thread whose function calls nothing also has two frames, and is
 * complete: the outermost one is _start, start_thread or the like. */
#ifndef CORE_SYMBOLS_STARTS_H
#define CORE_SYMBOLS_STARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/symbols/space/modules.h"

enum { STARTS_LOOKED_AT = 4 }; /* outermost frames examined: above a start there may be remains of other code */

/* Is the name (as in the symbol table; NULL: none) that of such a function? */
bool is_thread_start(const char *name);

enum stack_start {
	START_SEEN,   /* the stack begins at such a function */
	START_UNSEEN, /* the stack begins at another function, which may be the first one of the user's code:
		       * whole */
	START_LOST,   /* the stack looks broken: nothing is mapped there, or it has only one or two frames */
};

/* How a stack of depth user frames begins, found by frame pointers and not cut, if the outermost frames contain no
 * start.  name and module (NULL: none) are of the outermost frame that lies in any module; astray: frames further
 * out lie in none. */
enum stack_start stack_start_of(size_t depth, bool astray, const char *name, const struct module *module);

#endif
