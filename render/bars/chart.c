#include "render/bars/chart.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "render/bars/bars_text.h"
#include "render/drawing/doubts.h"
#include "render/drawing/svg.h"
#include "render/profile/number.h"

enum {
	EDGE = 8 * CPX, /* above the heading and below the details */
	GAP = 8 * CPX,  /* between parts, and between columns */
	NAME_MAX = 320 * CPX,
	NOTE_MAX = 320 * CPX,
	PIECE_LEAST = CPX / 2,
	PIECE_MOST = 16 * CPX,
	ROW_PIECES = 8, /* the additional parts that a row may have */
};

/* ---- what is drawn ---------------------------------------------------------- */

/* How many of the first rows are drawn one by one; small rows follow them. */
static size_t count_shown(const struct bars_chart *chart)
{
	const struct bars *b = chart->bars;
	const struct bars_style *style = chart->style;
	size_t shown = 0;

	while (shown < b->row_count && (!style->top || shown < style->top) && !bars_is_small(b, style, &b->rows[shown]))
		shown++;
	return shown + 1 == b->row_count ? shown + 1 : shown; /* never just "1 more" */
}

/* The amount that a full bar stands for. */
static uint64_t find_scale(const struct bars_chart *chart)
{
	const struct bars *b = chart->bars;
	uint64_t scale = 0;

	if (chart->full)
		return chart->full;
	if (!chart->style->by_count)
		return bars_window(b);
	for (size_t i = 0; i < b->row_count; i++) {
		if (b->rows[i].members == 1 && b->rows[i].amount.count > scale)
			scale = b->rows[i].amount.count;
	}
	for (size_t i = 0; !scale && i < b->row_count; i++)
		scale = b->rows[i].amount.count;
	return scale ? scale : 1;
}

static bool is_stretched(const struct bars_plan *plan)
{
	const struct bars *b = plan->chart->bars;
	bool by_count = plan->chart->style->by_count;

	if (b->row_count > 1 && bars_measure(&b->amount, by_count) > plan->scale)
		return true;
	for (size_t i = 0; i < plan->shown; i++) {
		if (bars_measure(&b->rows[i].amount, by_count) > plan->scale)
			return true;
	}
	return false;
}

/* ---- words ------------------------------------------------------------------ */

static void chart_make_heading(struct bars_plan *plan, int32_t inner)
{
	const struct bars_chart *chart = plan->chart;
	const struct bars_style *style = chart->style;
	struct str total = { 0 };

	heading_make(&plan->heading, &style->font, inner,
		     &(struct heading_words){ chart->title, style->headline, style->subtitle }, NULL, NULL);
	if (chart->headline)
		heading_add_text(&plan->heading, TEXT_DETAILS, &style->font, inner, chart->headline);
	for (size_t i = 0; i < sizeof(chart->remarks) / sizeof(chart->remarks[0]); i++) {
		if (chart->remarks[i].text)
			heading_add_text(&plan->heading, chart->remarks[i].role, &style->font, inner,
					 chart->remarks[i].text);
	}
	number_add(&total, bars_members(chart->bars, 0));
	str_addc(&total, ' ');
	str_add(&total, chart->many, strlen(chart->many) - (bars_members(chart->bars, 0) == 1));
	if (bars_members(chart->bars, 0) != chart->bars->row_count) {
		str_puts(&total, " in ");
		number_add(&total, chart->bars->row_count);
		str_puts(&total, chart->bars->row_count == 1 ? " row" : " rows");
	}
	str_puts(&total, ", ");
	bars_measure_add(&total, chart->bars, style->by_count, bars_measure(&chart->bars->amount, style->by_count));
	str_puts(&total, " in all");
	heading_add_origin(&plan->heading, &style->font, inner, NULL, str_text(&total), &chart->bars->source);
	str_free(&total);
}

/* Note the spans that had not ended with the recording. */
static void chart_add_open(struct bars_plan *plan, int32_t inner)
{
	struct str text = { 0 };

	doubts_say_open(&plan->chart->bars->source, &text);
	heading_add_text(&plan->details, TEXT_NOTE, &plan->chart->style->font, inner, str_text(&text));
	str_free(&text);
}

/* Note "Parts narrower than 2 px are drawn together ...". */
static void add_narrow(struct bars_plan *plan, int32_t inner)
{
	struct str text = { 0 };

	if (plan->piece_min == PIECE_LEAST)
		return;
	str_puts(&text, "Parts narrower than ");
	px_add(&text, plan->piece_min);
	str_addf(&text, " px are drawn together with their neighbours, in the colour of the %s.",
		 plan->chart->style->by_longest ? "longest" : "largest");
	heading_add_text(&plan->details, TEXT_NOTE, &plan->chart->style->font, inner, text.buf);
	str_free(&text);
}

static void chart_make_details(struct bars_plan *plan, int32_t inner)
{
	const struct bars_chart *chart = plan->chart;
	const struct bars_style *style = chart->style;
	struct str text = { 0 };

	if (plan->stretched && chart->full) {
		str_puts(&text, "A full bar is ");
		bars_measure_add(&text, chart->bars, style->by_count, plan->scale);
		str_addf(&text, ", %s; longer ones are cut (a gap), and show shares; no part is narrower than 1 px.",
			 chart->full_words);
		heading_add_text(&plan->details, TEXT_NOTE, &style->font, inner, text.buf);
	} else if (plan->stretched) {
		str_addf(&text, "Rows of several %s that add up to more than ", chart->many);
		bars_measure_add(&text, chart->bars, style->by_count, plan->scale);
		str_puts(&text, " are drawn as wide as that; their parts show shares.");
		heading_add_text(&plan->details, TEXT_NOTE, &style->font, inner, text.buf);
	}
	str_free(&text);
	add_narrow(plan, inner);
	chart_add_open(plan, inner);
}

