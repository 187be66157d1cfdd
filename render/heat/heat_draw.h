/* heat_draw: a heat map as a picture.
 *
 *     Subsecond-offset heat map: CPU activity within each second
 *     db1 · cpu-clock at 99Hz · 2026-11-21 10:15:02.000 – 10:16:02.000 UTC · 11,880 samples
 *     Lost 3 of 11,880 samples (0.02%) · 1.2 s not seen (hatched)
 *     1000 ms |################                            legend: 0 [ ][ ][ ][ ] 9 samples
 *             |####      ########                                  //// not seen
 *        0 ms |################
 *             10:15:02    10:15:12    10:15:22
 *
 * With small multiples (--per), there is one such map for each key, with the same scale for all.
 *
 * Sizes: a column is 1 to 48 px wide, a whole number of px from 3 px on; instead of invisible columns, the grid has
 * several periods in a column (heat_columns_drawn()).  Up to 4 maps stand beside each other, if each has room for 160
 * px and for columns of 4 px, or of 16 px if there are two maps.  A row is as high as a column is wide, at most 16 px;
 * but all rows together are 240 to 500 px high, or if there are several maps, at most 640 px divided by the lines of
 * maps (at least 100, at most 240), and at least three quarters of that.  Where columns are wider than 16 px and rows
 * are at most 100, a row has 6 px or more.  A map is as wide as the room if that changes its width by less than a
 * tenth. Lanes stand below the maps, which are then all below each other.  The SVG has the data, from which the script
 * draws any part. */
#ifndef RENDER_HEAT_DRAW_H
#define RENDER_HEAT_DRAW_H

#include <stdbool.h>

#include "core/opts.h"
#include "core/str.h"
#include "render/drawing/format.h"
#include "render/drawing/heading.h"
#include "render/drawing/legend.h"
#include "render/drawing/page.h"
#include "render/heat/grid.h"
#include "render/heat/heat.h"
#include "render/heat/scale.h"
#include "render/heat/zone.h"
#include "render/lanes/lanes_strip.h"
#include "render/profile/number.h"

struct palette;

struct heat_style {
	const char *title, *subtitle, *notes; /* title NULL: one that fits the axes; others NULL: none */
	const char *script_url, *siblings_url;
	char *headline;                 /* owned; NULL: none */
	const char *unit;               /* unit of values for readers: "ns", "samples", "ms" */
	const char *names_unit;         /* the word for events: "samples", "events", "spans" */
	int32_t width_px, box_px;       /* box_px 0: as wide and high as fits */
	bool fluid;                     /* fits the browser window, with the script */
	bool grid, no_script, inverted; /* grid: a line every ten cells; inverted: offset 0 on top */
	struct font font;
	const struct picture_format *format;
	const struct theme *theme;
	const char *theme_name; /* auto, light, dark */
	double scale;           /* of PNG and PDF */
	const struct heat_ramp *ramp;
	enum heat_coloring coloring;
	const struct palette *palette; /* of the flame graph in the picture */
	bool by_wait;                  /* frames are coloured by their kind of wait */
	struct zone zone;
	double percentiles[8]; /* of HEAT_Y_VALUE and _UTILIZATION */
	size_t percentile_count;
	bool lines; /* they are drawn over the cells */
	const struct heat_regexp {
		const char *label, *source;
	} * regexps; /* the keys of the dimension "regexp" */
	size_t regexp_count;
	uint64_t bytes, tick_ns; /* heat_ticks_choose() */
};

/* The keys of one dimension that have hues of their own. */
enum { HEAT_HUES_MAX = 64 }; /* further keys belong to the rest */

struct heat_hues { /* {0}: no hues, but the ramp's colours */
	const struct heat_dimension *dimension;
	uint32_t *keys; /* the keys with a hue */
	size_t key_count;
	bool isolate;                    /* draw only these keys; else the rest is grey */
	bool exclude;                    /* draw all but these, in the ramp's colours */
	uint32_t numbers[HEAT_HUES_MAX]; /* the numbers of their hues (scale.h), set by heat_chart_make() */
};

/* One map of the picture. */
struct heat_map {
	char *title; /* NULL: the picture has only this map */
	char *flag;  /* a warning about the host's clock, or NULL */
	struct heat_choice choice;
	uint8_t *stacks;       /* choice.stacks; NULL: all */
	struct heat_grid grid; /* the drawn events, without idle ones */
	struct heat_grid idle;
	struct heat_grid *of_key; /* [hues.key_count + 1]; the last one is for the rest (empty with hues.isolate).  NULL
				   * without hues, and with exclude */
	uint16_t *unseen;         /* heat_unseen() */
	struct heat_grid doubt;   /* events of hosts whose clocks are off (heat_clock_doubts()); no cells: none */
	uint64_t *lines[8];       /* heat_percentile() */
	int32_t x, y, w, h;       /* of the cells, in cpx */
};

