/* flame: the flame graph.  Each frame is a box above that of its caller (below it in an icicle graph), as wide as its
 * share of the values. */
#ifndef RENDER_FLAME_H
#define RENDER_FLAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/str.h"
#include "render/colours/colouring.h"
#include "render/colours/palette.h"
#include "render/drawing/canvas.h"
#include "render/drawing/format.h"
#include "render/drawing/heading.h"
#include "render/drawing/legend.h"
#include "render/drawing/page.h"
#include "render/flame/layout.h"
#include "render/flame/look.h"
#include "render/profile/number.h"
#include "render/profile/profile.h"
#include "render/profile/source.h"
#include "render/profile/tree.h"

/* The user's choices. */
struct flame_style {
	const char *title, *subtitle, *notes, *nametype, *script_url, *siblings_url;
	char *headline; /* owned; NULL: none */
	bool no_script; /* only the picture */
	int32_t width_px;
	bool fluid; /* the picture fits the browser's width */
	int32_t frame_height_px;
	double min_width_px; /* frames narrower than this are not drawn */
	uint32_t max_depth;  /* deeper frames are not drawn, either, except by the script; 0: no limit */
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
struct shown;
struct wait_colouring;

/* A picture to draw: frame root of tree and all below it. */
struct flame {
	const struct flame_style *style;
	const struct profile *profile;
	const struct tree *tree;
	const struct tree *whole;  /* the tree with the idle stacks; NULL: the same as tree */
	const struct shown *shown; /* the stacks that `tree` lacks; NULL if `whole` is NULL */
	uint64_t dropped, kept;    /* sums of the values read, of idle stacks (which are not in the file) and of all
				    * others */
	bool drops_waits;          /* dropped: those of waits for work, rather than of CPUs */
	uint32_t root;
	const struct colouring *colouring;
	const struct wait_colouring *waits; /* the same, if it is coloured by kinds of wait; else NULL */
	const struct wall_colouring *wall;  /* the same, if it is coloured by running and blocked time; else NULL */
	const struct mode *mode;            /* NULL: plain */
	/* dress_make() sets these: */
	const struct layered *layered; /* NULL: a plain picture */
	const struct diff *panels;     /* [panel_count] of small multiples */
	uint64_t *const *panel_totals; /* [panel_count][frame] */
	size_t panel_count;
	const char *title;
	const char *thread; /* the full name if the picture shows one thread, else NULL */
	uint32_t rest;      /* of a split: the frame of all that are too small for a picture of their own; 0: none */
};

/* The layout of a picture; made from a struct flame, which must outlive it. */
struct flame_plan {
	const struct flame *flame;
	struct layout layout;
	struct heading heading;
	struct panels *panels; /* for small multiples, in place of layout; NULL: none */
	struct legend legend;
	struct heading details;                      /* below the frames */
	int32_t w, h, legend_y, frames_y, details_y; /* cpx */
};

/* Write the picture.  Returns 0, or -1 after a message (a picture too large for its format).  Write errors are
 * left to outfile_commit(). */
int flame_write(const struct flame *f, FILE *out);

/* The same into the file path ("-" or NULL is stdout), which appears once it is complete. */
int flame_write_file(const struct flame *f, const char *path);

/* The same into a file in the directory dir, under a name that we have chosen; path is for messages. */
int flame_write_own(const struct flame *f, int dir, const char *name, const char *path);

/* Write a picture of each child of the whole's root, and an index.html for these, into the directory dir, which is
 * created if necessary; with_script: also the script that they share (split_page.h).  Returns 0, or -1 after a
 * message. */
int flame_write_split(const struct flame *whole, const char *dir, const struct dimension *dimension, bool with_script);

/* ---- between flame.c, flame_draw.c and flame_svg.c ---- */

void flame_plan_make(struct flame_plan *plan, const struct flame *f);
void flame_plan_free(struct flame_plan *plan);

/* The limits of a layout whose width is inner, in cpx; min_value follows from total. */
struct layout_size flame_layout_size(const struct flame *f, int32_t inner, uint64_t total);

/* What FOLDED_CHAIN_FRAME means in this profile: "woken by", "held by". */
#define FLAME_CHAIN_WORDS "woken by"
const char *flame_chain_words(const struct flame *f);

/* Append what the picture hides, and how to show it: "Idle hidden: 90 samples of idle CPUs, 90.00% of all (Shift+I
 * shows them)"; nothing if it hides nothing. */
void flame_idle_note(struct str *out, const struct flame *f);

/* Append what collapse left out before: "Waits for work: 3 s, 23.08% of all, left out by collapse ..."; or nothing. */
void flame_left_out_note(struct str *out, const struct flame *f);

void flame_draw(const void *plan, struct canvas *c);

/* Draw only the frames, without a group. */
void flame_draw_frames(const struct flame_plan *plan, struct canvas *c);

enum {
	FLAME_PAD = 10 * CPX,         /* left and right of the frames */
	FLAME_WIDTH_GRAIN = 10000,    /* min_width_px is a multiple of 1/10000, so that C and the script agree */
	FLAME_ROWS_PX_MAX = 10000000, /* in cpx, half of what fits in an int32_t */
};

/* The plan must outlive it. */
struct drawing flame_drawing(const struct flame_plan *plan);

/* The scripts and styles in pictures of flame graphs. */
extern const struct page flame_page;

/* ---- What a picture of several layers shows in addition to a plain one ---- */

struct layered {        /* {0} adds nothing */
	struct origin { /* lines of the heading, one for each input */
		char *name;
		const uint64_t *totals; /* [frame] NULL: no total is shown */
		const struct folded_source *source;
	} * origins;
	size_t origin_count, origin_cap;
	bool says_origin; /* do not show the joined header of all inputs */
	struct str note;  /* a line of the heading: how the inputs were combined */
	struct legend legend;
	struct str settings;        /* members for flame-settings, each after a comma */
	struct folded_source about; /* more for <metadata id="pyrograph"> (picture.h) */
	const uint64_t *totals;     /* [frame] the picture's totals; NULL: its widths */
};

/* Add an input; name is copied, totals and source must outlive l. */
void layered_add_origin(struct layered *l, const char *name, const uint64_t *totals,
			const struct folded_source *source);

/* Add source to l->about, with "prefix_" before each key. */
void layered_about(struct layered *l, const char *prefix, const struct folded_source *source);

void layered_free(struct layered *l);

#endif