/* ---- places ----------------------------------------------------------------- */

/* With a margin, since letters in a PNG are at whole pixels, which makes texts wider. */
static int32_t text_width(const struct font *font, const char *text, size_t len)
{
	return (int32_t)(font_width(font, text, len) * 17 / 16) + CPX;
}

/* Widths are estimated by font.h, so that the layout is the same in all formats. */
static struct font chart_measured(const struct bars_plan *plan)
{
	struct font font = plan->chart->style->font;

	font.metrics = NULL;
	return font;
}

static int32_t widest_name(const struct bars_plan *plan)
{
	const struct bars_chart *chart = plan->chart;
	struct font font = chart_measured(plan);
	struct str name = { 0 };
	int32_t widest = 0;

	for (size_t i = 0; i < plan->shown + 1; i++) {
		int32_t width;

		str_clear(&name);
		if (i < plan->shown)
			bars_row_name(&name, chart->bars, &chart->bars->rows[i]);
		else
			str_addf(&name, "\xe2\x80\xa6 %" PRIu64 " more %s", bars_members(chart->bars, 0), chart->many);
		width = text_width(&font, str_text(&name), name.len);
		widest = width > widest ? width : widest;
	}
	str_free(&name);
	return widest;
}

static int32_t widest_note(const struct bars_plan *plan)
{
	const struct bars_chart *chart = plan->chart;
	struct font font = chart_measured(plan);
	int32_t widest;

	if (!chart->note_heading)
		return 0;
	widest = text_width(&font, chart->note_heading, strlen(chart->note_heading));
	for (size_t i = 0; i < plan->shown; i++) {
		int32_t width = text_width(&font, str_text(&chart->notes[i]), chart->notes[i].len);

		widest = width > widest ? width : widest;
	}
	return widest;
}

static int32_t chart_least(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

static int32_t chart_whole_px(int32_t cpx)
{
	return (cpx + CPX - 1) / CPX * CPX;
}

static void chart_place_columns(struct bars_plan *plan, int32_t inner)
{
	plan->name_w = chart_whole_px(chart_least(widest_name(plan), chart_least(NAME_MAX, inner * 3 / 10)));
	plan->note_w = chart_whole_px(chart_least(widest_note(plan), chart_least(NOTE_MAX, inner / 4)));
	plan->bar_x = BARS_PAD + plan->name_w + GAP;
	plan->note_x = plan->w - BARS_PAD - plan->note_w;
	plan->bar_w = plan->note_x - plan->bar_x - (plan->note_w ? GAP : 0);
}

static size_t count_pieces(const struct bars_plan *plan)
{
	const struct bars *b = plan->chart->bars;
	size_t all = 0;

	for (size_t i = 0; i < plan->shown; i++) {
		struct bars_pieces pieces =
			bars_pieces(plan, b->segments + b->rows[i].first, b->rows[i].count, plan->bar_w);

		all += pieces.count;
		bars_pieces_free(&pieces);
	}
	return all;
}

/* Choose piece_min: viewers cope with a limited number of parts. */
static void choose_piece_min(struct bars_plan *plan)
{
	const struct bars_style *style = plan->chart->style;
	size_t max = format_boxes_max(style->format, style->width_px);

	plan->piece_min = PIECE_LEAST;
	while (max && plan->piece_min < PIECE_MOST && count_pieces(plan) > max + plan->shown * ROW_PIECES)
		plan->piece_min *= 2;
}

static void place_lines(struct bars_plan *plan, int32_t inner)
{
	const struct bars_chart *chart = plan->chart;
	struct font estimated = chart_measured(plan), *font = &estimated;
	size_t rest = chart->bars->row_count - plan->shown;
	int32_t y = EDGE + heading_height(&plan->heading, font) + GAP;

	plan->row_height = chart->style->row_px * CPX;
	plan->legend_y = chart_whole_px(y);
	plan->axis_y = chart_whole_px(plan->legend_y + legend_height(&plan->legend, font, inner) + GAP);
	plan->totals_y = plan->axis_y + chart_whole_px(font->size_cpx * 3 / 2);
	plan->rows_y = plan->totals_y;
	if (chart->bars->row_count > 1)
		plan->rows_y += plan->row_height + GAP / 2;
	y = plan->rows_y + (int32_t)(plan->shown + !!rest) * plan->row_height + GAP;
	plan->tables_y = y + GAP;
	for (size_t i = 0; i < chart->table_count; i++)
		y += table_height(&chart->tables[i], font) + GAP * 2;
	plan->details_y = chart_whole_px(y);
	plan->h = chart_whole_px(plan->details_y + heading_height(&plan->details, font) + EDGE);
}

void bars_plan_make(struct bars_plan *plan, const struct bars_chart *chart)
{
	int32_t inner = chart->style->width_px * CPX - 2 * BARS_PAD;

	*plan = (struct bars_plan){ .chart = chart, .w = chart->style->width_px * CPX };
	plan->scale = find_scale(chart);
	plan->shown = count_shown(chart);
	plan->stretched = is_stretched(plan);
	chart_make_heading(plan, inner);
	bars_make_legend(&plan->legend, chart);
	chart_place_columns(plan, inner);
	choose_piece_min(plan);
	chart_make_details(plan, inner);
	place_lines(plan, inner);
}

void bars_plan_free(struct bars_plan *plan)
{
	heading_free(&plan->heading);
	heading_free(&plan->details);
	legend_free(&plan->legend);
}
