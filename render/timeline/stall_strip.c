/* The strip between axis and rows: a mark for each stall, with its words where there is room before the next one. */
#include <stdlib.h>

#include "render/drawing/span_text.h"
#include "render/timeline/timeline_draw.h"
#include "render/timeline/timeline_words.h"

enum { MARK_H = 5 * CPX, MARK_W_MIN = 2 * CPX, LABEL_GAP = 4 * CPX, LABEL_CHARS_MIN = 12, MARK_RGB = 0xd0362a };

/* The words that fit: whole, brief, or cut. */
static void fit_words(const struct timeline_plan *p, const struct timeline_stall *stall, const struct font *font,
		      int32_t room, struct str *out)
{
	struct str words = { 0 };

	for (int how = STALL_WHOLE; how <= STALL_SHORT && !out->len; how++) {
		str_clear(&words);
		timeline_stall_add(&words, p->t, stall, (enum timeline_stall_words)how);
		if (font_width(font, words.buf, words.len) <= room)
			str_add(out, words.buf, words.len);
	}
	if (!out->len)
		font_fit(out, font, words.buf, words.len, room, LABEL_CHARS_MIN);
	str_free(&words);
}

/* The stall that is drawn after stall i: the next one that begins behind it. */
static int32_t room_after(const struct timeline_plan *p, size_t i)
{
	int32_t right = p->bar_x + p->bar_w, end = timeline_x(p, p->t->stalls[i].end_ns);

	for (size_t k = i + 1; k < p->t->stall_count; k++) {
		int32_t next = timeline_x(p, p->t->stalls[k].start_ns);

		if (next > end)
			return next - LABEL_GAP;
	}
	return right;
}

void timeline_draw_stalls(const struct timeline_plan *p, struct canvas *c)
{
	int32_t top = p->rows_y - p->stalls_h, free_x = p->bar_x;
	struct str words = { 0 };

	c->open_group(c, "timeline-stalls");
	for (size_t i = 0; i < p->t->stall_count; i++) {
		const struct timeline_stall *stall = &p->t->stalls[i];
		struct area mark = { timeline_x(p, stall->start_ns), p->rows_y - MARK_H - CPX, 0, MARK_H };
		int32_t x = mark.x > free_x ? mark.x : free_x, room = room_after(p, i) - x;

		mark.w = timeline_x(p, stall->end_ns) - mark.x;
		mark.w = mark.w < MARK_W_MIN ? MARK_W_MIN : mark.w;
		str_clear(&words);
		timeline_stall_add(&words, p->t, stall, STALL_WHOLE);
		c->rect(c, &mark, MARK_RGB, words.buf, words.len);
		str_clear(&words);
		fit_words(p, stall, &c->font, room, &words);
		if (!words.len)
			continue;
		c->text(c, TEXT_NOTE, x, baseline(top, p->stalls_h - MARK_H, c->font.size_cpx), words.buf, words.len);
		free_x = x + (int32_t)font_width(&c->font, words.buf, words.len) + LABEL_GAP;
	}
	c->close_group(c);
	str_free(&words);
}
