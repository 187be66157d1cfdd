/* progress: one line on a terminal's stderr, rewritten in place.
 * Silent when stderr is not a terminal, or with --quiet. */
#ifndef CORE_PROGRESS_H
#define CORE_PROGRESS_H

#include "core/error.h"

/* Show the line; call as often as you like: it is shown at most 10 times a second. */
void progress(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* Wipe the line, before other output and at the end. */
void progress_clear(void);

#endif
