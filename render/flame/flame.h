/* flame: the flame graph.  Each frame is a box over its caller's (under it in
 * an icicle graph), as wide as its share of the values. */
#ifndef RENDER_FLAME_H
#define RENDER_FLAME_H

#include <stdbool.h>
#include <stdio.h>

#include "render/colours/colouring.h"
#include "render/colours/palette.h"
#include "render/drawing/canvas.h"
#include "render/drawing/format.h"
#include "render/drawing/heading.h"
#include "render/drawing/legend.h"
#include "render/flame/layered.h"
#include "render/flame/layout.h"
#include "render/flame/look.h"
#include "render/profile/number.h"
#include "render/profile/profile.h"
#include "render/profile/tree.h"

/* What the user asked for. */
struct flame_style {
	const char *title, *subtitle, *notes, *nametype, *script_url;
	bool no_script; /* only the picture */
	int32_t width_px;
	bool fluid; /* a browser may change the width */
	int32_t frame_height_px;
	double min_width_px; /* frames narrower than this are not drawn */
	bool inverted;       /* root on top */
	bool reversed;       /* stacks are merged from their leaves */
	struct font font;
	struct look look;
	const struct palette *palette; /* look's */
	const struct theme *theme;     /* look's */
	struct background background;
	struct unit unit;
	const struct picture_format *format;
	double scale; /* of PNG and PDF */
};

struct diff;
struct mode;

/* One picture to be made: frame root of tree and all below it. */
struct flame {
	const struct flame_style *style;
	const struct profile *profile;
	const struct tree *tree;
	uint32_t root;
	const struct colouring *colouring;
	const struct mode *mode; /* NULL: plain */
	/* dress_make() sets these: */
	const struct layered *layered; /* NULL: a plain picture */
	const struct diff *panels;     /* [panel_count] of small multiples */
	uint64_t *const *panel_totals; /* [panel_count][frame] */
	size_t panel_count;
	const char *title;
	const char *thread; /* its full name if the picture is of one, else NULL */
};

/* Its dimensions; made from a struct flame, which must outlive it. */
struct flame_plan {
	const struct flame *flame;
	struct layout layout;
	struct heading heading;
	struct panels *panels; /* of small multiples, else NULL: layout is not drawn */
	struct legend legend;
	struct heading details;           /* below the frames */
	int32_t w, h, legend_y, frames_y; /* cpx */
};

/* Write the picture.  Returns 0, or -1 after a message (a picture too large for
 * its format); a file that refuses bytes is left to outfile_commit(). */
int flame_write(const struct flame *f, FILE *out);

/* The same into the file path ("-" or NULL is stdout), which appears when it is whole. */
int flame_write_file(const struct flame *f, const char *path);

/* The same under a name of ours in the directory dir; path is for messages. */
int flame_write_own(const struct flame *f, int dir, const char *name, const char *path);

/* Write a picture of each child of the whole's root, and an index.html for them, into directory dir,
 * which is made if it does not exist; with_script: also the script that they share (split_page.h).
 * Returns 0, or -1 after a message. */
int flame_write_split(const struct flame *whole, const char *dir, const struct dimension *dimension, bool with_script);

/* ---- between flame.c, flame_draw.c and flame_svg.c ---- */

void flame_plan_make(struct flame_plan *plan, const struct flame *f);
void flame_plan_free(struct flame_plan *plan);

/* What decides how frames in inner cpx are laid out; min_value is of total. */
struct layout_size flame_layout_size(const struct flame *f, int32_t inner, uint64_t total);

void flame_draw(const struct flame_plan *plan, struct canvas *c);

/* Only the frames, without a group. */
void flame_draw_frames(const struct flame_plan *plan, struct canvas *c);

enum {
	FLAME_PAD = 10 * CPX,         /* left and right of the frames */
	FLAME_WIDTH_GRAIN = 10000,    /* the steps of min_width_px in a pixel, so that C and the script agree */
	FLAME_ROWS_PX_MAX = 10000000, /* in cpx, half of what fits in an int32_t */
};

/* The whole SVG file. */
void flame_svg(const struct flame_plan *plan, struct str *out);

#endif
