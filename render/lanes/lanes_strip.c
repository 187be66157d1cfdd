#include "render/lanes/lanes_strip.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "render/profile/sample.h"

enum { LIMIT_TIMES = 8 };

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
static struct lanes_scale lanes_strip_scale_of(const struct lanes *l, const struct lanes_lane *lane)
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

static int lanes_strip_by_name(const void *a, const void *b)
{
	const struct lanes_row *x = a, *y = b;

	return strcmp(str_text(&x->name), str_text(&y->name));
}

/* Leave out rows until no more than most are left: from the end, first such that never change. */
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
