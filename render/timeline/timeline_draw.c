#include "render/timeline/timeline_draw.h"

#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "render/colours/hue.h"
#include "render/drawing/time_axis.h"
#include "render/profile/number.h"

enum {
	AXIS_TEXT_H = 16 * CPX,
	TICK_GAP = 24 * CPX,
	LABEL_INSET = 3 * CPX,
	LABEL_MIN_CHARS = 6,
	END_MIN_CHARS = 6,
	TRACE_LINES = 12
};

/* ---- axis ----------------------------------------------------------------- */

struct axis {
	uint64_t step_ns, first_ns;
	int digits;
};

static int32_t timeline_draw_label_width(const struct timeline_plan *p, int digits)
{
	static const char widest[] = "00:00:00.000000000";
	size_t len = digits < 0 ? 5 : digits ? 9 + (size_t)digits : 8;

	return (int32_t)font_width(&p->style->font, widest, len);
}

/* The closest ticks between which their labels fit. */
static struct axis make_axis(const struct timeline_plan *p)
{
	uint64_t window = p->t->in.end_ns - p->t->in.start_ns;
	struct axis a = { 0 };

	for (unsigned count = (unsigned)(p->bar_w / (40 * CPX)) + 1; count; count--) {
		int32_t apart;

		a.step_ns = tick_step(window, count);
		a.digits = tick_digits(a.step_ns);
		apart = (int32_t)scale_u64(a.step_ns < window ? a.step_ns : window, (uint64_t)p->bar_w, window);
		if (apart >= timeline_draw_label_width(p, a.digits) + TICK_GAP)
			break;
	}
	a.first_ns = p->t->in.relative ? p->t->in.start_ns : p->t->in.start_ns / a.step_ns * a.step_ns;
	if (a.first_ns < p->t->in.start_ns && __builtin_add_overflow(a.first_ns, a.step_ns, &a.first_ns))
		a.first_ns = UINT64_MAX; /* none */
	return a;
}

int32_t timeline_x(const struct timeline_plan *p, uint64_t ns)
{
	return p->bar_x +
	       (int32_t)scale_u64(ns - p->t->in.start_ns, (uint64_t)p->bar_w, p->t->in.end_ns - p->t->in.start_ns);
}

static void timeline_draw_tick(const struct timeline_plan *p, struct canvas *c, uint64_t ns, int digits)
{
	struct area tick = { timeline_x(p, ns), p->axis_y + AXIS_TEXT_H, CPX, 4 * CPX };
	int32_t size = c->font.size_cpx, x = tick.x + 2 * CPX;
	struct str label = { 0 };

	clock_add(&label, timeline_told(p->t, ns), digits);
	if (x + font_width(&c->font, label.buf, label.len) <= p->w) {
		c->rect(c, &tick, canvas_tint(c, 0.4), NULL, 0);
		c->text(c, TEXT_NOTE, x, baseline(p->axis_y, AXIS_TEXT_H, size), label.buf, label.len);
	}
	str_free(&label);
}

static void timeline_draw_axis(const struct timeline_plan *p, struct canvas *c, const struct axis *a)
{
	struct str date = { 0 }, shown = { 0 };

	c->open_group(c, "timeline-axis");
	if (p->t->in.relative) {
		str_puts(&date, "from the start on");
	} else {
		date_add(&date, p->t->in.start_ns);
		str_puts(&date, " UTC");
	}
	font_fit(&shown, &c->font, date.buf, date.len, p->bar_x - p->name_x, 1);
	if (shown.len)
		c->text(c, TEXT_NOTE, p->name_x, baseline(p->axis_y, AXIS_TEXT_H, c->font.size_cpx), shown.buf,
			shown.len);
	for (uint64_t ns = a->first_ns; ns >= a->first_ns && ns < p->t->in.end_ns; ns += a->step_ns)
		timeline_draw_tick(p, c, ns, a->digits);
	c->close_group(c);
	str_free(&date);
	str_free(&shown);
}

/* ---- rows ----------------------------------------------------------------- */

