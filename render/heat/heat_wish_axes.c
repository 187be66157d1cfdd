/* Axes: spans, rows and columns, and the range of values. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/amount.h"
#include "core/error.h"
#include "render/heat/heat_doubts.h"
#include "render/heat/heat_wish.h"

#define MINUTE (60 * NS_PER_SEC)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

enum {
	ROWS = 50,
	ROWS_MAX = 4096,
	ROWS_LIKE = 20,
	ROWS_UNLIKE = 100,     /* what may stand for 50 */
	COLUMNS_MIN = 60,      /* of values: shorter columns, rather than fewer */
	CELLS_MAX = 8 << 20,   /* of all grids together: 64 MB */
	COLUMNS_LEAST = 100,   /* however many maps and hues there are */
	PERCENT_WHOLE = 10000, /* grid.h: 100 % of a CPU */
};

/* ---- time ------------------------------------------------------------------- */

static uint64_t offset_span(uint64_t window_ns)
{
	if (window_ns > 10 * DAY)
		return DAY;
	return window_ns > 2 * HOUR ? 5 * MINUTE : NS_PER_SEC;
}

/* Columns of values and of CPUs are no more than columns: as many as make a picture. */
static uint64_t value_span(uint64_t window_ns, bool of_cpus)
{
	uint64_t span = NS_PER_SEC;

	if (window_ns > 10 * DAY)
		return HOUR;
	if (window_ns > 2 * HOUR)
		return MINUTE;
	while (!of_cpus && span > NS_PER_SEC / 1000 && window_ns / span < COLUMNS_MIN / 2)
		span /= 10;
	return span;
}

static uint32_t offset_rows(uint64_t period_ns)
{
	if (period_ns == DAY)
		return 96;
	return period_ns % MINUTE || period_ns > HOUR ? ROWS : 60;
}

/* Put so many periods into a column that no more than max are left. */
static void limit_columns(struct heat_axes *a, uint64_t from_ns, uint64_t to_ns, uint64_t max)
{
	uint64_t more;

	do { /* once, but for centuries of microseconds */
		heat_axes_window(a, from_ns, to_ns);
		more = a->columns / max + (a->columns % max != 0);
		a->per_column *= more;
	} while (more > 1);
}

/* What memory allows: a grid for each map and each hue in it. */
static uint64_t columns_max(const struct heat_axes *a, const struct heat_options *o)
{
	uint64_t hues = o->by || o->regexps.count ? (o->rainbow ? HEAT_HUES_MAX : 12) : 0;
	uint64_t maps = o->per ? (uint64_t)o->maps : 1;
	uint64_t max = CELLS_MAX / (a->rows * maps * (hues + 2));

	return max > COLUMNS_LEAST ? max : COLUMNS_LEAST;
}

/* As many as were asked for, and no more than there are pixels: a column that is not drawn could be
 * the one that matters.  Tables have no pixels. */
static uint64_t columns_wanted(const struct heat_axes *a, const struct heat_options *o)
{
	uint64_t drawn = heat_columns_drawn(o->width ? (int32_t)o->width : 1200, (int32_t)o->box, a->y);
	uint64_t wanted = o->columns && (uint64_t)o->columns < a->columns ? (uint64_t)o->columns : a->columns;

	return heat_options_is_table(o) || wanted < drawn ? wanted : drawn;
}

/* The columns are fewer than the spans, which nobody asked for. */
static void tell_limit(const struct heat_axes *a, uint64_t wanted)
{
	struct str span = { 0 };

	duration_add(&span, a->period_ns);
	warn("%" PRIu64 " columns of %s in %" PRIu32 " rows are too many: %" PRIu64 " are one (a shorter time, --from "
	     "and --to, or fewer --rows have finer ones)",
	     wanted, span.buf, a->rows, a->per_column);
	str_free(&span);
}

