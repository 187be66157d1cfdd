/* The axes of a heat map:
 *
 *     1000 ms |
 *      800 ms |
 *        0 ms |
 *             |10:15:02    |10:15:12    2026-11-21 UTC */
#include "render/heat/heat_draw.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/wallclock.h"
#include "render/colours/hue.h"
#include "render/profile/number.h"

enum { TICK = 4 * CPX, LABEL_GAP = 3 * CPX, ROWS_APART = 32 * CPX };

#define DAY_NS (86400 * NS_PER_SEC)

/* ---- rows ----------------------------------------------------------------- */

static struct str *add_tick(struct heat_plan *p, double at)
{
	p->ticks = xgrow(p->ticks, &p->ticks_cap, p->tick_count + 1, sizeof(*p->ticks));
	p->ticks[p->tick_count] = (struct heat_tick){ .at = at };
	return &p->ticks[p->tick_count++].label;
}

/* A step of 1, 2 or 5 times a power of ten, so that whole has at most count steps. */
static uint64_t round_step(uint64_t whole, uint64_t count)
{
	static const uint64_t steps[] = { 1, 2, 5 };
	uint64_t power = 1;

	for (;;) {
		for (size_t i = 0; i < 3; i++) {
			if (whole / (steps[i] * power) <= count)
				return steps[i] * power;
		}
		power *= 10;
	}
}

struct offset_unit {
	uint64_t ns;
	const char *name;
};

/* The largest unit that fits at least five times into the period. */
static struct offset_unit offset_unit(uint64_t period_ns)
{
	static const struct offset_unit units[] = {
		{ 3600 * NS_PER_SEC, "h" }, { 60 * NS_PER_SEC, "min" }, { NS_PER_SEC, "s" },
		{ 1000000, "ms" },          { 1000, "\xc2\xb5s" },      { 1, "ns" },
	};
	size_t i = 0;

	while (units[i].ns > 1 && period_ns / units[i].ns < 5)
		i++;
	return units[i];
}

static uint64_t offset_step(uint64_t period_ns, struct offset_unit unit, uint64_t count)
{
	static const uint64_t hours[] = { 1, 2, 3, 4, 6, 12, 24 }, sixties[] = { 1, 2, 5, 10, 15, 20, 30, 60 };
	uint64_t whole = period_ns / unit.ns;

	for (size_t i = 0; i < 7 && unit.ns == 3600 * NS_PER_SEC; i++) {
		if (whole / hours[i] <= count)
			return hours[i] * unit.ns;
	}
	for (size_t i = 0; i < 8 && unit.ns >= NS_PER_SEC && unit.ns < 3600 * NS_PER_SEC; i++) {
		if (whole / sixties[i] <= count)
			return sixties[i] * unit.ns;
	}
	return round_step(whole, count) * unit.ns;
}

/* Append "0 ms" to "1000 ms"; for periods of a day the time of day. */
static void heat_axes_add_offset(struct heat_plan *p, uint64_t ns, struct offset_unit unit)
{
	uint64_t period = p->chart->axes.period_ns;
	struct str *label = add_tick(p, (double)ns / (double)period);

	if (period == DAY_NS && !p->chart->heat->relative)
		str_addf(label, "%02u:00", (unsigned)(ns / unit.ns));
	else if (ns % unit.ns)
		str_addf(label, "%.6g %s", (double)ns / (double)unit.ns, unit.name);
	else
		str_addf(label, "%llu %s", (unsigned long long)(ns / unit.ns), unit.name);
}

static void add_offsets(struct heat_plan *p, uint64_t count)
{
	uint64_t period = p->chart->axes.period_ns, ns = 0;
	struct offset_unit unit = offset_unit(period);
	uint64_t step = offset_step(period, unit, count);

	for (; ns + step / 2 <= period && ns != period; ns += step)
		heat_axes_add_offset(p, ns, unit);
	heat_axes_add_offset(p, period, unit);
}

double heat_height_of(const struct heat_axes *a, uint64_t value)
{
	double at = (double)value, low = (double)a->low;

	if (a->y == HEAT_Y_UTILIZATION)
		return at / 10000; /* the unit of heat_percentile() */
	if (a->logarithmic && a->high <= a->low)
		return 0;
	if (a->logarithmic)
		return value ? log(at / low) / log((double)a->high / low) : 0;
	return (at - low) / ((double)a->step * a->rows);
}

