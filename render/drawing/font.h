/* font: the width of text.
 *
 * We draw PNG and PDF ourselves, with fonts that can be measured (cairo_canvas.h). An SVG is drawn by other programs
 * with unknown fonts, so its widths are safe estimates: each character is taken to be as wide as in Verdana or DejaVu
 * Sans, whichever is wider; these are the widest fonts that "sans-serif" usually means.
 *
 * Lengths are in cpx, hundredths of a pixel. */
#ifndef RENDER_FONT_H
#define RENDER_FONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

enum { CPX = 100 }; /* a pixel */

struct font {
	const char *family; /* as in CSS: "Verdana, sans-serif" */
	int32_t size_cpx;
	bool monospace;         /* every character has the same width */
	uint32_t fixed_advance; /* of every character, in thousandths; 0: not given */
	bool bold;
	struct font_metrics *metrics; /* of the fonts that draw; NULL: unknown */
};

/* For fonts that can be measured: the advance of code in thousandths of the size, rounded up. */
struct font_metrics {
	uint32_t (*advance)(struct font_metrics *m, const struct font *f, uint32_t code);
};

struct font font_make(const char *family, double size_px);

/* The advance of one character, in thousandths of the font's size. */
uint32_t font_advance(const struct font *f, uint32_t code);

/* The advance of all of text; invalid UTF-8 counts as U+FFFD, as it is drawn. */
int64_t font_width(const struct font *f, const char *text, size_t len);

/* Append text if it fits in room_cpx; else its beginning and "..", cut between characters (a combining mark
 * stays with its letter); nothing if fewer than min_chars characters fit. */
void font_fit(struct str *out, const struct font *f, const char *text, size_t len, int64_t room_cpx,
	      unsigned min_chars);

/* The same with ".." and the end of text. */
void font_fit_end(struct str *out, const struct font *f, const char *text, size_t len, int64_t room_cpx,
		  unsigned min_chars);

/* The same with both ends of text, and ".." between them. */
void font_fit_middle(struct str *out, const struct font *f, const char *text, size_t len, int64_t room_cpx,
		     unsigned min_chars);

#endif