static void choose_columns(struct heat_axes *a, const struct heat_options *o, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t max = columns_max(a, o), wanted;

	heat_axes_window(a, from_ns, to_ns);
	wanted = columns_wanted(a, o);
	limit_columns(a, from_ns, to_ns, wanted < max ? wanted : max);
	if (wanted > max)
		tell_limit(a, wanted);
}

/* ---- values ----------------------------------------------------------------- */

/* Cloud Analytics' way, which stays the same while the largest value goes up and down: powers
 * of ten and of ten by 5, 10, 50, 100, ..., of which the next multiple is less than a quarter
 * above it. */
static uint64_t stable_max(uint64_t largest)
{
	uint64_t step = 1, max;

	while (step < largest && step <= UINT64_MAX / 10)
		step *= 10;
	for (unsigned i = 0;; i++) {
		uint64_t times = largest / step + (largest % step != 0);

		max = times > UINT64_MAX / step ? UINT64_MAX : times * step;
		if (step == 1 || max - largest < largest / 4)
			return max ? max : 1;
		step /= i % 2 ? 2 : 5;
		step += !step;
	}
}

static uint64_t power_of_ten_below(uint64_t n)
{
	uint64_t power = 1;

	while (power <= n / 10)
		power *= 10;
	return power;
}

/* "4096" in the values' own unit; "20ms" where that is one of time. */
static uint64_t parse_value(const char *text, const char *option, const struct heat *h)
{
	uint64_t unit = h->spans ? 1 : heat_unit_ns(source_get(&h->source, "unit")), ns;
	long double one = 1, value;
	char *end;

	for (unsigned i = 0; i < h->decimals; i++)
		one *= 10;
	value = strtold(text, &end);
	if (end != text && !*end && value >= 0 && value * one < 1.8e19L)
		return (uint64_t)(value * one + 0.5L);
	if (unit && parse_duration(text, &ns) && (long double)ns / unit * one < 1.8e19L)
		return (uint64_t)((long double)ns / unit * one + 0.5L);
	die_usage("%s wants a number%s, not '%s'", option, unit ? " or a time such as 20ms" : "", text);
}

/* The range of the values of events that are not idle; false: there are none. */
static bool find_range(const struct heat *h, uint64_t *least, uint64_t *largest)
{
	*least = UINT64_MAX; /* of those that are not 0 */
	*largest = 0;
	for (size_t i = 0; i < h->event_count; i++) {
		uint64_t value = heat_value(h, i);

		if (h->stacks[h->stack[i]].idle)
			continue;
		if (value > *largest)
			*largest = value;
		if (value && value < *least)
			*least = value;
	}
	return *least <= *largest;
}

/* Linear rows: all of one size, a whole number, the last one shorter or longer. */
static void choose_steps(struct heat_axes *a, const struct heat_options *o, const struct heat *h, uint32_t rows)
{
	uint64_t range = a->high - a->low;

	if (o->step) {
		a->step = parse_value(o->step, "--step", h);
		if (!a->step)
			die_usage("--step %s is less than the values' last digit, and makes no rows", o->step);
	} else {
		a->step = range / rows + (range % rows != 0);
		a->step += !a->step;
	}
	if (a->step == 1)
		range++; /* each number has a row */
	if (range / a->step >= ROWS_MAX)
		die_usage("--step %s makes more than %d rows", o->step ? o->step : "", ROWS_MAX);
	a->rows = (uint32_t)(range / a->step + (range % a->step != 0));
	if (!o->step && a->rows > rows && rows > 1)
		a->rows = rows;
	a->rows += !a->rows;
}

