#include "render/lanes/lanes_strip.h"

#include <stdlib.h>
#include <string.h>

#include "core/markup.h"
#include "core/memory.h"
#include "render/colours/hue.h"
#include "render/drawing/settings.h"
#include "render/drawing/svg.h"
#include "render/lanes/lanes.h"
#include "render/profile/number.h"
#include "render/profile/sample.h"

enum { LIMIT_TIMES = 8 };

/* The colour of a lane, by its first frame; the script uses it, too. */
static uint32_t lanes_rgb(const struct lanes_lane *lane)
{
	static const struct {
		const char *name;
		uint32_t rgb;
	} colours[] = {
		{ "lane;memory;", 0x3f7fbf },  { "lane;pressure;", 0xd9822b }, { "lane;run-queue;", 0x4f9d4f },
		{ "lane;reclaim;", 0xb5651d }, { "lane;device;", 0x2f9e9e },   { "lane;udp;", 0x8a63c7 },
		{ "lane;tcp;", 0x6a5acd },     { "lane;csv;", 0xb8568f },
	};

	if (lane->is_event)
		return 0xd0362a;
	for (size_t i = 0; i < sizeof(colours) / sizeof(*colours); i++) {
		if (!strncmp(lane->name, colours[i].name, strlen(colours[i].name)))
			return colours[i].rgb;
	}
	return 0x6b7c93;
}

/* Values are drawn from 0 on or, if all are far above 0, from a floor, which the note gives.  A limit far above all
 * values would make them flat, so it is only in the note. */
static struct lanes_scale lanes_strip_scale_of(const struct lanes *l, const struct lanes_lane *lane)
{
	struct lanes_scale s = { 0, lane->most, false };

	if (lane->limit != LANES_NONE) {
		uint64_t limit = l->lanes[lane->limit].most;

		s.has_limit = limit / LIMIT_TIMES <= lane->most;
		s.to = s.has_limit && limit > s.to ? limit : s.to;
	}
	if (lane->least > s.to / 2 && lane->least < lane->most)
		s.from = lane->least;
	if (!strcmp(lane->unit, "%") && !s.from && s.to <= decimal_shift(100, lane->decimals))
		s.to = decimal_shift(100, lane->decimals);
	s.to += s.to <= s.from;
	return s;
}

/* "0 to 207.5 KiB, limit 208 KiB" */
static void note_of(const struct lanes *l, const struct lanes_lane *lane, const struct lanes_scale *s, struct str *out)
{
	if (lane->least == lane->most) {
		str_puts(out, "always ");
	} else {
		str_puts(out, s->from ? "" : "0 to ");
		if (s->from) {
			lanes_value_add(out, lane, lane->least);
			str_puts(out, " to ");
		}
	}
	lanes_value_add(out, lane, lane->most);
	if (lane->limit != LANES_NONE) {
		str_puts(out, ", limit ");
		lanes_value_add(out, lane, l->lanes[lane->limit].most);
	}
	if (s->from) {
		str_puts(out, ", axis from ");
		lanes_value_add(out, lane, s->from);
	}
}

static int lanes_strip_by_name(const void *a, const void *b)
{
	const struct lanes_row *x = a, *y = b;

	return strcmp(str_text(&x->name), str_text(&y->name));
}

/* Did nothing happen in the lane: are all values 0, and was nothing dropped? */
static bool lanes_strip_is_flat(const struct lanes *l, const struct lanes_lane *lane)
{
	return !lane->most && (lane->drops == LANES_NONE || !l->lanes[lane->drops].most);
}

static void lanes_strip_leave_out_flat(struct lanes_strip *s)
{
	size_t flat = 0;

	for (size_t i = 0; i < s->row_count; i++)
		flat += lanes_strip_is_flat(s->l, &s->l->lanes[s->rows[i].lane]);
	if (flat == s->row_count)
		return;
	for (size_t i = 0; i < s->row_count; i++)
		s->rows[i].flat = s->rows[i].left_out = lanes_strip_is_flat(s->l, &s->l->lanes[s->rows[i].lane]);
	s->flat = s->left_out = flat;
}

