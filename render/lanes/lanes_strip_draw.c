/* Draws the rows of lanes. */
#include <stdlib.h>

#include "core/memory.h"
#include "render/colours/hue.h"
#include "render/lanes/lanes.h"
#include "render/lanes/lanes_strip.h"
#include "render/profile/number.h"

/* ---- a lane in columns of pixels ---- */

/* The least and the greatest value that it has in each. */

struct lanes_column {
	uint64_t least, most;
	bool known; /* the lane has a value there */
};

/* Until when a value holds: until the next one, or until it should have been repeated. */
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

struct shapes {
	struct area *fill, *line;
	size_t fills, lines;
};

/* The part of a row that values are drawn in, without the words above. */
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

/* How many columns of about a pixel there are, and where each begins. */
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

/* Columns of the same values are one area. */
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

/* A mark at the top of the row for each moment at which something happened. */
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
	uint32_t rgb = lanes_rgb(lane), paper = s->theme->background.top;
	struct str tip = { 0 };

	str_add(&tip, str_text(&row->name), row->name.len);
	str_addf(&tip, "\n%s", str_text(&row->note));
	c->rect(c, &track, hue_between(paper, s->theme->text[TEXT_DETAILS], 0.05), tip.buf, tip.len);
	lanes_strip_draw_add_columns(s, row, columns, &shapes);
	c->shape(c, shapes.fill, shapes.fills, hue_between(paper, rgb, 0.35));
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

/* The name, as much of it as fits, and the note below it, or, above the row, after it. */
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