static void heat_axes_add_value(struct heat_plan *p, uint64_t value)
{
	const struct heat_axes *a = &p->chart->axes;
	double at = heat_height_of(a, value);

	if (at >= 0 && at <= 1.0001)
		heat_value_add(add_tick(p, at > 1 ? 1 : at), p, value);
}

/* The upper end has a label even if it is not a multiple of the step; a tick too close to the upper end loses its
 * label. */
static void end_values(struct heat_plan *p, uint64_t upper, uint64_t count)
{
	struct heat_tick *last = p->tick_count ? &p->ticks[p->tick_count - 1] : NULL;
	double left = last ? heat_height_of(&p->chart->axes, upper) - last->at : 1;

	if (left < 0.0001)
		return;
	if (p->tick_count > 1 && left * (double)count < 0.5) {
		str_free(&last->label);
		p->tick_count--;
	}
	heat_axes_add_value(p, upper);
}

static void heat_axes_add_values(struct heat_plan *p, uint64_t count)
{
	const struct heat_axes *a = &p->chart->axes;
	uint64_t upper = heat_row_border(a, a->rows), step = round_step(upper - a->low, count);
	uint64_t first = a->low / step * step + (a->low % step ? step : 0);

	for (uint64_t value = first; value <= upper && value >= first; value += step)
		heat_axes_add_value(p, value);
	end_values(p, upper, count);
}

/* Ticks at 1, 10, 100, ...; also at 2 and 5 times these if there are few. */
static void add_powers(struct heat_plan *p, uint64_t count)
{
	const struct heat_axes *a = &p->chart->axes;
	double powers = log10((double)a->high / (double)a->low);
	uint64_t power = 1;

	while (power <= a->high / 10 && power < a->low / 10)
		power *= 10;
	for (;;) {
		if (power >= a->low)
			heat_axes_add_value(p, power);
		if (powers * 3 <= (double)count && power < UINT64_MAX / 5) {
			if (power * 2 >= a->low && power * 2 <= a->high)
				heat_axes_add_value(p, power * 2);
			if (power * 5 >= a->low && power * 5 <= a->high)
				heat_axes_add_value(p, power * 5);
		}
		if (power > a->high / 10)
			break;
		power *= 10;
	}
	end_values(p, a->high, count);
}

void heat_ticks_make(struct heat_plan *p, int32_t h_cpx)
{
	const struct heat_axes *a = &p->chart->axes;
	uint64_t count = (uint64_t)(h_cpx / ROWS_APART);

	count = count ? count : 1;
	if (a->y == HEAT_Y_OFFSET) {
		add_offsets(p, count);
	} else if (a->y == HEAT_Y_VALUE) {
		if (a->logarithmic)
			add_powers(p, count);
		else
			heat_axes_add_values(p, count);
	} else {
		unsigned step = (unsigned)round_step(100, count > 10 ? 10 : count);

		for (unsigned percent = 0; percent <= 100; percent += step)
			str_addf(add_tick(p, percent / 100.0), "%u %%", percent);
	}
}

/* ---- both ----------------------------------------------------------------- */

static void draw_rows_axis(const struct heat_plan *p, struct canvas *c, const struct heat_map *m)
{
	int32_t size = c->font.size_cpx, line = size * 3 / 2;

	for (size_t i = 0; i < p->tick_count; i++) {
		const struct heat_tick *t = &p->ticks[i];
		double down = p->style->inverted ? t->at : 1 - t->at;
		int32_t y = m->y + (int32_t)lround(down * m->h);
		int32_t w = (int32_t)font_width(&c->font, t->label.buf, t->label.len);
		struct area tick = { m->x - TICK, y - CPX / 2, TICK, CPX };

		c->shape(c, &tick, 1, canvas_tint(c, 0.4));
		c->text(c, TEXT_NOTE, m->x - TICK - LABEL_GAP - w, baseline(y - line / 2, line, size), t->label.buf,
			t->label.len);
	}
}

void heat_draw_axes(const struct heat_plan *p, struct canvas *c, const struct heat_map *m)
{
	size_t number = (size_t)(m - p->chart->maps);
	bool bottom = number + p->across >= p->chart->map_count;

	if (number % p->across == 0)
		draw_rows_axis(p, c, m);
	if (bottom)
		heat_draw_times(p, c, m);
}
