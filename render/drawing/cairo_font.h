/* cairo_font: the fonts in which cairo draws text, and their metrics.
 *
 * A family list as in CSS becomes all fonts that fontconfig knows, in the order
 * of how well they match; each character is drawn with the first that has it.
 * Nothing is shaped: advances add up, so a text is as wide as was measured. */
#ifndef RENDER_CAIRO_FONT_H
#define RENDER_CAIRO_FONT_H

#include <cairo.h>

#include "render/drawing/font.h"

struct cairo_font;

/* The fonts for family.  scale: device pixels per pixel; 0: the format has no pixels (PDF), and letters are not
 * hinted.  The caller calls cairo_font_free(). */
struct font_metrics *cairo_font_make(const char *family, double scale);

/* Draw text, any bytes, in font, which has our metrics, from the base line at
 * x_px, y_px on, in cairo's colour.  Blanks stand for line ends and tabs. */
void cairo_font_show(cairo_t *cairo, const struct font *font, double x_px, double y_px, const char *text, size_t len);

/* Append text, any bytes, in the form that cairo accepts: UTF-8 in one line, with U+FFFD for characters that
 * cannot be drawn. */
void cairo_text_add(struct str *out, const char *text, size_t len);

/* NULL is accepted. */
void cairo_font_free(struct font_metrics *m);

#endif
