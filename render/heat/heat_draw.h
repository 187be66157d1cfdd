/* heat_draw: a heat map as a picture.
 *
 *     Subsecond Offset Heat Map
 *     db1 · cpu-clock at 99Hz · 2026-11-21 10:15:02.000 – 10:16:02.000 UTC · 11,880 samples
 *     Lost 3 of 11,880 samples (0.02%) · 1.2 s not seen (hatched)
 *     1000 ms |################                            legend: 0 [ ][ ][ ][ ] 9 samples
 *             |####      ########                                  //// not seen
 *        0 ms |################
 *             10:15:02    10:15:12    10:15:22
 *
 * With small multiples (--per), one such map for each key, with one scale for all.
 *
 * How large: a column is at most 48 px wide, a whole number of px from 3 px on, and at least 1 px (the grid
 * has several periods a column rather than columns that no pixel shows: heat_columns_drawn()).  Maps
 * stand beside each other, up to 4, while each has room for 160 px and for its columns, of 4 px, or of
 * 16 px where there are two maps.  A row is as high as a column is wide, at most 16 px, but all of
 * them together 240 to 500 px, of several maps 75 to 240 px (640 px by the lines of maps, at most 240, at least 100;
 * three quarters of that or more); where columns are wider than 16 px and rows are at most 100, a row
 * has 6 px or more.  The map is as wide as the room where that costs less than a tenth.
 * heat_svg() adds the data, from which the script draws any part of it. */
#ifndef RENDER_HEAT_DRAW_H
#define RENDER_HEAT_DRAW_H

#include <stdbool.h>

#include "core/opts.h"
#include "render/drawing/format.h"
#include "render/drawing/heading.h"
#include "render/drawing/legend.h"
#include "render/heat/grid.h"
#include "render/heat/scale.h"
#include "render/heat/zone.h"
#include "render/profile/number.h"

struct palette;

struct heat_style {
	const char *title, *subtitle, *notes, *script_url; /* NULL: a title by what it shows; none */
	const char *unit;                                  /* of values, as people read it: "ns", "samples", "ms" */
	const char *names_unit;                            /* what an event is: "samples", "events", "spans" */
	int32_t width_px, box_px;                          /* box_px 0: as wide and high as fits */
	bool fluid;                                        /* as wide as the window, with the script */
	bool grid, no_script, inverted;                    /* lines each ten cells; offset 0 on top */
	struct font font;
	const struct picture_format *format;
	const struct theme *theme;
	const char *theme_name; /* auto, light, dark */
	double scale;           /* of PNG and PDF */
	const struct heat_ramp *ramp;
	enum heat_coloring coloring;
	const struct palette *palette; /* of the flame graph in it */
	struct zone zone;
	double percentiles[8]; /* to be drawn as lines; HEAT_Y_VALUE and _UTILIZATION */
	size_t percentile_count;
	const struct heat_regexp {
		const char *label, *source;
	} * regexps; /* of "regexp" */
	size_t regexp_count;
	uint64_t bytes, tick_ns; /* heat_ticks_choose() */
};

/* The decomposition: which dimension's keys have hues. */
enum { HEAT_HUES_MAX = 64 }; /* keys beyond belong to the rest */

struct heat_hues { /* {0}: none, the ramp's colours */
	const struct heat_dimension *dimension;
	uint32_t *keys; /* of it, which have a hue */
	size_t key_count;
	bool isolate;                    /* nothing but these; else the rest is in grey */
	bool exclude;                    /* everything but these, in the ramp's colours */
	uint32_t numbers[HEAT_HUES_MAX]; /* of these keys' hues (scale.h); heat_chart_make() sets them */
};

/* One map of the picture. */
struct heat_map {
	char *title; /* NULL: the picture's only one */
	char *flag;  /* what is wrong with it (a host's clock), or NULL */
	struct heat_choice choice;
	uint8_t *stacks;       /* choice's; NULL: all */
	struct heat_grid grid; /* what is drawn, without the idle */
	struct heat_grid idle;
	struct heat_grid *of_key; /* [hues.key_count + 1], the last one of the rest (empty
				      * with hues.isolate); NULL without hues, and with exclude */
	uint16_t *unseen;         /* heat_unseen() */
	uint64_t *lines[8];       /* heat_percentile() */
	int32_t x, y, w, h;       /* cpx, of the cells */
};

struct heat_chart {
	const struct heat *heat;
	struct heat_axes axes;
	struct heat_hues hues;
	struct heat_map *maps; /* at least one */
	size_t map_count;
	struct heat_scale scale_of; /* all maps' */
	const char *per;            /* the dimension of the maps; NULL */
	size_t maps_left_out;       /* of the least events */
	struct str warning;         /* of beats; may be empty; to be freed by _free() */
	struct str remarks;         /* heat_remarks() */
};

/* Make the maps: grids, what was not seen, percentile lines, the scale.  per: a dimension or
 * NULL; limit: of maps. */