static const char *choose_values(struct heat_axes *a, const struct heat *h, const struct heat_options *o)
{
	uint32_t rows = o->rows ? (uint32_t)o->rows : ROWS;
	uint64_t least, largest;

	if (!find_range(h, &least, &largest) && a->logarithmic)
		return "all values are zero, which a logarithmic scale has not";
	a->high = o->high ? parse_value(o->high, "--max", h) : stable_max(largest);
	a->low = o->low ? parse_value(o->low, "--min", h) : a->logarithmic ? power_of_ten_below(least) : 0;
	if (a->logarithmic && !a->low)
		die_usage("--log has no 0: --min wants more than that");
	if (a->logarithmic && a->low >= a->high && !o->high)
		a->high = a->low < UINT64_MAX / 10 ? a->low * 10 : UINT64_MAX;
	if (a->low > a->high || (a->logarithmic && a->low == a->high))
		die_usage("--min is not less than --max%s", o->high ? "" : ", the largest value");
	a->rows = rows;
	a->step = 1;
	if (!a->logarithmic)
		choose_steps(a, o, h, rows);
	return NULL;
}

/* ---- all of it -------------------------------------------------------------- */

/* Of some time; lines that do not say so are such of states of threads. */
static bool are_sums(const struct heat *h)
{
	const char *event = source_get(&h->source, "event");
	struct str said = { 0 };
	bool sums = heat_sums_add(&said, h);

	str_free(&said);
	return sums || (event && !strcmp(event, "sched"));
}

static bool is_sampled(const struct heat *h)
{
	for (size_t i = 0; i < h->recording_count; i++) {
		if (h->recordings[i].rate_hz > 0)
			return true;
	}
	return false;
}

/* Why the lines do not tell how busy CPUs were; NULL: they do. */
static const char *why_no_use(const struct heat *h)
{
	const char *event = source_get(&h->source, "event");

	if (h->spans && !heat_dimension_find(h, "cpu"))
		return "the spans do not tell on which CPU they were: "
		       "'pyrograph collapse --tenancy --timed' makes some that do";
	if (h->spans && event && (!strcmp(event, "offcpu") || !strcmp(event, "wakeup")))
		return "the spans are of time without a CPU";
	if (h->spans || is_sampled(h))
		return NULL;
	if (are_sums(h))
		return "the lines are sums of what threads did: 'pyrograph collect sched --events' records each span, "
		       "which 'pyrograph collapse --tenancy --timed' tells of CPUs";
	return "the header tells no sampling rate (rate=), so that nobody knows how many samples are 100%";
}

const char *heat_wish_axes(struct heat_axes *a, const struct heat *h, const struct heat_options *o,
			   const struct zone *zone, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t window_ns = to_ns - from_ns, span = heat_options_span(o);
	const char *wrong = NULL;

	/* Without a wall clock the axis begins with what was seen. */
	*a = (struct heat_axes){ .y = heat_options_y(o),
				 .weigh = heat_options_weigh(o),
				 .per_column = 1,
				 .zone_ns = h->relative ? -(int64_t)from_ns : zone->offset_ns,
				 .logarithmic = o->logarithmic };
	if (a->weigh == HEAT_PAINTED && !h->spans && are_sums(h))
		die_usage("--paint is for spans of time (spans=start in the header): these lines are sums; "
			  "'%s' records each span",
			  heat_single_spans(h));
	if (a->weigh == HEAT_PAINTED && !h->spans)
		die_usage("--paint is for spans of time (spans=start in the header): these lines are moments");
	a->period_ns = span                    ? span
		       : a->y == HEAT_Y_OFFSET ? offset_span(window_ns)
					       : value_span(window_ns, a->y == HEAT_Y_UTILIZATION);
	a->rows = o->rows ? (uint32_t)o->rows : ROWS;
	if (!o->rows && a->y != HEAT_Y_VALUE)
		a->rows = heat_rows_without_beats(h, a, a->y == HEAT_Y_OFFSET ? offset_rows(a->period_ns) : ROWS,
						  ROWS_LIKE, ROWS_UNLIKE);
	if (a->y == HEAT_Y_VALUE)
		wrong = choose_values(a, h, o);
	if (a->y == HEAT_Y_UTILIZATION) {
		a->high = PERCENT_WHOLE;
		a->step = PERCENT_WHOLE / a->rows + (PERCENT_WHOLE % a->rows != 0);
		wrong = why_no_use(h);
	}
	if (!wrong)
		choose_columns(a, o, from_ns, to_ns);
	return wrong;
}
