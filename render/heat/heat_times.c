/* The axis of a heat map's columns: times of day, and for long times days, months and years.
 *
 *     |10:15:02    |10:15:12        |2026-11-21   |2026-11-28        |2026-11    |2027-02        |1980   |1990 */
#include "render/heat/heat_draw.h"

#include <time.h>

#include "core/wallclock.h"
#include "render/colours/hue.h"
#include "render/drawing/time_axis.h"
#include "render/profile/number.h"

enum { TICK = 4 * CPX, LABEL_APART = 12 * CPX, AXIS_TEXT_H = 16 * CPX };

#define MINUTE_NS (60 * NS_PER_SEC)
#define HOUR_NS (60 * MINUTE_NS)
#define DAY_NS (24 * HOUR_NS)
#define WEEK_NS (7 * DAY_NS)

/* The distance of ticks: a time, or a number of months. */
struct time_step {
	uint64_t ns;
	unsigned months;
};

/* Step i, where each step is longer than the previous one; returns false if there is no such step. */
static bool step_at(struct time_step *step, size_t i)
{
	static const uint64_t tens[] = { 1, 2, 5 };
	static const struct time_step longer[] = {
		{ 1 * NS_PER_SEC, 0 },  { 2 * NS_PER_SEC, 0 },   { 5 * NS_PER_SEC, 0 },    { 10 * NS_PER_SEC, 0 },
		{ 15 * NS_PER_SEC, 0 }, { 30 * NS_PER_SEC, 0 },  { MINUTE_NS, 0 },         { 2 * MINUTE_NS, 0 },
		{ 5 * MINUTE_NS, 0 },   { 10 * MINUTE_NS, 0 },   { 15 * MINUTE_NS, 0 },    { 30 * MINUTE_NS, 0 },
		{ HOUR_NS, 0 },         { 2 * HOUR_NS, 0 },      { 3 * HOUR_NS, 0 },       { 6 * HOUR_NS, 0 },
		{ 12 * HOUR_NS, 0 },    { DAY_NS, 0 },           { 2 * DAY_NS, 0 },        { WEEK_NS, 0 },
		{ 2 * WEEK_NS, 0 },     { 30 * DAY_NS, 1 },      { 91 * DAY_NS, 3 },       { 182 * DAY_NS, 6 },
		{ 365 * DAY_NS, 12 },   { 730 * DAY_NS, 24 },    { 1826 * DAY_NS, 60 },    { 3652 * DAY_NS, 120 },
		{ 7305 * DAY_NS, 240 }, { 18262 * DAY_NS, 600 }, { 36524 * DAY_NS, 1200 },
	};
	uint64_t power = 1;

	if (i >= 27 + sizeof(longer) / sizeof(longer[0]))
		return false;
	if (i >= 27) {
		*step = longer[i - 27];
		return true;
	}
	for (size_t k = 0; k < i / 3; k++)
		power *= 10;
	*step = (struct time_step){ tens[i % 3] * power, 0 };
	return true;
}

/* ---- the places of ticks, in the time of the zone --------------------------------- */

/* The begin of the first month at or after ns whose number is a multiple of step. */
static uint64_t month_from(uint64_t ns, unsigned step)
{
	time_t seconds = (time_t)(ns / NS_PER_SEC);
	struct tm t;
	unsigned month;

	gmtime_r(&seconds, &t);
	month = (unsigned)(t.tm_year * 12 + t.tm_mon);
	for (month = month / step * step;; month += step) {
		struct tm first = { .tm_year = (int)(month / 12), .tm_mon = (int)(month % 12), .tm_mday = 1 };
		time_t begins = timegm(&first);

		if (begins >= 0 && (uint64_t)begins * NS_PER_SEC >= ns)
			return (uint64_t)begins * NS_PER_SEC;
	}
}

/* The first tick at or after ns; UINT64_MAX if there is none.  Weeks begin on Mondays; 1970-01-01 was a
 * Thursday. */
static uint64_t tick_from(const struct heat_plan *p, const struct time_step *step, uint64_t ns, uint64_t origin)
{
	bool relative = p->chart->heat->relative;
	uint64_t before = relative ? origin : step->ns % WEEK_NS == 0 ? 4 * DAY_NS : 0;

	if (ns > UINT64_MAX - 2 * step->ns)
		return UINT64_MAX;
	if (step->months && !relative)
		return month_from(ns, step->months);
	before %= step->ns;
	return ns <= before ? before : (ns - before + step->ns - 1) / step->ns * step->ns + before;
}

static void heat_times_add_label(struct str *out, const struct heat_plan *p, const struct time_step *step,
				 uint64_t zone_time_ns)
{
	const struct heat_axes *a = &p->chart->axes;
	uint64_t ns = zone_time_ns - (uint64_t)a->zone_ns;

	if (p->chart->heat->relative || zone_time_ns % DAY_NS) {
		heat_clock_add(out, p, ns, tick_digits(step->ns));
		return;
	}
	zone_date_add(out, &p->style->zone, ns);
	if (step->months && out->len > 6)
		out->len -= step->months % 12 ? 3 : 6; /* 2026-11, 2026 */
	if (out->buf)
		out->buf[out->len] = '\0';
}

