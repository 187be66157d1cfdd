/* flame_options: the command line of "render flame". */
#ifndef RENDER_FLAME_OPTIONS_H
#define RENDER_FLAME_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/opts.h"
#include "render/drawing/chart_options.h"
#include "render/flame/flame.h"

/* The options as given; flame_style_make() checks them. */
struct flame_options {
	struct chart_options common; /* but theme, which look.h has */
	const char *nametype, *countname, *minwidth, *bgcolors, *split;
	int64_t height, max_depth;
	double factor, total, split_least;
	uint64_t detail; /* bytes; 0: everything */
	bool chart;
	bool inverted, reverse;
	struct text_list diff;
	const char *delta, *normalize, *threshold, *chance, *delta_colors, *animate, *width_by, *color_by;
	bool negate, elided, multiples, pids, idle;

	/* For look.h. */
	const char *vector, *palette_map, *rules, *nameattr, *theme, *order, *truncate, *encoding;
	const char *uicolor, *search_color, *stroke_color;
	bool hash, deterministic, random, cp, colordiffusion, no_sort;
	bool truncate_right, pretty_xml, self_contained, verbose;
	double fontwidth;
	struct text_list base;
};

/* Set *o from the command line; exits 2 on wrong usage.  Returns how many operands
 * are left, at argv[0]. */
int flame_options_parse(struct flame_options *o, int argc, char **argv);

/* Check the options; exits 2 on wrong usage.  style points into o. */
void flame_style_make(struct flame_style *style, const struct flame_options *o);

void flame_style_free(struct flame_style *style);

void flame_options_free(struct flame_options *o);

#endif