static void timeline_draw_tracks(const struct timeline_plan *p, struct canvas *c)
{
	for (size_t i = 0; i < p->shown; i++) {
		struct area track = { p->bar_x, p->row_y[i] + CPX, p->bar_w, (p->style->row_px - 3) * CPX };
		struct str tip = { 0 };

		if (p->t->by_cpu) {
			uint64_t window = p->t->in.end_ns - p->t->in.start_ns;
			uint64_t busy = p->t->rows[i].time_ns;

			str_puts(&tip, p->names[i].buf);
			str_addf(&tip, ", %s: ", timeline_idle_word(p->t));
			duration_add(&tip, busy < window ? window - busy : 0);
		}
		c->rect(c, &track, canvas_tint(c, TIMELINE_TRACK_PART), str_text(&tip), tip.len);
		str_free(&tip);
	}
}

static void timeline_draw_grid(const struct timeline_plan *p, struct canvas *c, const struct axis *a)
{
	struct area *lines = NULL;
	size_t count = 0, cap = 0;
	int32_t last = p->shown ? p->row_y[p->shown - 1] + p->style->row_px * CPX : p->rows_y;

	for (uint64_t ns = a->first_ns; ns >= a->first_ns && ns < p->t->in.end_ns; ns += a->step_ns) {
		lines = xgrow(lines, &cap, count + 1, sizeof(*lines));
		lines[count++] = (struct area){ timeline_x(p, ns), p->rows_y, CPX / 2, last - p->rows_y };
	}
	c->shape(c, lines, count, canvas_tint(c, 0.16));
	free(lines);
}

static struct area timeline_draw_area_of(const struct timeline_plan *p, const struct mark *m)
{
	int32_t bottom = p->row_y[m->row] + (p->style->row_px - 2) * CPX;

	return (struct area){ p->bar_x + m->x, bottom - m->h * CPX, m->w, m->h * CPX };
}

/* Append the name of the waker, the last frame of a chain. */
static void add_waker(struct str *out, const char *chain)
{
	const char *waker = strrchr(chain, ';') + 1;
	size_t len = strlen(waker), mark = strlen(FOLDED_WAKER_FRAME);

	if (len > mark && !strcmp(waker + len - mark, FOLDED_WAKER_FRAME))
		len -= mark;
	str_add(out, waker, len);
}

/* Append the innermost functions of a trace, one per line, and who woke the thread. */
static void tell_trace(const struct timeline *t, uint32_t trace, struct str *tip)
{
	const char *text = intern_text(&t->traces, trace), *end = strstr(text, ";" FOLDED_CHAIN_FRAME ";");
	size_t len = end ? (size_t)(end - text) : intern_len(&t->traces, trace);

	for (int lines = 0; len && lines < TRACE_LINES; lines++) {
		const char *last = memrchr(text, ';', len);
		size_t start = last ? (size_t)(last - text) + 1 : 0;

		str_addc(tip, '\n');
		str_add(tip, text + start, len - start);
		len = start ? start - 1 : 0;
	}
	if (len)
		str_puts(tip, "\n\xe2\x80\xa6");
	if (end) {
		str_puts(tip, "\nwoken by ");
		add_waker(tip, end);
	}
}

/* Append "spin-a-4711 on CPU 3", the time and the length of the span, and the other columns of its line. */
static void tell_span(const struct timeline_plan *p, const struct timeline_span *s, struct str *tip)
{
	const struct timeline *t = p->t;
	const struct timeline_stack *stack = &t->stacks[s->stack];
	struct timeline_values v = timeline_values_of(t, s);

	str_clear(tip);
	str_puts(tip, p->names[stack->row].buf);
	str_puts(tip, ": ");
	timeline_kind_add(tip, t, &t->kinds[stack->kind]);
	if (t->kinds_are_states && stack->by != UINT32_MAX) {
		str_puts(tip, ", for ");
		timeline_by_add(tip, t, stack->by);
	}
	str_addc(tip, '\n');
	clock_add(tip, timeline_told(t, s->start_ns), 9);
	str_puts(tip, t->in.relative ? " after the start, " : " UTC, ");
	duration_add(tip, s->time_ns);
	if (v.count > 1) {
		str_puts(tip, "\n");
		number_add(tip, v.count);
		str_puts(tip, " spans put together, longest ");
		duration_add(tip, v.longest);
	}
	if (stack->trace != UINT32_MAX)
		tell_trace(t, stack->trace, tip);
}

