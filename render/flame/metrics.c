#include "render/flame/metrics.h"

#include <math.h>

enum { WIDE_ENOUGH = 200 }; /* frames of at least 1/200 of the whole count */

const uint32_t metrics_stops[METRICS_STOPS] = { 0x5b8fd6, 0x7bb2c4, 0xa5c89a, 0xd3d864, 0xfdea45 };

double metrics_value(const struct metrics *m, uint32_t i)
{
	uint64_t below = m->is_share ? m->totals[m->above][m->root] : m->totals[m->below][i];

	return below ? (double)m->totals[m->above][i] / (double)below : NAN;
}

/* The place of value between low and high, in 0 .. steps. */
static uint64_t metrics_place(const struct metrics *m, double value, uint64_t steps)
{
	double at = m->high > m->low ? (value - m->low) / (m->high - m->low) : 0.5;

	return (uint64_t)(fmin(fmax(at, 0), 1) * (double)steps);
}

static uint32_t metrics_box(const struct colouring *c, uint32_t frame)
{
	enum { BETWEEN = 256, ALL = BETWEEN * (METRICS_STOPS - 1) };
	const struct metrics *m = (const struct metrics *)c;
	double value = metrics_value(m, frame);
	uint64_t at;

	if (isnan(value))
		return METRICS_NONE;
	at = metrics_place(m, value, ALL);
	if (at == ALL)
		return metrics_stops[METRICS_STOPS - 1];
	return colour_between(metrics_stops[at / BETWEEN], metrics_stops[at / BETWEEN + 1], at % BETWEEN, BETWEEN);
}

static uint32_t metrics_crumb(const struct colouring *c, uint32_t frame)
{
	const struct metrics *m = (const struct metrics *)c;
	double value = metrics_value(m, frame);
	uint64_t at;

	if (isnan(value))
		return METRICS_NONE;
	at = metrics_place(m, value, METRICS_STOPS);
	return metrics_stops[at < METRICS_STOPS ? at : METRICS_STOPS - 1];
}

/* ---- words ---------------------------------------------------------------- */

void metrics_name(const struct metrics *m, struct str *out)
{
	str_puts(out, m->layers[m->above].name);
	if (m->is_share)
		return;
	str_addc(out, '/');
	str_puts(out, m->layers[m->below].name);
}

static void metrics_add_value(const struct metrics *m, struct str *out, double value)
{
	if (m->is_share)
		percentage_add(out, (uint64_t)floor(value * 1e9 + 0.5), 1000000000);
	else
		str_addf(out, "%.4g", value);
}

static void metrics_add_event(const struct metrics *m, struct str *out, size_t layer, uint32_t i)
{
	struct unit unit = { m->layers[layer].name, m->decimals, m->factor };

	value_add(out, m->totals[layer][i], &unit);
	str_puts(out, ", ");
	percentage_add(out, m->totals[layer][i], m->totals[layer][m->root]);
}

/* "12,345 cycles, 40%; 6,789 instructions, 25%; instructions/cycles 0.5499" */
static void metrics_tip(const struct colouring *c, struct str *out, uint32_t frame)
{
	const struct metrics *m = (const struct metrics *)c;
	double value = metrics_value(m, frame);

	metrics_add_event(m, out, m->width, frame);
	for (size_t layer = 0; layer < m->count; layer++) {
		if (layer == m->width)
			continue;
		str_puts(out, "; ");
		metrics_add_event(m, out, layer, frame);
	}
	if (m->is_share)
		return;
	str_puts(out, "; ");
	metrics_name(m, out);
	str_addc(out, ' ');
	if (isnan(value))
		str_puts(out, "unknown");
	else
		metrics_add_value(m, out, value);
}

void metrics_make(struct metrics *m)
{
	uint64_t whole = m->tree->frames[m->root].total;
	bool any = false;

	m->colouring = (struct colouring){ metrics_box, metrics_crumb, metrics_tip };
	m->low = m->high = 0;
	m->has_none = false;
	for (uint32_t i = m->root; i < m->tree->frames[m->root].end; i++) {
		double value = metrics_value(m, i);

		m->has_none |= isnan(value);
		if (isnan(value) || m->tree->frames[i].total < whole / WIDE_ENOUGH)
			continue;
		m->low = any ? fmin(m->low, value) : value;
		m->high = any ? fmax(m->high, value) : value;
		any = true;
	}
}

void metrics_legend(const struct metrics *m, struct legend *legend)
{
	struct str text = { 0 };

	for (size_t i = 0; i + 1 < METRICS_STOPS; i++)
		legend_add(legend, metrics_stops[i], "");
	for (int i = 0; i < 3; i++) {
		if (i)
			str_puts(&text, " \xe2\x80\x93 ");
		metrics_add_value(m, &text, m->low + (m->high - m->low) * i / 2);
	}
	str_addc(&text, ' ');
	metrics_name(m, &text);
	legend_add(legend, metrics_stops[METRICS_STOPS - 1], text.buf);
	if (m->has_none)
		legend_add(legend, METRICS_NONE, "unknown");
	str_free(&text);
}
