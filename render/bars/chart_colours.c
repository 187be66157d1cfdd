/* The colours of bars, and what they mean. */
#include "render/bars/chart.h"

#include <string.h>

#include "render/bars/bars_text.h"
#include "render/profile/sample.h"

enum { LEGEND_MAX = 256 /* maximum of kinds: as many as there are colours for CPUs */ };

/* The colour of parts without a step, when other parts have one. */
#define PLAIN_RGB 0xb0b0b0

uint32_t bars_rgb(const struct bars_style *style, const struct bars_kind *kind)
{
	return style->safe ? kind->safe : kind->rgb;
}

uint32_t bars_part_rgb(const struct bars_chart *chart, uint32_t kind, const struct bars_amount *amount)
{
	const struct bars_kind *k = &chart->bars->kinds[kind];

	if (!chart->style->by_longest)
		return bars_rgb(chart->style, k);
	return k->graded ? bars_step_rgb(bars_step(chart->bars, amount->longest), chart->style->safe) : PLAIN_RGB;
}

/* ---- by kind ---------------------------------------------------------------- */

/* Add a kind.  After another kind with "waits for a CPU: ...", the label "waits for a CPU: woken" becomes "...
 * woken". */
static void chart_colours_add_entry(struct legend *l, uint32_t rgb, const char *label, const char *before)
{
	const char *colon = strstr(label, ": ");
	struct str text = { 0 };

	if (colon && before && !strncmp(label, before, (size_t)(colon + 2 - label)))
		str_addf(&text, "... %s", colon + 2);
	else
		str_puts(&text, label);
	legend_add(l, rgb, text.buf);
	str_free(&text);
}

static void chart_colours_add_kinds(struct legend *l, const struct bars_chart *chart)
{
	const struct theme *theme = chart->style->theme;
	const struct bars *b = chart->bars;
	const char *before = NULL;
	struct str more = { 0 };

	for (size_t i = 0; i < b->kind_count; i++) {
		const struct bars_kind *kind = &b->kinds[i];

		if (!bars_measure(&kind->amount, chart->style->by_count))
			continue;
		if (l->count == LEGEND_MAX) {
			str_addf(&more, "and %zu more", b->kind_count - i);
			legend_add_pair(l, theme->background.top, (theme->dark ? theme->dark : theme)->background.top,
					more.buf);
			break;
		}
		chart_colours_add_entry(l, bars_rgb(chart->style, kind),
					kind->label ? kind->label : intern_text(&b->names, kind->name), before);
		before = kind->label;
	}
	str_free(&more);
}

/* ---- by the longest --------------------------------------------------------- */

/* The least and the greatest step of a part that is drawn.  Returns false if none has one. */
static bool find_steps(const struct bars_chart *chart, size_t *least, size_t *most)
{
	const struct bars *b = chart->bars;

	*least = BARS_STEPS;
	*most = 0;
	for (size_t i = 0; i < b->segment_count; i++) {
		const struct bars_segment *s = &b->segments[i];
		size_t step = bars_step(b, s->amount.longest);

		if (!b->kinds[s->kind].graded || !bars_measure(&s->amount, chart->style->by_count))
			continue;
		*least = step < *least ? step : *least;
		*most = step > *most ? step : *most;
	}
	return *least < BARS_STEPS;
}

/* The kinds whose lengths are of no interest: "running, sleeping". */
static void add_plain(struct legend *l, const struct bars_chart *chart)
{
	const struct bars *b = chart->bars;
	struct str text = { 0 };

	for (size_t i = 0; i < b->kind_count; i++) {
		const struct bars_kind *k = &b->kinds[i];

		if (!k->graded && bars_measure(&k->amount, chart->style->by_count))
			str_addf(&text, "%s%s", text.len ? ", " : "", bars_word(b, (uint32_t)i));
	}
	if (text.len)
		legend_add(l, PLAIN_RGB, text.buf);
	str_free(&text);
}

static void chart_colours_add_steps(struct legend *l, const struct bars_chart *chart)
{
	size_t first, last;
	struct str text = { 0 };

	if (find_steps(chart, &first, &last)) {
		for (size_t step = first; step <= last; step++) {
			str_clear(&text);
			str_puts(&text, step == first ? "longest at once: " : "... ");
			bars_step_add(&text, chart->bars, step);
			legend_add(l, bars_step_rgb(step, chart->style->safe), text.buf);
		}
	}
	add_plain(l, chart);
	str_free(&text);
}

void bars_make_legend(struct legend *l, const struct bars_chart *chart)
{
	if (chart->style->by_longest)
		chart_colours_add_steps(l, chart);
	else
		chart_colours_add_kinds(l, chart);
}

/* ---- steps of times ---- */

/* Colours from cold to hot; the safe ones go from blue to brown.  All are light enough for black labels. */
static const struct {
	uint32_t rgb, safe;
} colours[BARS_STEPS] = {
	{ 0xa9c9ee, 0x6fa3dc }, { 0x93d3d3, 0x97bae2 }, { 0xa6dba0, 0xbdcfe0 }, { 0xe3e47f, 0xdddbc8 },
	{ 0xfbcb5c, 0xefdf98 }, { 0xf89f4c, 0xf0ce58 }, { 0xf0705a, 0xe0ae2a }, { 0xdd6bb0, 0xc98b1c },
};

uint64_t bars_step_from(const struct bars *b, size_t step)
{
	uint64_t from = bars_in_ns(b) ? 100 : 1;

	if (!step)
		return 0;
	while (step--)
		from *= 10;
	return decimal_shift(from, b->decimals);
}

size_t bars_step(const struct bars *b, uint64_t longest)
{
	size_t step = BARS_STEPS - 1;

	while (step && longest < bars_step_from(b, step))
		step--;
	return step;
}

uint32_t bars_step_rgb(size_t step, bool safe)
{
	return safe ? colours[step].safe : colours[step].rgb;
}

void bars_step_add(struct str *out, const struct bars *b, size_t step)
{
	if (!step) {
		str_puts(out, "under ");
		bars_value_add(out, b, bars_step_from(b, 1));
		return;
	}
	bars_value_add(out, b, bars_step_from(b, step));
	if (step == BARS_STEPS - 1) {
		str_puts(out, " or more");
		return;
	}
	str_puts(out, " to ");
	bars_value_add(out, b, bars_step_from(b, step + 1));
}

bool bars_have_steps(const struct bars *b)
{
	bool graded = false;

	for (size_t i = 0; i < b->kind_count; i++)
		graded |= b->kinds[i].graded;
	return b->has_longest && graded;
}
