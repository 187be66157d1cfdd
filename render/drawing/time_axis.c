#include "render/drawing/time_axis.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/wallclock.h"
#include "render/profile/number.h"

enum {
	AXIS_TEXT_H = 16 * CPX,
	TICK_GAP = 24 * CPX,
};

int32_t time_axis_x(const struct time_axis *a, uint64_t ns)
{
	return a->x + (int32_t)scale_u64(ns - a->start_ns, (uint64_t)a->w, a->end_ns - a->start_ns);
}

void time_axis_make(struct time_axis *a, const struct font *font)
{
	uint64_t window = a->end_ns - a->start_ns;

	for (unsigned count = (unsigned)(a->w / (40 * CPX)) + 1; count; count--) {
		size_t len;
		int32_t apart;

		a->step_ns = tick_step(window, count);
		a->digits = tick_digits(a->step_ns);
		len = a->digits < 0 ? 5 : a->digits ? 9 + (size_t)a->digits : 8;
		apart = (int32_t)scale_u64(a->step_ns < window ? a->step_ns : window, (uint64_t)a->w, window);
		if (apart >= font_width(font, "00:00:00.000000000", len) + TICK_GAP)
			break;
	}
	a->first_ns = a->relative ? a->start_ns : a->start_ns / a->step_ns * a->step_ns;
	if (a->first_ns < a->start_ns && __builtin_add_overflow(a->first_ns, a->step_ns, &a->first_ns))
		a->first_ns = UINT64_MAX; /* none */
}

static void time_axis_draw_tick(const struct time_axis *a, struct canvas *c, uint64_t ns)
{
	struct area tick = { time_axis_x(a, ns), a->y + AXIS_TEXT_H, CPX, 4 * CPX };
	int32_t x = tick.x + 2 * CPX;
	struct str label = { 0 };

	clock_add(&label, a->relative ? ns - a->start_ns : ns, a->digits);
	if (x + font_width(&c->font, label.buf, label.len) <= c->w) {
		c->rect(c, &tick, canvas_tint(c, 0.4), NULL, 0);
		c->text(c, TEXT_NOTE, x, baseline(a->y, AXIS_TEXT_H, c->font.size_cpx), label.buf, label.len);
	}
	str_free(&label);
}

void time_axis_draw(const struct time_axis *a, struct canvas *c, const char *id)
{
	struct str date = { 0 };

	c->open_group(c, id);
	if (a->relative) {
		str_puts(&date, "from the start on");
	} else {
		date_add(&date, a->start_ns);
		str_puts(&date, " UTC");
	}
	c->text(c, TEXT_NOTE, a->date_x, baseline(a->y, AXIS_TEXT_H, c->font.size_cpx), date.buf, date.len);
	for (uint64_t ns = a->first_ns; ns >= a->first_ns && ns < a->end_ns; ns += a->step_ns)
		time_axis_draw_tick(a, c, ns);
	c->close_group(c);
	str_free(&date);
}

void time_axis_draw_grid(const struct time_axis *a, struct canvas *c, int32_t y, int32_t h)
{
	struct area *lines = NULL;
	size_t count = 0, cap = 0;

	for (uint64_t ns = a->first_ns; ns >= a->first_ns && ns < a->end_ns; ns += a->step_ns) {
		lines = xgrow(lines, &cap, count + 1, sizeof(*lines));
		lines[count++] = (struct area){ time_axis_x(a, ns), y, CPX / 2, h };
	}
	c->shape(c, lines, count, canvas_tint(c, 0.16));
	free(lines);
}

/* ---- times as text ---- */

void clock_add(struct str *out, uint64_t epoch_ns, int digits)
{
	struct str iso = { 0 };

	wallclock_add(&iso, epoch_ns); /* 2026-11-21T10:15:02.000000000Z */
	if (iso.len >= 29)
		str_add(out, iso.buf + iso.len - 19, digits < 0 ? 5 : digits ? 9 + (size_t)digits : 8);
	str_free(&iso);
}

void date_add(struct str *out, uint64_t epoch_ns)
{
	struct str iso = { 0 };

	wallclock_add(&iso, epoch_ns);
	if (iso.len >= 29)
		str_add(out, iso.buf, iso.len - 20);
	str_free(&iso);
}

uint64_t tick_step(uint64_t window_ns, unsigned count)
{
	static const unsigned long long longer[] = { 1,   2,   5,    10,   15,   30,    60,    120,   300,
						     600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400 };
	uint64_t wanted = window_ns / count + !!(window_ns % count), step = 1;

	while (step < NS_PER_SEC && step < wanted) {
		if (step * 2 >= wanted)
			return step * 2;
		if (step * 5 >= wanted)
			return step * 5;
		step *= 10;
	}
	if (step < NS_PER_SEC)
		return step;
	for (size_t i = 0; i < sizeof(longer) / sizeof(longer[0]); i++) {
		if (longer[i] * NS_PER_SEC >= wanted)
			return longer[i] * NS_PER_SEC;
	}
	return (wanted / (86400 * NS_PER_SEC) + 1) * (86400 * NS_PER_SEC);
}

int tick_digits(uint64_t step_ns)
{
	int digits = 9;

	if (step_ns >= 60 * NS_PER_SEC)
		return -1;
	for (; digits && step_ns % 10 == 0; step_ns /= 10)
		digits--;
	return digits;
}