/* Shorten a name in the middle, since threads of a process differ at the end of their names. */
static void fit_name(const struct timeline_plan *p, struct str *out, const struct font *font, const struct str *name,
		     const char *before, int32_t room)
{
	size_t skip = timeline_skipped(p->t, str_text(name), name->len);
	const char *text = str_text(name) + skip;
	struct str whole = { 0 };

	str_puts(&whole, before);
	str_add(&whole, text, name->len - skip);
	if (font_width(font, str_text(&whole), whole.len) <= room)
		str_add(out, str_text(&whole), whole.len);
	else
		font_fit_end(out, font, text, name->len - skip, room, END_MIN_CHARS);
	str_free(&whole);
}

/* "lock: worker-0", "for worker-0" or "worker-0", if one of them fits: who had what the thread waited for (as HELD in
 * timeline/data.js). */
static bool add_holder(const struct timeline_plan *p, struct str *out, const struct font *font,
		       const struct timeline_stack *stack, const struct str *kind, int32_t room)
{
	const char *trace = stack->trace == UINT32_MAX ? "" : intern_text(&p->t->traces, stack->trace);
	const char *chain = strstr(trace, ";" FOLDED_CHAIN_FRAME ";");

	if (!chain || (strcmp(str_text(kind), "lock") && strcmp(str_text(kind), "another thread")))
		return false;
	for (int how = 0; how < 3; how++) {
		str_clear(out);
		if (!how)
			str_addf(out, "%s: ", str_text(kind));
		str_puts(out, how == 1 ? "for " : "");
		add_waker(out, chain);
		if (font_width(font, out->buf, out->len) <= room)
			return true;
	}
	str_clear(out);
	return false;
}

/* "CPU 3" or "3", "running", "for spin-b-4712". */
static void timeline_draw_label(const struct timeline_plan *p, struct canvas *c, const struct area *box,
				const struct timeline_stack *stack)
{
	int32_t room = box->w - 2 * LABEL_INSET;
	bool waits = p->t->kinds[stack->kind].waiting && stack->by != UINT32_MAX;
	struct str label = { 0 }, shown = { 0 };

	if (waits)
		timeline_by_add(&label, p->t, stack->by);
	else
		timeline_kind_add(&label, p->t, &p->t->kinds[stack->kind]);
	if (waits || p->t->by_cpu)
		fit_name(p, &shown, &c->font, &label, waits ? "for " : "", room);
	else if (add_holder(p, &shown, &c->font, stack, &label, room))
		;
	else if (font_width(&c->font, label.buf, label.len) <= room)
		str_add(&shown, label.buf, label.len);
	else if (p->t->kinds_are_cpus && label.len > 4 && !memcmp(label.buf, "CPU ", 4))
		font_fit(&shown, &c->font, label.buf + 4, label.len - 4, room, (unsigned)label.len - 4);
	else
		font_fit(&shown, &c->font, label.buf, label.len, room, LABEL_MIN_CHARS);
	if (shown.len)
		c->text(c, TEXT_FRAME, box->x + LABEL_INSET, baseline(box->y, box->h, c->font.size_cpx), shown.buf,
			shown.len);
	str_free(&label);
	str_free(&shown);
}

static int wider_first(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x < y) - (x > y);
}

/* The least width of marks that get a box of their own. */
static int32_t least_box(const struct timeline_plan *p)
{
	uint32_t most = format_boxes_max(p->style->format, p->style->width_px);
	int32_t *widths = xcalloc(p->marks.count + 1, sizeof(*widths)), least = 0;
	size_t count = 0;

	for (size_t i = 0; i < p->marks.count; i++) {
		if (p->marks.items[i].span != SIZE_MAX)
			widths[count++] = p->marks.items[i].w;
	}
	if (most && count > most) {
		qsort(widths, count, sizeof(*widths), wider_first);
		least = widths[most] + 1;
	}
	free(widths);
	return least;
}

