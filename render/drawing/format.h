/* format: the kinds of file that a picture can be.
 *
 * To add one: a row in format.c. */
#ifndef RENDER_FORMAT_H
#define RENDER_FORMAT_H

#include <stdint.h>
#include <stdio.h>

#include "render/drawing/canvas.h"
#include "render/drawing/page.h"
#include "render/drawing/settings.h"

/* A chart that is ready to be written to a file. */
struct drawing {
	int32_t w, h;            /* cpx */
	double scale;            /* of PNG and PDF: see cairo_canvas.h */
	const struct font *font; /* with the format's metrics */
	const struct theme *theme;
	const struct background *background;
	struct picture picture;
	const char *summary; /* as in picture_add() */
	void (*draw)(const void *chart, struct canvas *c);

	/* Of SVG: */
	const struct page *page;                          /* NULL: no scripts */
	const char *script_url;                           /* URL of the scripts; NULL: they are in the file */
	const char *siblings_url;                         /* URL of a list of the run's charts, or NULL */
	void (*data)(const void *chart, struct str *out); /* appends what they draw from; NULL: nothing */

	const void *chart; /* passed to draw and data, which know its type */
};

struct picture_format {
	const char *name;               /* the word for --format, and the ending of file names */
	const struct cairo_kind *cairo; /* NULL: SVG */
	bool in_pages;                  /* HTML's <img> can show it */
	/* Returns 0, or -1 after a message.  Write errors are left to outfile_commit(). */
	int (*write)(const struct picture_format *f, const struct drawing *d, FILE *out);
};

/* Append the whole SVG file. */
void drawing_svg(const struct drawing *d, struct str *out);

/* Write the picture to path (NULL, "-": stdout).  Returns 0, or -1 after a message. */
int drawing_write(const struct drawing *d, const struct picture_format *f, const char *path);

/* How many frames may be boxes of their own in a picture of width_px; 0: any number.  The others are drawn as
 * larger shapes.  A browser copes with a few thousand elements, a PDF viewer with some more; a PNG has no
 * elements. */
uint32_t format_boxes_max(const struct picture_format *f, int32_t width_px);

/* The least width of such a box: half of the smallest size that a viewer can show. */
int32_t format_box_cpx(const struct picture_format *f, double scale);

/* The format called name; or, when that is NULL, of the file called path, which
 * may be NULL or without a suffix: SVG.  If it is unknown, exits 2 and lists the
 * known ones. */
const struct picture_format *picture_format_find(const char *name, const char *path);

/* The metrics of the fonts in which text is drawn; NULL for SVG.  The caller calls
 * format_metrics_free(). */
struct font_metrics *format_metrics(const struct picture_format *f, const struct font *font, double scale);

/* NULL is accepted. */
void format_metrics_free(struct font_metrics *m);

/* ---- A picture that says why there is nothing to draw ---- */

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
