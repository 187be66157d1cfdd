/* The legend of a heat map: the counts at which colours change, or the keys with hues; and hatching.
 *
 *     [ ] 0  [ ] 1  [ ] 3  [ ] 6  [ ] 9 samples in a cell   /// not seen
 *     [ ] java (1,234)  [ ] nginx (80)  [ ] everything else (12)  [ ] 1  [ ] 5  [ ] 9 samples of one colour in a cell
 */
#include "render/heat/heat_draw.h"

enum { STEPS = 8, HUE_STEPS = 4 };

/* The theme that the same picture has in the dark. */
static const struct theme *heat_legend_dark(const struct heat_plan *p)
{
	return p->style->theme->dark ? p->style->theme->dark : p->style->theme;
}

/* The least count whose place in the scale is at least `part`. */
static uint64_t count_at(const struct heat_scale *s, double part)
{
	uint64_t low = 1, high = s->largest;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (heat_scale_of(s, middle) < part)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void heat_legend_add_amount(struct str *out, const struct heat_plan *p, uint64_t n)
{
	const struct heat_axes *a = &p->chart->axes;

	if (a->weigh == HEAT_PAINTED && a->y != HEAT_Y_UTILIZATION)
		duration_add(out, n);
	else if ((a->weigh == HEAT_VALUES || a->weigh == HEAT_LONGEST) && a->y != HEAT_Y_UTILIZATION)
		heat_value_add(out, p, n);
	else
		number_add(out, n);
}

/* Append the meaning of a count: "46 samples in a cell · logarithmic colours". */
static void add_meaning(struct str *out, const struct heat_plan *p, uint64_t n)
{
	static const char *const words[] = {
		[HEAT_LINEAR] = "",
		[HEAT_RANK] = " \xc2\xb7 colours by rank",
		[HEAT_LOG] = " \xc2\xb7 logarithmic colours",
	};
	const struct heat_axes *a = &p->chart->axes;

	if (a->y == HEAT_Y_UTILIZATION)
		heat_count_add(out, n, "CPUs");
	else if (a->weigh == HEAT_EVENTS)
		heat_count_add(out, n, p->style->names_unit);
	else
		heat_legend_add_amount(out, p, n);
	str_puts(out, a->weigh == HEAT_LONGEST ? ", the longest" : "");
	str_puts(out, heat_has_hues(p->chart) ? " of one colour in a cell" : " in a cell");
	str_puts(out, words[p->style->coloring]);
}

/* The least count of a cell that is not empty: 1, if events are counted. */
static uint64_t heat_legend_least(const struct heat_plan *p)
{
	const struct heat_scale *s = &p->chart->scale_of;

	return s->count ? s->counts[0] : p->chart->axes.weigh == HEAT_EVENTS ? 1 : 0;
}

/* The colour for n; with hues, in the hue of the first key. */
static uint32_t colour_of(const struct heat_plan *p, const struct theme *theme, uint64_t n)
{
	bool dark = background_is_dark(theme->background);
	const struct heat_scale *s = &p->chart->scale_of;

	if (heat_has_hues(p->chart))
		return heat_hue_rgb(heat_hue(p->chart->hues.numbers[0]), heat_scale_hue(s, n), dark);
	return heat_ramp_rgb(p->style->ramp, dark, s, n);
}

static void heat_legend_add_count(struct heat_plan *p, uint64_t n, const char *text)
{
	legend_add_pair(&p->legend, colour_of(p, p->style->theme, n), colour_of(p, heat_legend_dark(p), n), text);
}

static void heat_legend_add_steps(struct heat_plan *p, unsigned steps)
{
	const struct heat_scale *s = &p->chart->scale_of;
	uint64_t before = 0;
	struct str text = { 0 };

	for (unsigned i = 0; i <= steps && s->largest; i++) {
		uint64_t n = i == steps ? s->largest : i ? count_at(s, (double)i / steps) : heat_legend_least(p);

		if (n <= before)
			continue;
		str_clear(&text);
		if (n == s->largest)
			add_meaning(&text, p, n);
		else
			heat_legend_add_amount(&text, p, n);
		heat_legend_add_count(p, n, text.buf);
		before = n;
	}
	str_free(&text);
}

/* ---- hues ----------------------------------------------------------------- */

static uint64_t heat_legend_sum_of(const struct heat_chart *c, size_t of_key)
{
	uint64_t sum = 0, longest = 0;

	for (size_t i = 0; i < c->map_count; i++) {
		uint64_t total = c->maps[i].of_key[of_key].total;

		sum += total;
		longest = total > longest ? total : longest;
	}
	return c->axes.weigh == HEAT_LONGEST ? longest : sum;
}

static void heat_legend_add_key(struct heat_plan *p, double hue, const char *name, uint64_t count)
{
	bool is_dark = background_is_dark(p->style->theme->background);
	bool in_dark = background_is_dark(heat_legend_dark(p)->background);
	struct str text = { 0 };

	str_puts(&text, name);
	str_puts(&text, " (");
	heat_legend_add_amount(&text, p, count);
	str_addc(&text, ')');
	legend_add_pair(&p->legend, heat_hue_rgb(hue, 1, is_dark), heat_hue_rgb(hue, 1, in_dark), text.buf);
	str_free(&text);
}

static void heat_legend_add_hues(struct heat_plan *p)
{
	const struct heat_chart *c = p->chart;
	const struct heat_hues *hues = &c->hues;

	for (size_t i = 0; i < hues->key_count; i++) {
		uint32_t name = hues->dimension->keys[hues->keys[i]].name;

		heat_legend_add_key(p, heat_hue(hues->numbers[i]), intern_text(&c->heat->names, name),
				    heat_legend_sum_of(c, i));
	}
	if (!hues->isolate && heat_legend_sum_of(c, hues->key_count))
		heat_legend_add_key(p, HEAT_GREY, "everything else", heat_legend_sum_of(c, hues->key_count));
}

static bool any_unseen(const struct heat_chart *c)
{
	size_t cells = (size_t)c->axes.columns * c->axes.rows;

	for (size_t i = 0; i < c->map_count; i++) {
		for (size_t k = 0; c->maps[i].unseen && k < cells; k++) {
			if (heat_is_hatched(&c->maps[i], k) && !(c->maps[i].doubt.cells && c->maps[i].doubt.cells[k]))
				return true;
		}
	}
	return false;
}

static void heat_legend_add_clocks(struct heat_plan *p)
{
	struct str text = { 0 };

	heat_clock_words(p->chart->heat, &p->chart->axes, &text);
	if (text.len)
		legend_add_hatched(&p->legend, colour_of(p, p->style->theme, 0), colour_of(p, heat_legend_dark(p), 0),
				   text.buf);
	str_free(&text);
}

void heat_legend_make(struct heat_plan *p)
{
	if (heat_has_hues(p->chart)) {
		heat_legend_add_hues(p);
		heat_legend_add_steps(p, HUE_STEPS);
	} else {
		heat_legend_add_count(p, 0, "0");
		heat_legend_add_steps(p, STEPS);
	}
	if (any_unseen(p->chart))
		legend_add_hatched(&p->legend, heat_unseen_rgb(p, p->style->theme),
				   heat_unseen_rgb(p, heat_legend_dark(p)), "not seen");
	heat_legend_add_clocks(p);
}
