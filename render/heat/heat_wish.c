#include "render/heat/heat_options.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/amount.h"
#include "core/error.h"
#include "core/format/events.h"
#include "core/format/folded.h"
#include "core/memory.h"
#include "core/nearest.h"
#include "render/heat/heat_draw.h"

enum {
	HUES = 8,  /* if no keys are named */
	NAMES = 5, /* how many keys a message names */
};

static const char *heat_wish_key_name(const struct heat *h, const struct heat_dimension *d, size_t key)
{
	return intern_text(&h->names, d->keys[key].name);
}

/* ---- dimensions ------------------------------------------------------------- */

static _Noreturn void die_no_dimension(const struct heat *h, const char *option, const char *name)
{
	struct nearest near = { 0 };
	struct str names = { 0 };

	for (size_t i = 0; i < h->dimension_count; i++) {
		str_addf(&names, "%s%s", i ? ", " : "", h->dimensions[i].name);
		nearest_try(&near, name, h->dimensions[i].name);
	}
	if (near.name)
		die_usage("%s: the lines have no '%s' among their root frames. Did you mean '%s'?", option, name,
			  near.name);
	if (names.len)
		die_usage("%s: the lines have no '%s' among their root frames, which are %s (collapse --root %s,... "
			  "adds it)",
			  option, name, names.buf, name);
	die_usage("%s: the header names no root frames: collapse --root %s,... adds them", option, name);
}

static const struct heat_dimension *find_dimension(const struct heat *h, const char *option, const char *name)
{
	const struct heat_dimension *d = heat_dimension_find(h, name);

	if (!d)
		die_no_dimension(h, option, name);
	return d;
}

const struct heat_dimension *heat_wish_per(const struct heat *h, const struct heat_options *o)
{
	if (o->per && !strcmp(o->per, "host") && !heat_dimension_find(h, "host"))
		return NULL; /* a key has that name */
	return o->per ? find_dimension(h, "--per", o->per) : NULL;
}

/* ---- keys ------------------------------------------------------------------- */

static _Noreturn void die_no_key(const struct heat *h, const struct heat_dimension *d, const char *option,
				 const char *name)
{
	struct nearest near = { 0 };
	struct str names = { 0 };

	for (size_t i = 0; i < d->key_count; i++) {
		nearest_try(&near, name, heat_wish_key_name(h, d, i));
		if (i < NAMES)
			str_addf(&names, "%s'%s'", i ? ", " : "", heat_wish_key_name(h, d, i));
	}
	if (near.name)
		die_usage("%s: no %s is called '%s'. Did you mean '%s'?", option, d->name, name, near.name);
	die_usage("%s: no %s is called '%s'; the most frequent %s %s", option, d->name, name,
		  d->key_count == 1 ? "is" : "are", names.len ? names.buf : "none");
}

static uint32_t heat_wish_find_key(const struct heat *h, const struct heat_dimension *d, const char *option,
				   const char *name)
{
	for (uint32_t i = 0; i < d->key_count; i++) {
		if (!strcmp(heat_wish_key_name(h, d, i), name))
			return i;
	}
	die_no_key(h, d, option, name);
}

static void heat_wish_add_key(struct heat_hues *hues, uint32_t key)
{
	for (size_t i = 0; i < hues->key_count; i++) {
		if (hues->keys[i] == key)
			return;
	}
	hues->keys[hues->key_count++] = key;
}

static void heat_wish_add_named(struct heat_hues *hues, const struct heat *h, const char *option,
				const struct text_list *names)
{
	for (size_t i = 0; i < names->count; i++)
		heat_wish_add_key(hues, heat_wish_find_key(h, hues->dimension, option, names->items[i]));
}

/* Choose the most frequent keys, without those that have only idle stacks. */
static void add_first(struct heat_hues *hues, const struct heat_options *o)
{
	const struct heat_dimension *d = hues->dimension;
	size_t max = o->rainbow ? HEAT_HUES_MAX : o->regexps.count ? o->regexps.count : HUES;

	for (uint32_t i = 0; i < d->key_count && hues->key_count < max; i++) {
		if (d->keys[i].events)
			heat_wish_add_key(hues, i);
	}
}

/* Cells of --y utilization count CPUs, so only hosts and CPUs can have hues. */
static void check_cpus(const struct heat_options *o, const char *by)
{
	if (strcmp(by, "cpu") && strcmp(by, "host"))
		die_usage("--y utilization needs --by host or cpu: a CPU is shared by many a %s "
			  "(--per %s draws a map for each)",
			  o->by ? by : "pattern", o->by ? by : "comm");
	if (o->isolate.count || o->without.count)
		die_usage("--isolate and --without do not go with --y utilization: "
			  "--per %s draws a map for each, and --select gives hues",
			  by);
}

