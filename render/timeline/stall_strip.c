/* The strip between axis and rows: a mark for each stall, with words at those with the most waiting; and a frame around
 * what the guilty thread did meanwhile.  Where the worst problem is known, its stalls are red, and others grey. */
#include <stdlib.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "render/timeline/timeline_draw.h"

enum { MARK_H = 5 * CPX, MARK_W_MIN = 2 * CPX, LABEL_GAP = 8 * CPX, MARK_RGB = 0xd0362a, FRAME_W = CPX * 3 / 2 };

#define OTHER_PART 0.4

/* A stall with words, which begin at x. */
struct stall_label {
	const struct timeline_stall *stall;
	int32_t x, w; /* of the shortest words */
};

struct stall_labels {
	struct stall_label *items;
	size_t count;
};

static int32_t words_of(const struct timeline_plan *p, const struct timeline_stall *stall,
			enum timeline_stall_words how, struct str *out)
{
	str_clear(out);
	timeline_stall_add(out, p->t, stall, how);
	return (int32_t)font_width(&p->style->font, out->buf, out->len);
}

static bool stall_strip_has_room(const struct stall_labels *all, const struct stall_label *label, int32_t right)
{
	if (label->x + label->w > right)
		return false;
	for (size_t i = 0; i < all->count; i++) {
		const struct stall_label *other = &all->items[i];

		if (label->x < other->x + other->w + LABEL_GAP && other->x < label->x + label->w + LABEL_GAP)
			return false;
	}
	return true;
}

static int stall_strip_most_waiting(const void *a, const void *b)
{
	const struct timeline_stall *x = *(const struct timeline_stall *const *)a;
	const struct timeline_stall *y = *(const struct timeline_stall *const *)b;

	return ORDER(y->leads, x->leads) ?: ORDER(y->waits_ns, x->waits_ns) ?:
	       ORDER(x, y); /* places follow the order of time */
}

SORT_BY(by_x, struct stall_label, x);

/* Stalls with the most waiting take precedence; each needs room for the shortest words. */
static void choose_labels(const struct timeline_plan *p, struct stall_labels *all)
{
	size_t count = p->t->stall_count;
	const struct timeline_stall **stalls = xcalloc(count + 1, sizeof(const struct timeline_stall *));
	struct str words = { 0 };

	all->items = xcalloc(count + 1, sizeof(*all->items));
	for (size_t i = 0; i < count; i++)
		stalls[i] = &p->t->stalls[i];
	qsort(stalls, count, sizeof(const struct timeline_stall *), stall_strip_most_waiting);
	for (size_t i = 0; i < count; i++) {
		struct stall_label label = { stalls[i], timeline_x(p, stalls[i]->start_ns),
					     words_of(p, stalls[i], STALL_SHORT, &words) };

		if (stall_strip_has_room(all, &label, p->bar_x + p->bar_w))
			all->items[all->count++] = label;
	}
	qsort(all->items, all->count, sizeof(*all->items), by_x);
	free(stalls);
	str_free(&words);
}

static void draw_labels(const struct timeline_plan *p, struct canvas *c, int32_t top)
{
	struct stall_labels all = { 0 };
	struct str words = { 0 };

	choose_labels(p, &all);
	for (size_t i = 0; i < all.count; i++) {
		const struct stall_label *label = &all.items[i];
		int32_t right = i + 1 < all.count ? label[1].x - LABEL_GAP : p->bar_x + p->bar_w;
		int how = STALL_WHOLE;

		while (words_of(p, label->stall, (enum timeline_stall_words)how, &words) > right - label->x &&
		       how < STALL_SHORT)
			how++;
		c->text(c, TEXT_NOTE, label->x, baseline(top, p->stalls_h - MARK_H, c->font.size_cpx), words.buf,
			words.len);
	}
	free(all.items);
	str_free(&words);
}

/* A frame around the guilty thread's row during its stall. */
static void draw_frame(const struct timeline_plan *p, struct canvas *c, const struct area *mark, size_t row)
{
	int32_t top = p->row_y[row], h = (p->style->row_px - 1) * CPX;
	struct area lines[] = { { mark->x, top, mark->w, FRAME_W },
				{ mark->x, top + h - FRAME_W, mark->w, FRAME_W },
				{ mark->x, top, FRAME_W, h },
				{ mark->x + mark->w - FRAME_W, top, FRAME_W, h } };

	c->shape(c, lines, sizeof(lines) / sizeof(*lines), MARK_RGB);
}

static bool stall_strip_has_leader(const struct timeline *t)
{
	for (size_t i = 0; i < t->stall_count; i++) {
		if (t->stalls[i].leads)
			return true;
	}
	return false;
}

void timeline_draw_stalls(const struct timeline_plan *p, struct canvas *c)
{
	struct str words = { 0 };
	bool all = !stall_strip_has_leader(p->t);

	c->open_group(c, "timeline-stalls");
	for (size_t i = 0; i < p->t->stall_count; i++) {
		const struct timeline_stall *stall = &p->t->stalls[i];
		struct area mark = { timeline_x(p, stall->start_ns), p->rows_y - MARK_H - CPX, 0, MARK_H };

		mark.w = timeline_x(p, stall->end_ns) - mark.x;
		mark.w = mark.w < MARK_W_MIN ? MARK_W_MIN : mark.w;
		words_of(p, stall, STALL_WHOLE, &words);
		c->rect(c, &mark, all || stall->leads ? MARK_RGB : canvas_tint(c, OTHER_PART), words.buf, words.len);
		if (stall->leads && stall->row < p->shown)
			draw_frame(p, c, &mark, stall->row);
	}
	draw_labels(p, c, p->rows_y - p->stalls_h);
	c->close_group(c);
	str_free(&words);
}