/* Leave out rows, from the end, until at most `most` are left; rows that never change go first. */
static void lanes_strip_leave_out(struct lanes_strip *s, size_t most)
{
	for (int constant = 1; constant >= 0; constant--) {
		for (size_t i = s->row_count; i-- && s->row_count - s->left_out > most;) {
			const struct lanes_lane *lane = &s->l->lanes[s->rows[i].lane];

			if (s->rows[i].left_out || (constant && lane->least != lane->most))
				continue;
			s->rows[i].left_out = true;
			s->left_out++;
		}
	}
}

void lanes_strip_make(struct lanes_strip *s, const struct lanes *l, const struct font *font, const struct theme *theme,
		      size_t most)
{
	*s = (struct lanes_strip){ .l = l, .font = font, .theme = theme };
	s->rows = xcalloc(l->names.count + 1, sizeof(*s->rows));
	for (size_t i = 0; i < l->names.count; i++) {
		struct lanes_row *row = &s->rows[s->row_count];

		if (!l->lanes[i].count || l->lanes[i].is_limit)
			continue;
		row->lane = i;
		row->scale = lanes_strip_scale_of(l, &l->lanes[i]);
		lanes_name_add(&row->name, &l->lanes[i]);
		note_of(l, &l->lanes[i], &row->scale, &row->note);
		s->row_count++;
	}
	qsort(s->rows, s->row_count, sizeof(*s->rows), lanes_strip_by_name);
	lanes_strip_leave_out_flat(s);
	if (most)
		lanes_strip_leave_out(s, most);
}

void lanes_strip_place(struct lanes_strip *s, int32_t y)
{
	s->y = y;
	for (size_t i = 0; i < s->row_count; i++) {
		s->rows[i].y = y;
		y += s->rows[i].left_out ? 0 : s->row_h;
	}
	s->h = y - s->y;
}

void lanes_strip_free(struct lanes_strip *s)
{
	for (size_t i = 0; i < s->row_count; i++) {
		str_free(&s->rows[i].name);
		str_free(&s->rows[i].note);
	}
	free(s->rows);
	*s = (struct lanes_strip){ 0 };
}

/* ---- drawing ---- */

/* Draws the rows of lanes. */

/* ---- a lane in columns of pixels ---- */

/* The least and the greatest value of a lane in each column. */

struct lanes_column {
	uint64_t least, most;
	bool known; /* the lane has a value there */
};

/* The time until which a value holds: that of the next value, or that at which it should have been repeated. */
static uint64_t lanes_columns_end_of(const struct lanes *l, const struct lanes_lane *lane, size_t point)
{
	uint64_t next = point + 1 < lane->first + lane->count ? l->points[point + 1].time_ns : l->in.end_ns;
	uint64_t known = l->points[point].time_ns + LANES_KNOWN_NS;

	if (lane->is_event)
		return l->points[point].time_ns;
	return lane->is_silent || known > next ? next : known;
}

static void lanes_columns_add(struct lanes_column *c, uint64_t value)
{
	c->least = !c->known || value < c->least ? value : c->least;
	c->most = !c->known || value > c->most ? value : c->most;
	c->known = true;
}

/* The lane in count columns, which cover the window; the caller frees it. */
static struct lanes_column *lanes_columns(const struct lanes *l, const struct lanes_lane *lane, size_t count)
{
	struct lanes_column *columns = xcalloc(count + 1, sizeof(*columns));
	uint64_t window = l->in.end_ns - l->in.start_ns;

	for (size_t i = lane->first; i < lane->first + lane->count; i++) {
		uint64_t end = lanes_columns_end_of(l, lane, i);
		size_t from = (size_t)scale_u64(l->points[i].time_ns - l->in.start_ns, count, window);
		size_t to = (size_t)scale_u64(end - l->in.start_ns, count, window);

		for (size_t k = from; k <= to && k < count; k++)
			lanes_columns_add(&columns[k], l->points[i].value);
	}
	return columns;
}

/* ---- what is drawn ---- */

