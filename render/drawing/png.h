/* png: pixels as a PNG file (PNG specification, third edition, W3C), for an image inside
 * another file.  With at most 256 colours it has a palette, else three bytes per pixel. */
#ifndef RENDER_PNG_H
#define RENDER_PNG_H

#include "core/str.h"
#include "render/drawing/canvas.h"

/* Append the file, of w x h pixels; each must be at least the number of cells in that direction. */
void png_add(struct str *out, const struct pixels *pixels, uint32_t w, uint32_t h);

/* Append bytes in base 64 (RFC 4648, section 4). */
void base64_add(struct str *out, const char *bytes, size_t len);

#endif
