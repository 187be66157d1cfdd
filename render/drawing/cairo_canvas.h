/* cairo_canvas: a canvas that becomes a PNG or a PDF file, drawn by cairo.
 *
 * A pixel of the picture is scale pixels of a PNG; in a PDF it is scale * 0.75
 * points (1/96 inch, as in CSS), and text is text. */
#ifndef RENDER_CAIRO_CANVAS_H
#define RENDER_CAIRO_CANVAS_H

#include <cairo.h>
#include <stdio.h>

#include "render/drawing/canvas.h"
#include "render/drawing/font.h"

struct cairo_canvas {
	struct canvas canvas; /* must be first: each of our struct canvas * is one of these */
	cairo_surface_t *surface;
	cairo_t *cairo;
	FILE *file;
};

/* The file's metadata (PDF only). */
struct cairo_about {
	const char *title;
	const char *subject; /* may be NULL */
	const char *created; /* ISO 8601; NULL: unknown */
};

struct cairo_kind;
extern const struct cairo_kind cairo_png, cairo_pdf;

/* Device pixels per pixel for cairo_font_make(): 0 for PDF. */
double cairo_hinting_scale(const struct cairo_kind *kind, double scale);

/* Begin a picture of w_cpx x h_cpx that goes to out.  The font has the metrics of
 * cairo_font_make().  Returns 0, or -1 after a message if the picture is too large
 * or too small for cairo.
 *
 * PNG: at most 32767 pixels wide and high, and at most 500 million pixels in all.  PDF: readers
 * take pages of at most 14400 points; a larger picture is drawn smaller, to fit. */
int cairo_canvas_open(struct cairo_canvas *c, const struct cairo_kind *kind, int32_t w_cpx, int32_t h_cpx, double scale,
		      const struct font *font, const struct theme *theme, const struct background *background,
		      FILE *out);

/* Write the picture.  Returns 0, or -1 after a message; outfile_commit() reports
 * write errors. */
int cairo_canvas_write(struct cairo_canvas *c, const struct cairo_kind *kind, const struct cairo_about *about);

/* {0} is accepted. */
void cairo_canvas_free(struct cairo_canvas *c);

/* The fonts in which cairo draws text, and their metrics.
 *
 * A family list as in CSS becomes all fonts that fontconfig knows, best match first; each character is drawn with the
 * first font that has it.
 * Text is not shaped: advances are added up, so that a text is as wide as was measured. */

/* The fonts for family.  scale: device pixels per pixel; 0: the format has no pixels (PDF), and letters are not
 * hinted.  The caller calls cairo_font_free(). */
struct font_metrics *cairo_font_make(const char *family, double scale);

/* NULL is accepted. */
void cairo_font_free(struct font_metrics *m);

#endif
