#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/amount.h"
#include "core/wallclock.h"
#include "render/heat/grid_parts.h"

/* Samples come at regular intervals, so that in a period of M samples and N rows each row has s = M / N
 * samples, rounded down or up.  The share of rows with one sample more is f = s - floor(s), which makes a standard
 * deviation of sqrt(f (1 - f)) / s; C CPUs, sampled independently, reduce this by sqrt(C).  With 99 Hz in 75 rows the
 * deviation is 35 %, which looks like a pattern of the machine.  With 50 rows it is only 7 %; but since M is whole, the
 * row with one sample less is the same in each column, and is visible as a line. */
#define VISIBLE 0.08
enum { FEW = 8, NAMED_MAX = 6 };

static bool grid_beats_is_whole(double n)
{
	return fabs(n - round(n)) < 1e-6;
}

static double deviation(double samples, double cpus)
{
	double f = samples - floor(samples);

	return grid_beats_is_whole(samples) ? 0 : sqrt(f * (1 - f)) / samples / sqrt(cpus);
}

/* Find numbers of rows, from 2 to 3 * rows, with which each row has a whole number of samples.  Those nearest to `rows`
 * go into found[NAMED_MAX], in ascending order.  Returns how many. */
static size_t clean_rows(double samples, uint32_t rows, uint32_t *found)
{
	uint64_t whole = (uint64_t)llround(samples);
	size_t count = 0;

	if (!(samples >= 1) || samples > 1e9 || !grid_beats_is_whole(samples))
		return 0;
	for (uint32_t n = 2; n <= rows * 3; n++) {
		if (n == rows || whole % n)
			continue;
		if (count == NAMED_MAX) {
			if (labs((long)n - rows) >= labs((long)found[0] - rows))
				continue;
			memmove(found, found + 1, --count * sizeof(*found));
		}
		found[count++] = n;
	}
	return count;
}

/* Are there no visible stripes: does each row have the same number of samples, or nearly so? */
static bool is_even(double samples, uint32_t rows, double cpus)
{
	return grid_beats_is_whole(samples) ? grid_beats_is_whole(samples / rows)
					    : deviation(samples / rows, cpus) < VISIBLE;
}

/* The number of rows nearest to wanted, from least to most, without stripes; 0: there is no such number. */
static uint32_t nearest_even(double samples, uint32_t wanted, uint32_t least, uint32_t most, double cpus)
{
	uint32_t best = 0;

	for (uint32_t n = least; n <= most && n <= samples; n++) {
		if (is_even(samples, n, cpus) && (!best || labs((long)n - wanted) < labs((long)best - wanted)))
			best = n;
	}
	return best;
}

/* Used if samples cannot be spread evenly over any number of rows, as with 199 samples: so few rows that one sample
 * more or less is within chance. */
static uint32_t many_in_row(double samples, uint32_t wanted)
{
	double rows = floor(samples / FEW);

	return rows >= wanted ? wanted : rows >= 1 ? (uint32_t)rows : 1;
}

static void grid_beats_add_rate(struct str *out, double rate_hz)
{
	str_addf(out, "%s%.10g samples a second", out->len ? " " : "", rate_hz);
}

/* Rates such as 100, 250 and 1000 Hz are in step with timers, so that work which a timer starts each 10 ms is sampled
 * always or never. */
static bool add_lock_step(struct str *out, double rate_hz)
{
	double period_ms = 1000 / rate_hz;

	if (rate_hz < 1 || rate_hz > 10000)
		return false;
	if (fabs(period_ms - round(period_ms)) > 1e-6 && fmod(rate_hz, 1000) > 1e-6)
		return false;
	grid_beats_add_rate(out, rate_hz);
	str_addf(out, " are in step with timers: what happens each ");
	duration_add(out, (uint64_t)llround(1e9 / rate_hz));
	str_addf(out, " is seen always or never; record with -F %.10g.", rate_hz - 1 > 0 ? rate_hz - 1 : 1);
	return true;
}

