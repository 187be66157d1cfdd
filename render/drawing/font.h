/* font: how wide text is.
 *
 * PNG and PDF are drawn by us, with fonts that can be asked (cairo_font.h).  An
 * SVG is drawn by programs with fonts that are not known here, so its widths are
 * estimates on the safe side: for each character the wider one of Verdana and
 * DejaVu Sans, which are the widest that "sans-serif" usually means.
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
	struct font_metrics *metrics; /* of the fonts that draw; NULL: not known */
};

/* What knows its fonts: code's advance in thousandths of the size, rounded up. */
struct font_metrics {
	uint32_t (*advance)(struct font_metrics *m, const struct font *f, uint32_t code);
};

struct font font_make(const char *family, double size_px);

/* The advance of one character, in thousandths of the font's size. */
uint32_t font_advance(const struct font *f, uint32_t code);

/* Of all of text; what is no UTF-8 counts as U+FFFD, as it is drawn. */
int64_t font_width(const struct font *f, const char *text, size_t len);

/* Append text if it fits in room_cpx, else its beginning and "..", cut between
 * characters (a mark stays with its letter), else (not even min_chars of it fit)
 * nothing. */
void font_fit(struct str *out, const struct font *f, const char *text, size_t len, int64_t room_cpx,
	      unsigned min_chars);

/* The same with ".." and its end. */
void font_fit_end(struct str *out, const struct font *f, const char *text, size_t len, int64_t room_cpx,
		  unsigned min_chars);

#endif