struct heat_chart {
	const struct heat *heat;
	struct heat_axes axes;
	struct heat_hues hues;
	struct heat_map *maps; /* at least one */
	size_t map_count;
	struct heat_scale scale_of; /* of all maps */
	const char *per;            /* the dimension that has a map for each key, or NULL */
	size_t maps_left_out;       /* number of maps that are not drawn, those with the fewest events */
	const struct lanes *lanes;  /* lanes below the maps, for the same window; NULL: none */
	struct str warning;         /* of heat_beats(); may be empty */
	struct str remarks;         /* heat_remarks() */
};

/* Make the maps: grids, unobserved times, percentile lines, the scale.  per: a dimension or NULL; limit: the
 * greatest number of maps. */
void heat_chart_make(struct heat_chart *c, const struct heat *h, const struct heat_axes *a,
		     const struct heat_hues *hues, const struct heat_style *style, const struct heat_dimension *per,
		     size_t limit);
void heat_chart_free(struct heat_chart *c);

/* Do all lines have the same unit?  If not, append why they cannot be drawn together, and a remedy. */
bool heat_units_agree(const struct heat *h, struct str *why);

/* Append what readers of the picture must know about its lines: usually nothing. */
void heat_remarks(const struct heat *h, const struct heat_axes *a, struct str *out);

/* Write the picture to path, NULL is stdout.  Returns 0, or -1 after a message. */
int heat_write(struct heat_chart *c, const struct heat_style *style, const char *path);

/* ---- between heat_chart.c, heat_plan.c, heat_heading.c, heat_doubts.c, heat_draw.c,
 * heat_percentiles.c, heat_axes.c, heat_times.c, heat_legend.c, heat_svg.c ---- */

struct heat_plan {
	struct heat_chart *chart;
	const struct heat_style *style;
	struct heading heading, cells, details; /* cells: the meaning of columns and rows */
	struct legend legend;
	int32_t w, h; /* cpx */
	int32_t legend_y, plot_end, cells_y, details_y;
	int32_t label_w; /* width of the labels left of the cells */
	size_t across;   /* how many maps stand beside each other */
	int32_t step;    /* distance between maps beside each other */
	struct heat_tick {
		double at; /* 0 the lower end of the rows, 1 the upper one */
		struct str label;
	} * ticks; /* labels of rows, upwards */
	size_t tick_count, ticks_cap;
	struct lanes_strip lanes; /* empty without lanes */
};

enum { HEAT_PAD = 10 * CPX };

/* How many columns fit in a picture of this width, one pixel each. */
uint32_t heat_columns_drawn(int32_t width_px, int32_t box_px, enum heat_y y);

void heat_plan_make(struct heat_plan *p, struct heat_chart *c, const struct heat_style *style);
void heat_plan_free(struct heat_plan *p);
void heat_draw(const void *plan, struct canvas *c);

/* The colour of a cell of a map. */
uint32_t heat_cell_rgb(const struct heat_plan *p, const struct theme *theme, const struct heat_map *m, size_t cell);

/* The colour below the hatching of empty cells that were not observed for half of their time or more.  With it, they
 * differ from white even if they are too small for a line of the hatching. */
uint32_t heat_unseen_rgb(const struct heat_plan *p, const struct theme *theme);

/* Is a cell hatched?  It is if 1/20 of it was not observed, or if it has events of hosts whose clocks are off. */
bool heat_is_hatched(const struct heat_map *m, size_t cell);

/* Do cells have hues, rather than only the ramp's colours? */
bool heat_has_hues(const struct heat_chart *c);

/* Make the ticks of the rows, for cells h_cpx high. */
void heat_ticks_make(struct heat_plan *p, int32_t h_cpx);

/* The height of a value, relative to the rows: 0 (the lower end) to 1. */
double heat_height_of(const struct heat_axes *a, uint64_t value);

/* The left edge of a column. */
int32_t heat_column_x(const struct heat_plan *p, const struct heat_map *m, uint32_t column);

/* Draw the percentiles over the cells, with their names next to them. */
void heat_draw_lines(const struct heat_plan *p, struct canvas *c, const struct heat_map *m);

/* Draw the times below a map. */
void heat_draw_times(const struct heat_plan *p, struct canvas *c, const struct heat_map *m);

/* Place the lanes, if there are any, from y on, and append the remarks about them.  Returns the end of the lanes. */
int32_t heat_lanes_place(struct heat_plan *p, int32_t y);
void heat_lanes_tell(const struct heat_plan *p, struct str *out);

void heat_draw_axes(const struct heat_plan *p, struct canvas *c, const struct heat_map *m);

/* Make heading; cells and details. */
void heat_heading_make(struct heat_plan *p);
void heat_details_make(struct heat_plan *p);

/* Add text to the heading, unless it is empty, and clear it. */
void heat_say(struct heat_plan *p, enum text_role role, struct str *text);