enum {
	LINE = 125, /* the width of a line */
	EVENT_H = 6 * CPX,
	EVENT_W = 2 * CPX,
	NOTE_GAP = 12 * CPX,
};

#define LIMIT_RGB 0xd0362a
#define FILL_PART 0.35

struct shapes {
	struct area *fill, *line;
	size_t fills, lines;
};

/* The part of a row in which values are drawn, below the words. */
static int32_t top_of(const struct lanes_strip *s, const struct lanes_row *row)
{
	return row->y + s->label_h + LANES_INSET;
}

static int32_t high(const struct lanes_strip *s)
{
	return s->row_h - s->label_h - 2 * LANES_INSET;
}

static int32_t y_of(const struct lanes_strip *s, const struct lanes_row *row, uint64_t value)
{
	const struct lanes_scale *scale = &row->scale;
	uint64_t above = value <= scale->from ? 0 : value >= scale->to ? scale->to - scale->from : value - scale->from;

	return top_of(s, row) + high(s) - (int32_t)scale_u64(above, (uint64_t)high(s), scale->to - scale->from);
}

/* The number of columns of about a pixel, and the begin of each. */
static size_t lanes_strip_draw_columns_of(const struct lanes_strip *s)
{
	return (size_t)(s->bar_w / CPX);
}

static int32_t lanes_strip_draw_x_of(const struct lanes_strip *s, size_t column)
{
	return s->bar_x + (int32_t)scale_u64(column, (uint64_t)s->bar_w, lanes_strip_draw_columns_of(s));
}

static bool lanes_strip_draw_is_same(const struct lanes_column *a, const struct lanes_column *b)
{
	return a->known == b->known && a->least == b->least && a->most == b->most;
}

/* Adjacent columns with the same values become one area. */
static void lanes_strip_draw_add_run(const struct lanes_strip *s, const struct lanes_row *row,
				     const struct lanes_column *column, size_t from, size_t to, struct shapes *shapes)
{
	int32_t x = lanes_strip_draw_x_of(s, from), w = lanes_strip_draw_x_of(s, to) - x,
		bottom = top_of(s, row) + high(s);
	int32_t top = y_of(s, row, column->most), low = y_of(s, row, column->least);

	if (top < bottom)
		shapes->fill[shapes->fills++] = (struct area){ x, top, w, bottom - top };
	shapes->line[shapes->lines++] = (struct area){ x, top - LINE / 2, w, low - top + LINE };
}

static void lanes_strip_draw_add_columns(const struct lanes_strip *s, const struct lanes_row *row,
					 const struct lanes_column *columns, struct shapes *shapes)
{
	size_t count = lanes_strip_draw_columns_of(s);

	for (size_t from = 0, to; from < count; from = to) {
		for (to = from + 1; to < count && lanes_strip_draw_is_same(&columns[from], &columns[to]);)
			to++;
		if (columns[from].known)
			lanes_strip_draw_add_run(s, row, &columns[from], from, to, shapes);
	}
}

static void draw_limit(const struct lanes_strip *s, struct canvas *c, const struct lanes_row *row,
		       struct shapes *shapes)
{
	const struct lanes_lane *limit = &s->l->lanes[s->l->lanes[row->lane].limit];
	struct lanes_column *columns = lanes_columns(s->l, limit, lanes_strip_draw_columns_of(s));

	shapes->fills = shapes->lines = 0;
	lanes_strip_draw_add_columns(s, row, columns, shapes);
	c->shape(c, shapes->line, shapes->lines, LIMIT_RGB);
	free(columns);
}

/* Draw a mark at the top of the row for each moment at which something happened. */
static void draw_events(const struct lanes_strip *s, struct canvas *c, const struct lanes_row *row,
			struct shapes *shapes)
{
	const struct lanes_lane *drops = &s->l->lanes[s->l->lanes[row->lane].drops];
	size_t count = lanes_strip_draw_columns_of(s);
	struct lanes_column *columns = lanes_columns(s->l, drops, count);

