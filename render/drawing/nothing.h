/* nothing: a picture that tells why there is nothing to draw. */
#ifndef RENDER_DRAWING_NOTHING_H
#define RENDER_DRAWING_NOTHING_H

#include "render/drawing/format.h"

struct nothing {
	const char *kind; /* picture.h: "states" */
	const char *unit; /* "ns" */
	int32_t width_px;
	double scale;
	const struct font *font;
	const struct theme *theme;
	const struct background *background;
	const struct picture_format *format;
};

/* Say on stderr and in a picture (file path; "-" or NULL is stdout) that nothing can be drawn.  Returns the
 * exit status: 2, or 1 if the file could not be written. */
int nothing_write(const struct nothing *nothing, const char *reason, const char *path);

#endif
