#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "core/amount.h"
#include "render/lanes/lanes_draw.h"
#include "render/profile/sample.h"

enum {
	EDGE = 8 * CPX,
	GAP = 10 * CPX,
	AXIS_H = 22 * CPX,
	NAME_MOST_PERCENT = 30,
	BAR_LEAST = 100 * CPX,
	LIMIT_TIMES = 8
};

uint32_t lanes_rgb(const struct lanes_lane *lane)
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

/* From 0 on, unless all values are far above it and close together.  A limit far above all values would make them
 * flat: it is in the note only. */
static struct lanes_scale scale_of(const struct lanes *l, const struct lanes_lane *lane)
{
	struct lanes_scale s = { 0, lane->most, false };

	if (lane->limit != LANES_NONE) {
		uint64_t limit = l->lanes[lane->limit].most;

		s.has_limit = limit / LIMIT_TIMES <= lane->most;
		s.to = s.has_limit && limit > s.to ? limit : s.to;
	} else if (lane->least > lane->most / 2 && lane->least < lane->most) {
		s.from = lane->least;
	}
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
}

static int by_name(const void *a, const void *b)
{
	const struct lanes_row *x = a, *y = b;

	return strcmp(str_text(&x->name), str_text(&y->name));
}

static void make_rows(struct lanes_plan *p)
{
	const struct lanes *l = p->l;

	p->rows = xcalloc(l->names.count + 1, sizeof(*p->rows));
	for (size_t i = 0; i < l->names.count; i++) {
		struct lanes_row *row = &p->rows[p->row_count];

		if (!l->lanes[i].count || l->lanes[i].is_limit)
			continue;
		row->lane = i;
		row->scale = scale_of(l, &l->lanes[i]);
		lanes_name_add(&row->name, &l->lanes[i]);
		note_of(l, &l->lanes[i], &row->scale, &row->note);
		p->row_count++;
	}
	qsort(p->rows, p->row_count, sizeof(*p->rows), by_name);
	if (p->style->top && p->row_count > p->style->top) {
		for (size_t i = p->style->top; i < p->row_count; i++) {
			str_free(&p->rows[i].name);
			str_free(&p->rows[i].note);
		}
		p->row_count = p->style->top;
	}
}

static void place_columns(struct lanes_plan *p)
{
	const struct font *font = &p->style->font;
	int64_t most = font_width(font, "0000-00-00 UTC", 14), limit = (int64_t)p->w * NAME_MOST_PERCENT / 100;

	for (size_t i = 0; i < p->row_count; i++) {
		int64_t name = font_width(font, str_text(&p->rows[i].name), p->rows[i].name.len);
		int64_t note = font_width(font, str_text(&p->rows[i].note), p->rows[i].note.len);

		most = name > most ? name : most;
		most = note > most ? note : most;
	}
	p->name_x = LANES_PAD;
	p->name_w = (int32_t)(most < limit ? most : limit) + CPX;
	p->bar_x = p->name_x + p->name_w + GAP;
	p->bar_w = (p->w - LANES_PAD - p->bar_x) / CPX * CPX;
	p->bar_w = p->bar_w < BAR_LEAST ? BAR_LEAST : p->bar_w;
}

static void make_details(struct lanes_plan *p)
{
	heading_add_text(
		&p->details, TEXT_DETAILS, &p->style->font, p->w - 2 * LANES_PAD,
		"A row has its own axis of values; a column of pixels shows the least and the greatest value in it.");
}

void lanes_plan_make(struct lanes_plan *p, const struct lanes *l, const struct bars_style *style)
{
	struct heading_words words = { style->title, style->headline, style->subtitle };
	struct str total = { 0 };
	int32_t y = EDGE;

	*p = (struct lanes_plan){ .l = l, .style = style, .w = style->width_px * CPX, .row_h = style->row_px * CPX };
	make_rows(p);
	number_add(&total, l->count);
	str_puts(&total, l->count == 1 ? " value of " : " values of ");
	number_add(&total, p->row_count);
	str_puts(&total, p->row_count == 1 ? " lane" : " lanes");
	heading_make(&p->heading, &style->font, p->w - 2 * LANES_PAD, &words, total.buf, &l->source);
	str_free(&total);
	place_columns(p);
	make_details(p);
	y += heading_height(&p->heading, &style->font) + EDGE / 2;
	p->axis_y = y;
	p->rows_y = y += AXIS_H;
	for (size_t i = 0; i < p->row_count; i++, y += p->row_h)
		p->rows[i].y = y;
	p->details_y = y + EDGE;
	p->h = p->details_y + heading_height(&p->details, &style->font) + EDGE;
}

void lanes_plan_free(struct lanes_plan *p)
{
	heading_free(&p->heading);
	heading_free(&p->details);
	for (size_t i = 0; i < p->row_count; i++) {
		str_free(&p->rows[i].name);
		str_free(&p->rows[i].note);
	}
	free(p->rows);
}