	shapes->lines = 0;
	for (size_t i = 0; i < count; i++) {
		if (columns[i].known && columns[i].most)
			shapes->line[shapes->lines++] = (struct area){ lanes_strip_draw_x_of(s, i) - EVENT_W / 4,
								       top_of(s, row), EVENT_W, EVENT_H };
	}
	c->shape(c, shapes->line, shapes->lines, LIMIT_RGB);
	free(columns);
}

static void lanes_strip_draw_row(const struct lanes_strip *s, struct canvas *c, const struct lanes_row *row)
{
	const struct lanes_lane *lane = &s->l->lanes[row->lane];
	size_t count = lanes_strip_draw_columns_of(s);
	struct lanes_column *columns = lanes_columns(s->l, lane, count);
	struct shapes shapes = { xcalloc(count + 1, sizeof(struct area)), xcalloc(count + 1, sizeof(struct area)), 0,
				 0 };
	struct area track = { s->bar_x, top_of(s, row), s->bar_w, high(s) };
	const struct theme *dark = c->theme->dark;
	uint32_t rgb = lanes_rgb(lane), fill = hue_between(c->theme->background.top, rgb, FILL_PART);
	struct str tip = { 0 };

	str_add(&tip, str_text(&row->name), row->name.len);
	str_addf(&tip, "\n%s", str_text(&row->note));
	c->rect(c, &track, canvas_tint(c, 0.05), tip.buf, tip.len);
	lanes_strip_draw_add_columns(s, row, columns, &shapes);
	if (dark)
		canvas_pair(c, fill, hue_between(dark->background.top, rgb, FILL_PART));
	c->shape(c, shapes.fill, shapes.fills, fill);
	c->shape(c, shapes.line, shapes.lines, rgb);
	if (row->scale.has_limit)
		draw_limit(s, c, row, &shapes);
	if (lane->drops != LANES_NONE)
		draw_events(s, c, row, &shapes);
	free(shapes.fill);
	free(shapes.line);
	free(columns);
	str_free(&tip);
}

/* ---- words ---- */

/* Draw as much of the name as fits, and the note: below the name or, if words are above the row, after it. */
static void lanes_strip_draw_words(const struct lanes_strip *s, struct canvas *c, const struct lanes_row *row,
				   struct str *shown)
{
	int32_t line = s->label_h ? s->label_h : (s->row_h - LANES_INSET) / 2, x = s->name_x, y = row->y;
	int32_t room = s->name_w;

	str_clear(shown);
	font_fit_middle(shown, &c->font, str_text(&row->name), row->name.len, room, 1);
	c->text(c, TEXT_DETAILS, x, baseline(y, line, c->font.size_cpx), str_text(shown), shown->len);
	if (s->label_h) {
		int32_t used = (int32_t)font_width(&c->font, str_text(shown), shown->len) + NOTE_GAP;

		x += used;
		room -= used;
	} else {
		y += line;
	}
	str_clear(shown);
	font_fit(shown, &c->font, str_text(&row->note), row->note.len, room, 1);
	c->text(c, TEXT_NOTE, x, baseline(y, line, c->font.size_cpx), str_text(shown), shown->len);
}

void lanes_strip_draw(const struct lanes_strip *s, struct canvas *c)
{
	struct str shown = { 0 };

	c->open_group(c, "lanes-names");
	for (size_t i = 0; i < s->row_count; i++) {
		if (!s->rows[i].left_out)
			lanes_strip_draw_words(s, c, &s->rows[i], &shown);
	}
	c->close_group(c);
	c->open_group(c, "lanes-rows");
	for (size_t i = 0; i < s->row_count; i++) {
		if (!s->rows[i].left_out)
			lanes_strip_draw_row(s, c, &s->rows[i]);
	}
	str_free(&shown);
}

/* ---- the data for the script ---- */