/* Append "--rows 9, 11, 33 or 99 have none". */
static void add_better(struct str *out, double samples, uint32_t rows, double cpus)
{
	uint32_t clean[NAMED_MAX], less;
	size_t count = clean_rows(samples, rows, clean);

	if (count) {
		str_puts(out, "; --rows ");
		for (size_t i = 0; i < count; i++)
			str_addf(out, "%s%" PRIu32, !i ? "" : i + 1 < count ? ", " : " or ", clean[i]);
		str_puts(out, count > 1 ? " have none." : " has none.");
		return;
	}
	less = nearest_even(samples, rows, 1, rows - 1, cpus);
	if (less)
		str_addf(out, "; --rows %" PRIu32 " has %s.", less,
			 grid_beats_is_whole(samples) ? "none" : "hardly any");
	else
		str_puts(out, "; a longer --span has none.");
}

static bool add_stripes(struct str *out, const struct heat_axes *a, double rate_hz, double cpus)
{
	bool of_use = a->y == HEAT_Y_UTILIZATION;
	double periods = of_use ? (double)a->per_column : 1;
	double samples = rate_hz * (double)a->period_ns / NS_PER_SEC * periods, in_row = samples / a->rows;
	bool same_rows = !of_use && grid_beats_is_whole(samples) && !grid_beats_is_whole(in_row) && in_row * cpus < FEW;

	if (a->rows == 1 || !(in_row > 0) || (deviation(in_row, of_use ? 1 : cpus) < VISIBLE && !same_rows))
		return false;
	/* If the number of samples in a period is not whole, differences between the periods of a column even out. */
	if (!of_use && a->per_column >= 4 && !grid_beats_is_whole(samples))
		return false;
	grid_beats_add_rate(out, rate_hz);
	str_addf(out, " in %" PRIu32 " rows make stripes: ", a->rows);
	if (of_use)
		str_puts(out, "some rows stand for more numbers of samples than others");
	else
		str_addf(out, "of a busy CPU a cell has %.0f or %.0f", floor(in_row), ceil(in_row));
	add_better(out, samples, a->rows, of_use ? 1 : cpus);
	return true;
}

/* The number of CPUs in all recordings that were sampled at this rate. */
static double cpus_at(const struct heat *h, double rate_hz)
{
	double cpus = 0;

	for (size_t i = 0; i < h->recording_count; i++) {
		if (fabs(h->recordings[i].rate_hz - rate_hz) < 1e-9)
			cpus += h->recordings[i].cpu_count ? (double)h->recordings[i].cpu_count : 1;
	}
	return cpus;
}

static bool is_first_with_rate(const struct heat *h, size_t recording)
{
	for (size_t i = 0; i < recording; i++) {
		if (fabs(h->recordings[i].rate_hz - h->recordings[recording].rate_hz) < 1e-9)
			return false;
	}
	return true;
}

bool heat_beats(const struct heat *h, const struct heat_axes *a, struct str *out)
{
	bool any = false;

	if (a->y == HEAT_Y_VALUE || h->spans)
		return false;
	for (size_t i = 0; i < h->recording_count; i++) {
		double rate_hz = h->recordings[i].rate_hz;

		if (!(rate_hz > 0) || !isfinite(rate_hz) || !is_first_with_rate(h, i))
			continue;
		any = add_lock_step(out, rate_hz) || any;
		any = add_stripes(out, a, rate_hz, cpus_at(h, rate_hz)) || any;
	}
	return any;
}

uint32_t heat_rows_without_beats(const struct heat *h, const struct heat_axes *a, uint32_t wanted, uint32_t least,
				 uint32_t most)
{
	double rate_hz = h->recording_count ? h->recordings[0].rate_hz : 0;
	double samples = rate_hz * (double)a->period_ns / NS_PER_SEC;
	double cpus = a->y == HEAT_Y_UTILIZATION ? 1 : cpus_at(h, rate_hz);
	uint32_t rows;

	for (size_t i = 1; i < h->recording_count; i++) {
		if (fabs(h->recordings[i].rate_hz - rate_hz) > 1e-9)
			return wanted;
	}
	if (h->spans || !(rate_hz > 0) || is_even(samples, wanted, cpus))
		return wanted;
	if (samples < 1)
		return 1;
	rows = nearest_even(samples, wanted, least, most, cpus);
	if (!rows && (samples < wanted || !grid_beats_is_whole(samples)))
		rows = nearest_even(samples, wanted, 1, least, cpus);
	return rows ? rows : many_in_row(samples * cpus, wanted);
}
