/* heat_options: the command line of "render heat". */
#ifndef RENDER_HEAT_OPTIONS_H
#define RENDER_HEAT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/opts.h"
#include "core/wallclock.h"
#include "render/drawing/chart_options.h"
#include "render/heat/heat_draw.h"

/* The options as given; heat_style_make() checks them. */
struct heat_options {
	struct chart_options common;
	const char *unitslabel, *coloring, *palette, *unitstime;
	const char *lanes; /* NULL: none */
	const char *span, *y, *low, *high, *step, *percentiles, *weights, *by, *per, *zone;
	int64_t rows, columns, maps, box;
	uint64_t detail, resolution_ns;
	bool logarithmic, paint, rainbow, idle, grid, inverted, accstats;
	struct text_list select, isolate, without, regexps, lane;
};

/* Set *o from the command line; exits 2 on wrong usage.  Returns how many operands are left, at
 * argv[0]. */
int heat_options_parse(struct heat_options *o, int argc, char **argv);

/* Check the options; exits 2 on wrong usage.  style points into o.  Axes, unit and zone, which depend on the
 * events, are still to be set. */
void heat_style_make(struct heat_style *style, const struct heat_options *o);
void heat_style_free(struct heat_style *style);

/* --y, --weights, --span (0: not given), --from and --to (INSTANT_NONE). */
enum heat_y heat_options_y(const struct heat_options *o);
enum heat_weigh heat_options_weigh(const struct heat_options *o);
uint64_t heat_options_span(const struct heat_options *o);

/* Is the output a table of numbers instead of a picture? */
bool heat_options_is_table(const struct heat_options *o);

void heat_options_free(struct heat_options *o);

/* ---- Chooses axes and hues by the command line and the events ---- */

/* Choose axes for the events from from_ns to to_ns.  Returns NULL, or why there can be none; exits 2 on wrong
 * usage. */
const char *heat_wish_axes(struct heat_axes *a, const struct heat *h, const struct heat_options *o,
			   const struct zone *zone, uint64_t from_ns, uint64_t to_ns);

/* The dimension that --per names; NULL: no --per.  Exits 2 on wrong usage. */
const struct heat_dimension *heat_wish_per(const struct heat *h, const struct heat_options *o);

/* Choose the keys that have hues; exits 2 on wrong usage.  The caller frees hues->keys. */
void heat_wish_hues(struct heat_hues *hues, const struct heat *h, const struct heat_options *o);

#endif