void heat_chart_make(struct heat_chart *c, const struct heat *h, const struct heat_axes *a,
		     const struct heat_hues *hues, const struct heat_style *style, const struct heat_dimension *per,
		     size_t limit);
void heat_chart_free(struct heat_chart *c);

/* Do all lines have one unit?  If not, append why that cannot be drawn, and what to do. */
bool heat_units_agree(const struct heat *h, struct str *why);

/* Append what everybody who looks at the picture must know about its lines: usually nothing. */
void heat_remarks(const struct heat *h, const struct heat_axes *a, struct str *out);

/* Write the picture to path, NULL is stdout.  Returns 0, or -1 after a message. */
int heat_write(struct heat_chart *c, const struct heat_style *style, const char *path);

/* ---- between heat_chart.c, heat_plan.c, heat_heading.c, heat_losses.c, heat_draw.c,
 * heat_percentiles.c, heat_axes.c, heat_times.c, heat_legend.c, heat_svg.c ---- */

struct heat_plan {
	struct heat_chart *chart;
	const struct heat_style *style;
	struct heading heading, cells, details; /* cells: what columns and rows are */
	struct legend legend;
	int32_t w, h; /* cpx */
	int32_t legend_y, cells_y, details_y;
	int32_t label_w; /* of the labels left of the cells */
	size_t across;   /* maps next to each other, ... */
	int32_t step;    /* ... at this distance */
	struct heat_tick {
		double at; /* 0 the lower end of the rows, 1 the upper one */
		struct str label;
	} * ticks; /* of the rows, upwards */
	size_t tick_count, ticks_cap;
};

enum { HEAT_PAD = 10 * CPX };

/* How many columns fit in a picture of this width, one pixel each. */
uint32_t heat_columns_drawn(int32_t width_px, int32_t box_px, enum heat_y y);

void heat_plan_make(struct heat_plan *p, struct heat_chart *c, const struct heat_style *style);
void heat_plan_free(struct heat_plan *p);
void heat_draw(const struct heat_plan *p, struct canvas *c);

/* The colour of a cell of a map. */
uint32_t heat_cell_rgb(const struct heat_plan *p, const struct heat_map *m, size_t cell);

/* The colour below the hatching of empty cells of which half or more was not seen, so that they differ from
 * white even where there is no room for a line. */
uint32_t heat_unseen_rgb(const struct heat_plan *p);

/* Is a cell hatched?  1/20 of it was not seen. */
bool heat_is_hatched(const struct heat_map *m, size_t cell);

/* Have events more than the ramp's colours: hues? */
bool heat_has_hues(const struct heat_chart *c);

/* Make the ticks of the rows, for cells h_cpx high. */
void heat_ticks_make(struct heat_plan *p, int32_t h_cpx);

/* Where a value is between the rows' ends: 0 to 1. */
double heat_height_of(const struct heat_axes *a, uint64_t value);

/* The left edge of a column. */
int32_t heat_column_x(const struct heat_plan *p, const struct heat_map *m, uint32_t column);

/* Draw the percentiles over the cells, with their names next to them. */
void heat_draw_lines(const struct heat_plan *p, struct canvas *c, const struct heat_map *m);

/* The times below a map. */
void heat_draw_times(const struct heat_plan *p, struct canvas *c, const struct heat_map *m);

void heat_draw_axes(const struct heat_plan *p, struct canvas *c, const struct heat_map *m);

/* Make heading; cells and details. */
void heat_heading_make(struct heat_plan *p);
void heat_details_make(struct heat_plan *p);

/* Losses, summed over all recordings: those of stacks, which do not affect cells, or the others.  Nothing if
 * there are none. */
void heat_losses_add(struct str *out, const struct heat *h, bool of_stacks);

/* What the heading shows of the header: times and losses of stacks are shown elsewhere. */
void heat_source_make(struct folded_source *s, const struct heat *h);

/* What the colours mean. */
void heat_legend_make(struct heat_plan *p);

/* ---- words ---- */

/* The picture's title. */
const char *heat_title(const struct heat_plan *p);

/* Append "1 sample", "11,880 samples"; many is the plural. */
void heat_count_add(struct str *out, uint64_t n, const char *many);

/* How many ns a unit of time has; 0: it is not one. */
uint64_t heat_unit_ns(const char *unit);

/* How values are shown: those in us, ms and s also as durations. */
struct unit heat_unit(const struct heat_style *style, const struct heat *h);

/* Append a value of the rows of HEAT_Y_VALUE. */
void heat_value_add(struct str *out, const struct heat_plan *p, uint64_t value);

/* Append how long a column or row is: "1 s", "20 ms", "5 min". */
void heat_span_add(struct str *out, uint64_t ns);

/* Append a moment as the axis has it: "10:15:02.014". */
void heat_clock_add(struct str *out, const struct heat_plan *p, uint64_t time_ns, int digits);

/* Append the whole file. */
void heat_svg(const struct heat_plan *p, struct str *out);

#endif
