/* canvas: the surface that a chart draws on.  The chart decides what is drawn where; svg.c and cairo_canvas.c write
 * that to a file, so that all formats show the same picture.
 *
 * Lengths are in cpx, hundredths of a pixel; y grows downwards.  Text may hold
 * any bytes. */
#ifndef RENDER_CANVAS_H
#define RENDER_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "render/colours/palette.h"
#include "render/drawing/font.h"

/* The colours of everything in a picture except the frames.
 *
 * To add one: a row in canvas.c. */

/* The purpose of a text, from which canvas_style() derives its look. */
enum text_role { TEXT_FRAME, TEXT_TITLE, TEXT_NOTE, TEXT_DOUBT, TEXT_ALARM, TEXT_DETAILS, TEXT_ROLES };

struct theme {
	const char *name;
	uint32_t text[TEXT_ROLES];    /* 0xrrggbb, with a contrast of at least 4.5:1 to the background */
	uint32_t root;                /* of the root frame, "all" */
	struct background background; /* unless the user chose another one */
	const struct theme *dark;     /* shown instead by browsers that prefer dark; NULL: this one, always */
};

/* The theme called name; NULL if there is no such theme. */
const struct theme *theme_find(const char *name);

/* The theme for pictures made without --theme. */
const struct theme *theme_default(void);

/* ---- the canvas ---- */

struct frame_attributes;

struct area {
	int32_t x, y, w, h;
};

struct point {
	int32_t x, y;
};

/* Cells of one colour each, row by row from the upper left: 0xrrggbb. */
struct pixels {
	const uint32_t *rgb, *dark_rgb; /* dark_rgb: in the theme's dark one; NULL: the same */
	uint32_t columns, rows;         /* at least 1 */
};

struct text_style {
	const char *class; /* of the SVG element */
	int32_t size_cpx;
	bool bold;
};

struct canvas {
	int32_t w, h;
	struct font font;
	const struct theme *theme;

	/* tip is shown when the pointer rests there; tip_len 0: no tip. */
	void (*rect)(struct canvas *c, const struct area *a, uint32_t rgb, const char *tip, size_t tip_len);
	/* Many areas of one colour, drawn as one shape. */
	void (*shape)(struct canvas *c, const struct area *areas, size_t count, uint32_t rgb);
	/* Cells as one image that fills the area. */
	void (*image)(struct canvas *c, const struct area *a, const struct pixels *pixels, const char *tip,
		      size_t tip_len);
	/* Hatch the areas with diagonal lines, over everything drawn so far. */
	void (*hatch)(struct canvas *c, const struct area *areas, size_t count);
	/* A line from point to point, w_cpx wide. */
	void (*line)(struct canvas *c, const struct point *points, size_t count, int32_t w_cpx, uint32_t rgb);
	/* x, y: where the text's baseline starts. */
	void (*text)(struct canvas *c, enum text_role role, int32_t x, int32_t y, const char *text, size_t len);
	/* The elements that are drawn until close_group() belong together; id is for scripts. */
	void (*open_group)(struct canvas *c, const char *id);
	void (*close_group)(struct canvas *c);
	/* The same for one of many parts: class, and data-CLASS="number"; ended by close_group().  NULL if the
	 * format cannot express it. */
	void (*open_part)(struct canvas *c, const char *class, size_t number);

	/* What is drawn in rgb is dark_rgb in the theme's dark one.  NULL if the format cannot express it. */
	void (*pair)(struct canvas *c, uint32_t rgb, uint32_t dark_rgb);

	const uint32_t *stroke_rgb; /* outlines of rectangles; NULL: none */

	/* The elements drawn until close_link() belong to one frame, and get the user's attributes.  NULL if the format
	 * cannot express them. */
	void (*open_link)(struct canvas *c, const struct frame_attributes *a);
	void (*close_link)(struct canvas *c, const struct frame_attributes *a);
};

struct text_style canvas_style(const struct font *font, enum text_role role);

/* The font for text of this role, with which to measure text. */
struct font canvas_font(const struct font *font, enum text_role role);

/* The colour at part (0..1) of the way from the background to the text. */
uint32_t theme_tint(const struct theme *theme, double part);

/* The same for what is drawn next: canvas_pair() with its colour in the dark. */
uint32_t canvas_tint(struct canvas *c, double part);

/* Returns rgb; where the theme has a dark one, what is drawn in it is dark_rgb there. */
uint32_t canvas_pair(struct canvas *c, uint32_t rgb, uint32_t dark_rgb);

/* The colour of hatching, and the distance of its lines. */
#define CANVAS_HATCH_PART 0.45
uint32_t canvas_hatch_rgb(const struct theme *theme);
enum { CANVAS_HATCH = 6 * CPX };

/* The baseline of a text of size_cpx that is vertically centred in top .. top + height. */
int32_t baseline(int32_t top, int32_t height, int32_t size_cpx);

#endif