/* The data of lanes in an SVG, for the script and "render folded":
 *
 *     <metadata id="lanes">{          below a heat map: "heat-lanes"
 *     "start":"1795342502000000000",  since the epoch, in ns
 *     "window":10000000000,           ns
 *     "relative":false,"known":2500000000,
 *     "theme":"auto",                 and what else belongs to the chart
 *     "rows":[3,0,...],               numbers of lanes, in the order of their names, first those that are drawn
 *     "flat":[7,...],                 more of them: they are 0 all the time
 *     "lanes":[["lane;memory;free","bytes",0,"#3f7fbf",1234,5678,4,-1,0,0],...],  name, unit, decimals, colour, least
 *                                     and greatest value drawn, the lanes of its limit and its drops (-1: none),
 *                                     whether it is of events, whether it repeats no values
 *     "source":{"host":"db1",...}}</metadata>    the header
 *     <metadata class="lanes-data">   a line for each lane: pairs of time since the one before, in ns, and value
 *     0 8192 10000000 4096
 *     </metadata> */

static const struct lanes_scale *lanes_data_scale_of(const struct lanes_strip *s, size_t lane)
{
	static const struct lanes_scale none = { 0, 1, false };

	for (size_t i = 0; i < s->row_count; i++) {
		if (s->rows[i].lane == lane)
			return &s->rows[i].scale;
	}
	return &none;
}

static void add_lanes(const struct lanes_strip *s, struct str *out)
{
	str_puts(out, ",\n\"lanes\":[");
	for (size_t i = 0; i < s->l->names.count; i++) {
		const struct lanes_lane *lane = &s->l->lanes[i];
		const struct lanes_scale *scale = lanes_data_scale_of(s, i);

		str_puts(out, i ? ",\n[" : "[");
		json_puts(out, lane->name);
		str_addc(out, ',');
		json_puts(out, lane->unit);
		str_addf(out, ",%u,\"", lane->decimals);
		rgb_add(out, lanes_rgb(lane));
		str_puts(out, "\",");
		str_add_u64(out, scale->from);
		str_addc(out, ',');
		str_add_u64(out, scale->to);
		str_addf(out, ",%d,%d,%d,%d]", scale->has_limit ? lane->limit : LANES_NONE, lane->drops, lane->is_event,
			 lane->is_silent);
	}
	str_addc(out, ']');
}

static void lanes_data_add_values(const struct lanes *l, struct str *out)
{
	struct str data = { 0 };

	for (size_t i = 0; i < l->names.count; i++) {
		uint64_t before = l->in.start_ns;

		for (size_t k = 0; k < l->lanes[i].count; k++) {
			const struct lanes_point *point = &l->points[l->lanes[i].first + k];

			if (k)
				str_addc(&data, ' ');
			str_add_u64(&data, point->time_ns - before);
			str_addc(&data, ' ');
			str_add_u64(&data, point->value);
			before = point->time_ns;
		}
		str_addc(&data, '\n');
	}
	metadata_add(out, "lanes-data", &data);
	str_free(&data);
}

static void lanes_data_add_rows(const struct lanes_strip *s, bool left_out, bool flat, const char *before,
				struct str *out)
{
	for (size_t i = 0; i < s->row_count; i++) {
		if (s->rows[i].left_out != left_out || s->rows[i].flat != flat)
			continue;
		str_addf(out, "%s%zu", before, s->rows[i].lane);
		before = ",";
	}
}

void lanes_strip_data(const struct lanes_strip *s, const char *id, const char *more, struct str *out)
{
	str_addf(out, "<metadata id=\"%s\">{\"start\":\"", id);
	str_add_u64(out, s->l->in.start_ns);
	str_puts(out, "\",\"window\":");
	str_add_u64(out, s->l->in.end_ns - s->l->in.start_ns);
	setting_bool(out, "relative", s->l->in.relative);
	setting_u64(out, "known", LANES_KNOWN_NS);
	str_puts(out, more);
	str_puts(out, ",\"rows\":[");
	lanes_data_add_rows(s, false, false, "", out);
	lanes_data_add_rows(s, true, false, ",", out);
	str_puts(out, "],\"flat\":[");
	lanes_data_add_rows(s, true, true, "", out);
	str_addc(out, ']');
	add_lanes(s, out);
	str_puts(out, ",\n\"source\":");
	source_json(out, &s->l->in.source);
	str_puts(out, "}</metadata>\n");
	lanes_data_add_values(s->l, out);
}
