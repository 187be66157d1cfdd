/* frame: makes text fit for a frame of a folded line (core/format/folded.h). */
#ifndef COLLAPSE_FOLD_FRAME_H
#define COLLAPSE_FOLD_FRAME_H

#include <stdbool.h>
#include <stddef.h>

#include "core/str.h"

/* Append text as a frame: ';' becomes ':', whatever is not printable (core/printable.h) '?', a blank at the start or
 * end '_'.  Where the text would read as the end of a line ("name 12"), or its start as a comment ("# x") or a time
 * ("@1.5 "), that blank becomes '_', too.  Applying this twice changes nothing more.  Empty text: "[no name]". */
void frame_add(struct str *out, const char *text, size_t len);

#endif
