/* bars_style: the options that bar charts share, and the style that follows from them. */
#ifndef RENDER_BARS_STYLE_H
#define RENDER_BARS_STYLE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/opts.h"
#include "render/bars/bars.h"
#include "render/drawing/canvas.h"
#include "render/drawing/chart_options.h"
#include "render/drawing/font.h"
#include "render/drawing/format.h"

/* The options as given; bars_style_make() checks them. */
struct bars_options {
	struct chart_options common;
	const char *sort, *row, *min_share, *color_by;
	int64_t height, top;
	bool by_count, pools;
	struct text_list fold;
};

struct bars_style {
	const char *title, *subtitle, *notes, *script_url, *siblings_url;
	char *headline;         /* owned; NULL: none */
	const char *theme_name; /* auto, light, dark */
	bool no_script, fluid;  /* fluid: no width was given */
	bool by_count;          /* bars are counts */
	bool safe;              /* colours for the red-green colour-blind */
	bool by_longest;        /* colours by the longest time of a part (chart.h) */
	int32_t width_px, row_px;
	uint64_t top;     /* how many rows are drawn one by one, the others as one row; 0: all */
	double min_share; /* 0..1: rows with a smaller share are drawn as one row */
	double scale;
	struct font font;
	const struct theme *theme;
	const struct picture_format *format;
	struct bars_folding folding;
	struct line_filter lines;
};

#define BARS_OPTIONS                                              \
	{                                                         \
		.common = CHART_OPTIONS, .height = 20, .top = 500 \
	}

/* Set *o, which is BARS_OPTIONS or has the chart's own defaults, from the command line.  own: the chart's option rows
 * (ended by {0}); those with only a name are as in chart_options.h.  Shared options are added, unless own has one of
 * that name.  Exits 2 on wrong usage.  Returns how many operands are left, at argv[0]. */
int bars_options_parse(struct bars_options *o, const struct opt *own, const struct manual *manual, int argc,
		       char **argv);

/* The same for a chart without sums, which lacks the options that are about sums. */
int bars_options_parse_timed(struct bars_options *o, const struct opt *own, const struct manual *manual, int argc,
			     char **argv);

/* Check the options; exits 2 on wrong usage.  style points into o. */
void bars_style_make(struct bars_style *style, const struct bars_options *o);

void bars_style_free(struct bars_style *style);
void bars_options_free(struct bars_options *o);

/* Append the options that select lines to the header's filter. */
void bars_note_filters(struct folded_source *source, const struct bars_options *o);

/* Read every file (argv[0..count); stdin when there is none) and make rows from the lines.  The filters and rows of
 * wish are set from style and o.  Returns 0, or -1 after a
 * message. */
int bars_read_all(struct bars *b, const struct bars_style *style, const struct bars_options *o, struct bars_wish *wish,
		  char **argv, int count);

/* Is the share of a row less than --min-share?  Such rows must be sorted after the others. */
bool bars_is_small(const struct bars *b, const struct bars_style *style, const struct bars_row *row);

/* Why there is nothing to draw, given the numbers of all lines, of lines that the filters removed, and of bad lines;
 * NULL if there is something to draw. */
const char *bars_why_no_lines(uint64_t lines, uint64_t filtered, uint64_t bad);

/* A drawing with everything that follows from style and from the lines' header; the chart sets the rest. */
struct drawing bars_drawing(const struct bars_style *style, const struct page *page,
			    const struct folded_source *source);

/* Write a picture of this kind (picture.h) in which there is nothing to draw: see nothing_write(). */
int bars_write_nothing(const struct bars_style *style, const char *kind, const char *reason, const char *path);

/* Why there is nothing to draw, or NULL when there is something. */
const char *bars_why_nothing(const struct bars *b, const struct bars_style *style);

#endif