/* Draw marks first..end of one row that are too narrow for boxes: one shape for each kind. */
static void draw_shapes(const struct timeline_plan *p, struct canvas *c, size_t first, size_t end, int32_t least,
			struct area *areas, uint8_t *drawn)
{
	for (size_t i = first; i < end; i++) {
		uint32_t kind = p->marks.items[i].kind;
		size_t count = 0;

		if (drawn[i])
			continue;
		for (size_t k = i; k < end; k++) {
			const struct mark *m = &p->marks.items[k];

			if (drawn[k] || m->kind != kind || (m->span != SIZE_MAX && m->w >= least))
				continue;
			areas[count++] = timeline_draw_area_of(p, m);
			drawn[k] = 1;
		}
		c->shape(c, areas, count, timeline_rgb(p, kind));
	}
}

static void draw_boxes(const struct timeline_plan *p, struct canvas *c, size_t first, size_t end, int32_t least)
{
	struct str tip = { 0 };

	for (size_t i = first; i < end; i++) {
		const struct mark *m = &p->marks.items[i];
		struct area box = timeline_draw_area_of(p, m);

		if (m->span == SIZE_MAX || m->w < least)
			continue;
		tell_span(p, &p->t->spans[m->span], &tip);
		c->rect(c, &box, timeline_rgb(p, m->kind), tip.buf, tip.len);
		if (!p->t->kinds[m->kind].dull)
			timeline_draw_label(p, c, &box, &p->t->stacks[p->t->spans[m->span].stack]);
	}
	str_free(&tip);
}

static void draw_rows(const struct timeline_plan *p, struct canvas *c, const struct axis *a)
{
	struct area *areas = xcalloc(p->marks.count + 1, sizeof(*areas));
	uint8_t *drawn = xcalloc(p->marks.count + 1, 1);
	int32_t least = least_box(p);

	c->open_group(c, "timeline-rows");
	timeline_draw_tracks(p, c);
	timeline_draw_grid(p, c, a);
	for (size_t first = 0, end; first < p->marks.count; first = end) {
		uint32_t row = p->marks.items[first].row;

		for (end = first; end < p->marks.count && p->marks.items[end].row == row;)
			end++;
		draw_shapes(p, c, first, end, least, areas, drawn);
		draw_boxes(p, c, first, end, least);
	}
	c->close_group(c);
	free(areas);
	free(drawn);
}

/* ---- names ---------------------------------------------------------------- */

static void draw_names(const struct timeline_plan *p, struct canvas *c)
{
	int32_t height = (p->style->row_px - 1) * CPX, size = c->font.size_cpx;
	struct str shown = { 0 };

	c->open_group(c, "timeline-names");
	for (size_t i = 0; i < p->group_count; i++) {
		str_clear(&shown);
		topology_place_add(&shown, p->groups[i].cpu);
		c->text(c, TEXT_NOTE, p->name_x, baseline(p->groups[i].y, 20 * CPX, size), shown.buf, shown.len);
	}
	for (size_t i = 0; i < p->shown; i++) {
		int32_t y = baseline(p->row_y[i], height, size);
		int32_t w = (int32_t)font_width(&c->font, str_text(&p->notes[i]), p->notes[i].len);
		size_t skip;

		str_clear(&shown);
		skip = timeline_skipped(p->t, str_text(&p->names[i]), p->names[i].len);
		font_fit_end(&shown, &c->font, str_text(&p->names[i]) + skip, p->names[i].len - skip, p->name_w, 1);
		if (shown.len)
			c->text(c, TEXT_DETAILS, p->name_x, y, shown.buf, shown.len);
		if (p->note_w)
			c->text(c, TEXT_NOTE, p->note_x + p->note_w - w, y, str_text(&p->notes[i]), p->notes[i].len);
	}
	c->close_group(c);
	str_free(&shown);
}

void timeline_draw(const void *plan, struct canvas *c)
{
	const struct timeline_plan *p = plan;
	struct axis a = make_axis(p);

	heading_draw(&p->heading, c, TIMELINE_PAD, 8 * CPX);
	timeline_legend(p, c, p->legend_y);
	timeline_draw_axis(p, c, &a);
	draw_names(p, c);
	draw_rows(p, c, &a);
	if (p->stalls_h)
		timeline_draw_stalls(p, c);
	c->open_group(c, "details");
	heading_draw_lines(&p->details, c, TIMELINE_PAD, p->details_y);
	c->close_group(c);
}
