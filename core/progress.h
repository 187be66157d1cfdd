/* progress: one line on a terminal's stderr, rewritten in place.
 * Nothing when stderr is no terminal or --quiet was given. */
#ifndef CORE_PROGRESS_H
#define CORE_PROGRESS_H

#include "core/error.h"

/* Show the line; call as often as you like, it limits itself to 10 a second. */
void progress(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* Wipe the line, before other output and at the end. */
void progress_clear(void);

#endif