/* Add the losses of stacks and their quality to the heading's details, since they do not affect cells; but not if the
 * stacks are worthless. */
void heat_tell_stacks(struct heat_plan *p);

/* The part of the header that the heading shows, with the summed losses of all recordings, but without times and losses
 * of stacks, which are shown elsewhere. */
void heat_source_make(struct folded_source *s, const struct heat *h);

/* Make the legend. */
void heat_legend_make(struct heat_plan *p);

/* ---- words ---- */

/* The picture's title. */
const char *heat_title(const struct heat_plan *p);

/* Append "1 sample", "11,880 samples"; many is the plural. */
void heat_count_add(struct str *out, uint64_t n, const char *many);

/* The number of ns in a unit of time; 0: unit is not a unit of time. */
uint64_t heat_unit_ns(const char *unit);

/* The unit in which values are shown; those in us, ms and s are also shown as durations. */
struct unit heat_unit(const struct heat_style *style, const struct heat *h);

/* Append a value of the rows of HEAT_Y_VALUE. */
void heat_value_add(struct str *out, const struct heat_plan *p, uint64_t value);

/* Append the length of a column or row: "1 s", "20 ms", "5 min". */
void heat_span_add(struct str *out, uint64_t ns);

/* Append a time as on the axis: "10:15:02.014". */
void heat_clock_add(struct str *out, const struct heat_plan *p, uint64_t time_ns, int digits);

/* Append what the map hides, and how to show it: "Idle hidden: 191 s of sleep and waits for work, ..."; or nothing. */
void heat_idle_note(struct str *out, const struct heat_plan *p);

/* The plan must outlive it. */
struct drawing heat_drawing(const struct heat_plan *p);

/* The scripts and styles in pictures of heat maps. */
extern const struct page heat_page;

/* If there are several hosts: those whose clocks may be off by more than a row, so that the order of events on two
 * hosts is unknown.  Cells with events of these hosts are hatched. */

/* [stack] 1 if it belongs to such a host, and is in chosen (NULL: all are); NULL if there is none.  The caller frees
 * it. */
uint8_t *heat_clock_doubts(const struct heat *h, const struct heat_axes *a, const uint8_t *chosen);

/* Append "clock off by up to 3.2 s: db1; unsynchronized: db2"; nothing if there is no such host. */
void heat_clock_words(const struct heat *h, const struct heat_axes *a, struct str *out);

/* Append ,"clocks":[["db1",3200000000],["db2",-1]], the known errors of hosts, in ns; -1: unsynchronized.  Appends
 * nothing if there is only one host. */
void heat_clocks_json(const struct heat *h, struct str *out);

/* Lanes below a heat map, on its axis of time.
 *
 *     1000 ms |################
 *        0 ms |################
 *             10:15:02    10:15:12                         the axis of both
 *             udp 0.0.0.0:5000 depth   0 to 80 KiB, limit 208 KiB
 *             ▁▁▁▁▁▁▁▁▁█▁▁▁▁▁▁
 *
 * Any timed line "lane;NAME...;quantity value" makes one (render/lanes/lanes.h). */

/* Read the lanes of path; with is_input, it is one of the files that heat_read() has read.  Returns 0, or -1 after a
 * message: a file that cannot be read, or one without lanes. */
int heat_lanes_read(struct heat *h, const char *path, bool is_input);

/* Put the lanes whose names match one of `only` (empty: all) below the maps, cut to the time of the maps' columns; if
 * no lane can be drawn, a remark says why. */
void heat_lanes_add(struct heat_chart *c, struct lanes *l, const struct text_list *only);

/* Warnings about lines that do not fit a heat map, according to their headers: sums over a second in place of events,
 * or spans that had not ended. */

/* If some lines are sums, append "569 of 569 lines are sums of about 1 s"; returns whether there
 * are any. */
bool heat_sums_add(struct str *out, const struct heat *h);

/* The arguments of "pyrograph collect" that record the same as single spans: "sched --events". */
const char *heat_singly(const struct heat *h);

/* Append "569 of 569 lines are sums of about 1 s, drawn at the time of counting: ..."; nothing if there are no
 * sums. */
void heat_doubt_sums(struct str *out, const struct heat *h);

/* Append "Waits under 1 ms are not drawn: 3.4 s in 12,345 waits"; nothing if there are none. */
void heat_doubt_short(struct str *out, const struct heat *h);

/* Is the share of the time or the events so large (1%) that its line is red? */
bool heat_is_much(uint64_t part, uint64_t whole);

/* What spans are: "waits", or "spans" if they may be of other kinds too. */
const char *heat_spans_word(const struct heat *h);

/* Append "28 waits were unfinished: true durations and percentiles are higher"; nothing if all had ended, or if
 * lines are sums.  of_values: the picture shows lengths of spans.  Returns how many were unfinished. */
uint64_t heat_doubt_open(struct str *out, const struct heat *h, bool of_values);

#endif