void heat_wish_hues(struct heat_hues *hues, const struct heat *h, const struct heat_options *o)
{
	const char *by = o->by ? o->by : o->regexps.count ? "regexp" : NULL;

	*hues = (struct heat_hues){ 0 };
	if (!by)
		return;
	if (heat_options_y(o) == HEAT_Y_UTILIZATION)
		check_cpus(o, by);
	hues->dimension = find_dimension(h, "--by", by);
	hues->keys = xcalloc(hues->dimension->key_count + 1, sizeof(*hues->keys));
	hues->isolate = o->isolate.count;
	hues->exclude = o->without.count;
	heat_wish_add_named(hues, h, "--select", &o->select);
	heat_wish_add_named(hues, h, "--isolate", &o->isolate);
	heat_wish_add_named(hues, h, "--without", &o->without);
	if (!hues->key_count) {
		add_first(hues, o);
		heat_keys_order(h, hues->dimension, hues->keys, hues->key_count);
	}
	if (hues->key_count > HEAT_HUES_MAX)
		warn("%zu keys: the first %d have hues", hues->key_count, HEAT_HUES_MAX);
}

/* ---- axes ---- */

/* Chooses axes: spans, rows and columns, and the range of values. */

#define MINUTE (60 * NS_PER_SEC)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

enum {
	ROWS = 50,
	ROWS_MAX = 4096,
	ROWS_LIKE = 20,
	ROWS_UNLIKE = 128,     /* ROWS_LIKE to this: the range in which to look for rows without stripes */
	COLUMNS_MIN = 60,      /* for rows of values: at least this many columns, by shorter spans */
	CELLS_MAX = 8 << 20,   /* of all grids together: 64 MB */
	COLUMNS_LEAST = 100,   /* kept even with many maps and hues */
	PERCENT_WHOLE = 10000, /* grid.h: 100 % of a CPU */
};

/* ---- time ------------------------------------------------------------------- */

static uint64_t offset_span(uint64_t window_ns)
{
	if (window_ns > 10 * DAY)
		return DAY;
	return window_ns > 2 * HOUR ? 5 * MINUTE : NS_PER_SEC;
}

/* If rows are values or CPUs, columns need not be periods, so there are as many as make a good picture. */
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

/* Combine periods into columns, so that there are at most max columns. */
static void limit_columns(struct heat_axes *a, uint64_t from_ns, uint64_t to_ns, uint64_t max)
{
	uint64_t more;

	do { /* repeated only for centuries of microseconds */
		heat_axes_window(a, from_ns, to_ns);
		more = a->columns / max + (a->columns % max != 0);
		a->per_column *= more;
	} while (more > 1);
}

/* How many columns memory allows, since there is a grid for each map and each hue in it. */
static uint64_t columns_max(const struct heat_axes *a, const struct heat_options *o)
{
	uint64_t hues = o->by || o->regexps.count ? (o->rainbow ? HEAT_HUES_MAX : 12) : 0;
	uint64_t maps = o->per ? (uint64_t)o->maps : 1;
	uint64_t max = CELLS_MAX / (a->rows * maps * (hues + 2));

	return max > COLUMNS_LEAST ? max : COLUMNS_LEAST;
}

/* As many columns as requested, but no more than there are pixels, since a column that is not drawn might be the one
 * that matters.  For tables, pixels do not matter. */
static uint64_t columns_wanted(const struct heat_axes *a, const struct heat_options *o)
{
	uint64_t drawn = heat_columns_drawn(o->common.width ? (int32_t)o->common.width : 1200, (int32_t)o->box, a->y);
	uint64_t wanted = o->columns && (uint64_t)o->columns < a->columns ? (uint64_t)o->columns : a->columns;

	return heat_options_is_table(o) || wanted < drawn ? wanted : drawn;
}

/* Warn that columns had to be combined although the user did not ask for that. */
static void tell_limit(const struct heat_axes *a, uint64_t wanted)
{
	struct str span = { 0 };

	duration_add(&span, a->period_ns);
	warn("%" PRIu64 " columns of %s in %" PRIu32 " rows are too many: %" PRIu64
	     " are combined into one (for finer columns, "
	     "choose a shorter time with --from and --to, or fewer --rows)",
	     wanted, span.buf, a->rows, a->per_column);
	str_free(&span);
}

static void heat_wish_axes_choose_columns(struct heat_axes *a, const struct heat_options *o, uint64_t from_ns,
					  uint64_t to_ns)
{
	uint64_t max = columns_max(a, o), wanted;

	heat_axes_window(a, from_ns, to_ns);
	wanted = columns_wanted(a, o);
	limit_columns(a, from_ns, to_ns, wanted < max ? wanted : max);
	if (wanted > max)
		tell_limit(a, wanted);
}

