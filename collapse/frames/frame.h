/* frame: makes text fit for a frame of a folded line (core/format/folded.h). */
#ifndef COLLAPSE_FRAMES_FRAME_H
#define COLLAPSE_FRAMES_FRAME_H

#include <stddef.h>

#include "core/str.h"

/* Append text as a frame: ';' becomes ':', unprintable characters (core/utf8.h) become '?', a
 * blank at the start or end becomes '_'.  If the end of the text could be read as a value ("name
 * 12"), or its start as a comment ("# x") or a time ("@1.5 "), the blank in it becomes '_', too.
 * Cleaning a text twice gives the same result.  Empty text: FRAME_NO_NAME. */
#define FRAME_NO_NAME "[no name]"
void frame_add(struct str *out, const char *text, size_t len);

/* The length of a frame without its annotations.  An annotation is "_[k]", with any single byte for the k. */
size_t frame_bare_len(const char *frame, size_t len);

#endif
