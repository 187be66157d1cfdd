/* frame: makes text fit for a frame of a folded line (core/format/folded.h). */
#ifndef COLLAPSE_FOLD_FRAME_H
#define COLLAPSE_FOLD_FRAME_H

#include <stdbool.h>
#include <stddef.h>

#include "core/str.h"

/* Append text as a frame: ';' becomes ':', what is not printable (core/printable.h) '?', a blank at its start or end '_', and what
 * would read as the end of a line ("name 12"), as a comment ("# x") or as a
 * time ("@1.5 ") at its start gets '_' for the blank; a frame that was made so stays as it is.  Empty text: "[no name]". */
void frame_add(struct str *out, const char *text, size_t len);

#endif