/* ---- the axis ----------------------------------------------------------------- */

struct times {
	const struct heat_plan *plan;
	struct canvas *canvas; /* NULL: only count ticks */
	const struct heat_map *map;
	uint64_t from_ns, to_ns, column_ns;
	int32_t end_x, edge_x; /* the end of the previous label, and of the room for labels */
	size_t count;
};

static int64_t heat_times_label_width(const struct times *t, const struct time_step *step, uint64_t ns)
{
	struct str label = { 0 };
	int64_t width;

	heat_times_add_label(&label, t->plan, step, ns);
	width = font_width(&t->plan->style->font, str_text(&label), label.len);
	str_free(&label);
	return width;
}

/* Draw a line through the lanes, which are below the last map. */
static void heat_times_draw_line(const struct times *t, int32_t x)
{
	const struct heat_plan *p = t->plan;
	struct area line = { x, p->lanes.y, CPX / 2, p->lanes.h - LANES_INSET };

	if (p->chart->lanes && t->map + 1 == p->chart->maps + p->chart->map_count)
		t->canvas->shape(t->canvas, &line, 1, canvas_tint(t->canvas, 0.16));
}

/* Returns false if the label does not fit. */
static bool heat_times_draw_tick(struct times *t, const struct time_step *step, uint64_t ns)
{
	const struct heat_map *m = t->map;
	int32_t at = (int32_t)scale_u64(ns - t->from_ns, (uint64_t)m->w, t->to_ns - t->from_ns);
	struct area tick = { m->x + at, m->y + m->h, CPX, TICK };
	int64_t width = heat_times_label_width(t, step, ns);
	struct str label = { 0 };

	if (tick.x < t->end_x || tick.x + width > t->edge_x)
		return false;
	heat_times_add_label(&label, t->plan, step, ns);
	t->canvas->shape(t->canvas, &tick, 1, canvas_tint(t->canvas, 0.4));
	t->canvas->text(t->canvas, TEXT_NOTE, tick.x, baseline(tick.y + TICK, AXIS_TEXT_H, t->canvas->font.size_cpx),
			label.buf, label.len);
	heat_times_draw_line(t, tick.x);
	t->end_x = tick.x + (int32_t)width + LABEL_APART / 2;
	t->count++;
	str_free(&label);
	return true;
}

/* The closest ticks between which their labels fit. */
static struct time_step choose_step(const struct times *t)
{
	double window = (double)(t->to_ns - t->from_ns);
	struct time_step step;

	for (size_t i = 0; step_at(&step, i); i++) {
		double room = (double)step.ns / window * t->map->w;
		uint64_t first = tick_from(t->plan, &step, t->from_ns, t->from_ns);
		/* Labels within a day are wider than those at its start, unless ticks are days. */
		uint64_t sample = step.ns < DAY_NS ? first + (first % DAY_NS ? 0 : step.ns) : first;

		if (room >= (double)(heat_times_label_width(t, &step, sample) + LABEL_APART))
			return step;
	}
	return step;
}

static size_t ticks_between(const struct times *t, const struct time_step *step)
{
	size_t count = 0;

	for (uint64_t ns = tick_from(t->plan, step, t->from_ns, t->from_ns); ns < t->to_ns && count < 2; count++)
		ns = tick_from(t->plan, step, ns + 1, t->from_ns);
	return count;
}

/* If there are fewer than two ticks, label the beginning and the end of the map. */
static void draw_ends(struct times *t)
{
	struct time_step exact = { t->column_ns % NS_PER_SEC  ? t->column_ns
				   : t->column_ns % MINUTE_NS ? NS_PER_SEC
							      : t->column_ns,
				   0 };

	heat_times_draw_tick(t, &exact, t->from_ns);
	heat_times_draw_tick(t, &exact, t->to_ns);
}

void heat_draw_times(const struct heat_plan *p, struct canvas *c, const struct heat_map *m)
{
	const struct heat_axes *a = &p->chart->axes;
	size_t number = (size_t)(m - p->chart->maps);
	bool last = number % p->across == p->across - 1;
	struct times t = { .plan = p,
			   .canvas = c,
			   .map = m,
			   .column_ns = a->period_ns * a->per_column,
			   .end_x = m->x,
			   .edge_x = last ? p->w : m->x + p->step - LABEL_APART / 2 };
	struct time_step step;

	t.from_ns = a->first * a->period_ns;
	t.to_ns = t.from_ns + a->columns * t.column_ns;
	step = choose_step(&t);
	if (ticks_between(&t, &step) < 2) {
		draw_ends(&t);
		return;
	}
	for (uint64_t ns = tick_from(p, &step, t.from_ns, t.from_ns); ns <= t.to_ns && ns < UINT64_MAX;
	     ns = tick_from(p, &step, ns + 1, t.from_ns))
		heat_times_draw_tick(&t, &step, ns);
}
