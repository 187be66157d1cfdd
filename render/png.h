/* png: a canvas that becomes a PNG file, drawn by cairo. */
#ifndef RENDER_PNG_H
#define RENDER_PNG_H

#include <cairo.h>
#include <stdio.h>

#include "render/canvas.h"

struct png {
	struct canvas canvas; /* first: a struct canvas * of ours is a struct png * */
	cairo_surface_t *surface;
	cairo_t *cairo;
};

/* Returns 0, or -1 after a message when cairo cannot make a picture so large. */
int png_open(struct png *p, int32_t w_cpx, int32_t h_cpx, const struct font *font,
	     const struct background *background);

/* Write the picture.  Returns 0, or -1 after a message; when the file refused
 * the bytes, that is left to outfile_commit() to tell. */
int png_write(struct png *p, FILE *out);

/* {0} is accepted. */
void png_free(struct png *p);

#endif