/* ---- values ----------------------------------------------------------------- */

/* A maximum that stays the same while the largest value varies, as in Cloud Analytics: the next multiple of a power of
 * ten, or of half such a power, whichever is the largest step that adds less than a quarter. */
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

/* Parse "4096", in the values' own unit, or "20ms" if the unit is one of time. */
static uint64_t heat_wish_axes_parse_value(const char *text, const char *option, const struct heat *h)
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
	die_usage("%s needs a number%s, not '%s'", option, unit ? " or a time such as 20ms" : "", text);
}

/* The range of the values of events that are not idle; false: there are no such events. */
static bool heat_wish_axes_find_range(const struct heat *h, uint64_t *least, uint64_t *largest)
{
	*least = UINT64_MAX; /* the least that is not 0 */
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

/* Linear rows have the same height, a whole number, except that the last one may be shorter or longer. */
static void choose_steps(struct heat_axes *a, const struct heat_options *o, const struct heat *h, uint32_t rows)
{
	uint64_t range = a->high - a->low;

	if (o->step) {
		a->step = heat_wish_axes_parse_value(o->step, "--step", h);
		if (!a->step)
			die_usage("--step %s is smaller than the values' last digit", o->step);
	} else {
		a->step = range / rows + (range % rows != 0);
		a->step += !a->step;
	}
	if (a->step == 1)
		range++; /* both ends have rows */
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

	if (!heat_wish_axes_find_range(h, &least, &largest) && a->logarithmic)
		return "all values are zero, which a logarithmic scale does not have";
	a->high = o->high ? heat_wish_axes_parse_value(o->high, "--max", h) : stable_max(largest);
	a->low = o->low           ? heat_wish_axes_parse_value(o->low, "--min", h)
		 : a->logarithmic ? power_of_ten_below(least)
				  : 0;
	if (a->logarithmic && !a->low)
		die_usage("--log needs a --min above 0");
	if (a->logarithmic && a->low >= a->high && !o->high)
		a->high = a->low < UINT64_MAX / 10 ? a->low * 10 : UINT64_MAX;
	if (a->low > a->high || (a->logarithmic && a->low == a->high))
		die_usage("--min must be less than --max%s", o->high ? "" : " (the largest value)");
	a->rows = rows;
	a->step = 1;
	if (!a->logarithmic)
		choose_steps(a, o, h, rows);
	return NULL;
}

/* ---- all of it -------------------------------------------------------------- */

/* Are the lines sums over some time?  Lines of threads' states are, too, unless their header says otherwise. */
static bool are_sums(const struct heat *h)
{
	const char *event = source_get(&h->source, "event");
	struct str said = { 0 };
	bool sums = heat_sums_add(&said, h);

	str_free(&said);
	return sums || (event && !strcmp(event, "sched"));
}

/* Why the lines cannot show how busy CPUs were; NULL: they can. */
static const char *why_no_use(const struct heat *h)
{
	if (h->spans && !heat_dimension_find(h, "cpu"))
		return "the spans do not name their CPUs: "
		       "'pyrograph collapse --tenancy --timed' makes spans that do";
	if (h->spans && event_row_of(source_get(&h->source, FOLDED_EVENT))->has_no_cpu)
		return "the spans are times in which threads had no CPU";
	if (h->spans || heat_is_sampled(h))
		return NULL;
	if (are_sums(h))
		return "the lines are sums over threads: 'pyrograph collect sched --events' records each span, "
		       "from which 'pyrograph collapse --tenancy --timed' makes spans by CPU";
	return "the header has no sampling rate (rate=), so the number of samples for 100 % is unknown";
}

const char *heat_wish_axes(struct heat_axes *a, const struct heat *h, const struct heat_options *o,
			   const struct zone *zone, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t window_ns = to_ns - from_ns, span = heat_options_span(o);
	const char *wrong = NULL;

	/* Without a wall clock the axis begins with the observed time. */
	*a = (struct heat_axes){ .y = heat_options_y(o),
				 .weigh = heat_options_weigh(o),
				 .per_column = 1,
				 .zone_ns = h->relative ? -(int64_t)from_ns : zone->offset_ns,
				 .logarithmic = o->logarithmic };
	if (a->weigh == HEAT_PAINTED && !h->spans && are_sums(h))
		die_usage("--paint is for spans of time (spans=start in the header): these lines are sums: "
			  "'pyrograph collect %s' records each span",
			  heat_singly(h));
	if (a->weigh == HEAT_PAINTED && !h->spans)
		die_usage("--paint is for spans of time (spans=start in the header): these lines are points in time");
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
		heat_wish_axes_choose_columns(a, o, from_ns, to_ns);
	return wrong;
}
