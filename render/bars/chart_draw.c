#include "render/bars/chart.h"

#include <stdlib.h>
#include <string.h>

#include "render/bars/bars_text.h"
#include "render/colours/colouring.h"
#include "render/profile/number.h"

enum {
	BAR_GAP = CPX,      /* above and below a bar */
	PART_GAP = CPX / 2, /* gap right of a part that is wide enough for it */
	LABEL_INSET = 4 * CPX,
	LABEL_MIN_CHARS = 6,
	TICK_ROOM = 90 * CPX,
	CUT_WIDTH = 4 * CPX,
	LEAST_OF_FULL = CPX, /* with bars_chart.full: every part is visible, however small */
	CUT_FROM_END = 16 * CPX,
};

/* ---- parts of bars ---------------------------------------------------------- */

/* Put text into cut if all of it fits. */
static bool chart_draw_fits(struct str *cut, const struct font *font, const char *text, size_t len, int32_t room)
{
	if (font_width(font, text, len) > room)
		return false;
	str_add(cut, text, len);
	return true;
}

/* Set cut to "for java-8513/dw-20, 4.98 s" or, if that is too wide, to the text without the amount, without "for", or
 * only to the end of the name, "dw-20".  Of a process, whose end is just a number, the beginning is kept instead. */
static void label_by(struct str *cut, const struct font *font, int32_t room, const struct str *name,
		     const struct str *amount, bool is_thread, bool keep_end)
{
	const char *slash = memrchr(str_text(name), '/', name->len);
	size_t start = slash && keep_end ? (size_t)(slash + 1 - name->buf) : 0;
	struct str text = { 0 };

	str_puts(&text, "for ");
	str_add(&text, str_text(name), name->len); /* may hold any byte */
	str_addf(&text, ", %s", str_text(amount));
	if (!chart_draw_fits(cut, font, text.buf, text.len, room) &&
	    !chart_draw_fits(cut, font, text.buf, strlen("for ") + name->len, room) &&
	    !chart_draw_fits(cut, font, str_text(name), name->len, room) && is_thread) {
		if (keep_end)
			font_fit_end(cut, font, str_text(name) + start, name->len - start, room, LABEL_MIN_CHARS);
		else
			font_fit(cut, font, str_text(name), name->len, room, LABEL_MIN_CHARS);
	}
	str_free(&text);
}

/* Set cut to "running 4.98 s", to that without the amount, or to as much of the beginning as fits. */
static void chart_draw_label_kind(struct str *cut, const struct font *font, int32_t room, const char *name,
				  const struct str *amount)
{
	struct str text = { 0 };

	str_addf(&text, "%s %s", name, str_text(amount));
	if (!chart_draw_fits(cut, font, text.buf, text.len, room))
		font_fit(cut, font, name, strlen(name), room, LABEL_MIN_CHARS);
	str_free(&text);
}

/* row: its name, or BARS_NOBODY for several rows. */
static void chart_draw_label(const struct bars_plan *plan, struct canvas *c, const struct bars_piece *p,
			     const struct area *area, uint32_t row)
{
	const struct bars_chart *chart = plan->chart;
	const struct bars *b = chart->bars;
	const struct bars_segment *s = p->segment;
	struct str name = { 0 }, few = { 0 }, amount = { 0 }, cut = { 0 };
	int32_t room = area->w - 2 * LABEL_INSET;

	if ((p->count > 1 && !p->more) || room < 2 * LABEL_INSET)
		return;
	bars_measure_add(&amount, b, chart->style->by_count, bars_measure(&p->amount, chart->style->by_count));
	if (p->count > 1) {
		number_add(&few, p->count);
		str_puts(&few, " more");
		str_addf(&name, "%s threads", few.buf);
	} else if (s->by != BARS_NOBODY) {
		bars_near_add(&name, b, s->by, row);
	}
	if (name.len)
		label_by(&cut, &c->font, room, &name, &amount, p->count == 1 && bars_is_thread(b, s->by),
			 s->by != BARS_NOBODY && !bars_is_process(b, s->by));
	if (!cut.len && few.len)
		chart_draw_fits(&cut, &c->font, few.buf, few.len, room);
	if (!name.len)
		chart_draw_label_kind(&cut, &c->font, room, bars_word(b, s->kind), &amount);
	if (cut.len)
		c->text(c, TEXT_FRAME, area->x + LABEL_INSET, baseline(area->y, area->h, c->font.size_cpx), cut.buf,
			cut.len);
	str_free(&name);
	str_free(&few);
	str_free(&amount);
	str_free(&cut);
}

/* Mark a bar that is drawn shorter than it is by a gap before its end. */
static void draw_cut(const struct bars_plan *plan, struct canvas *c, int32_t y)
{
	struct area gap = { plan->bar_x + plan->bar_w - CUT_FROM_END, y + BAR_GAP, CUT_WIDTH,
			    plan->row_height - 2 * BAR_GAP };

	c->rect(c, &gap, canvas_tint(c, 0), NULL, 0);
}

static void draw_bar(const struct bars_plan *plan, struct canvas *c, const char *name, uint32_t row, int32_t y,
		     const struct bars_segment *segments, size_t count, uint64_t whole)
{
	const struct bars_chart *chart = plan->chart;
	struct bars_pieces pieces = bars_pieces(plan, segments, count, plan->bar_w);
	struct str tip = { 0 };

	for (size_t i = 0; i < pieces.count; i++) {
		const struct bars_piece *p = &pieces.items[i];
		struct area area = { plan->bar_x + p->x, y + BAR_GAP, p->w > 8 * PART_GAP ? p->w - PART_GAP : p->w,
				     plan->row_height - 2 * BAR_GAP };

		if (chart->full && area.w < LEAST_OF_FULL)
			area.w = LEAST_OF_FULL;
		if (!area.w)
			continue;
		str_clear(&tip);
		str_puts(&tip, name);
		bars_tip_add(&tip, plan, p, pieces.parts + p->first, whole);
		c->rect(c, &area, bars_part_rgb(chart, p->segment->kind, &p->amount), tip.buf, tip.len);
		chart_draw_label(plan, c, p, &area, row);
	}
	if (chart->full && whole > plan->scale)
		draw_cut(plan, c, y);
	str_free(&tip);
	bars_pieces_free(&pieces);
}

/* ---- rows ------------------------------------------------------------------- */

/* Draw text into room cpx from x on, cut at its beginning or its end. */
static void chart_draw_text(struct canvas *c, enum text_role role, int32_t x, int32_t y, int32_t height, int32_t room,
			    const char *text, size_t len, bool keep_end)
{
	struct str cut = { 0 };

	if (keep_end)
		font_fit_end(&cut, &c->font, text, len, room, 1);
	else
		font_fit(&cut, &c->font, text, len, room, 1);
	if (cut.len)
		c->text(c, role, x, baseline(y, height, c->font.size_cpx), cut.buf, cut.len);
	str_free(&cut);
}

static void draw_name(const struct bars_plan *plan, struct canvas *c, int32_t y, const char *name)
{
	chart_draw_text(c, TEXT_DETAILS, BARS_PAD, y, plan->row_height, plan->name_w, name, strlen(name), true);
}

static void chart_draw_row(const struct bars_plan *plan, struct canvas *c, size_t i)
{
	const struct bars_chart *chart = plan->chart;
	const struct bars *b = chart->bars;
	const struct bars_row *row = &b->rows[i];
	int32_t y = plan->rows_y + plan->row_height * (int32_t)i;
	struct str name = { 0 };

	if (c->open_part)
		c->open_part(c, "row", i);
	bars_row_name(&name, b, row);
	draw_name(plan, c, y, str_text(&name));
	draw_bar(plan, c, str_text(&name), row->name, y, b->segments + row->first, row->count,
		 bars_measure(&row->amount, chart->style->by_count));
	if (chart->note_heading)
		chart_draw_text(c, TEXT_DETAILS, plan->note_x, y, plan->row_height, plan->note_w,
				str_text(&chart->notes[i]), chart->notes[i].len, false);
	if (c->open_part)
		c->close_group(c);
	str_free(&name);
}

/* Draw rows first..end as one row with this name; group: only kinds of this group, NULL: all. */
static void draw_sum(const struct bars_plan *plan, struct canvas *c, const char *id, const char *name, int32_t y,
		     size_t first, size_t end, const char *group)
{
	bool by_count = plan->chart->style->by_count;
	struct bars_segment *sums;
	uint64_t whole = 0;
	size_t count;

	sums = bars_sum_rows(plan->chart->bars, first, end, &count);
	for (size_t i = 0; i < count; i++) {
		if (group && strcmp(plan->chart->bars->kinds[sums[i].kind].group, group))
			sums[i].amount = (struct bars_amount){ 0 };
		whole += bars_measure(&sums[i].amount, by_count);
	}
	c->open_group(c, id);
	draw_name(plan, c, y, name);
	draw_bar(plan, c, name, BARS_NOBODY, y, sums, count, whole);
	c->close_group(c);
	free(sums);
}

static void draw_totals(const struct bars_plan *plan, struct canvas *c)
{
	const struct bars_chart *chart = plan->chart;
	size_t rows = chart->bars->row_count, more = rows - plan->shown;
	struct str name = { 0 };

	if (rows > 1) {
		str_puts(&name, "all ");
		if (!chart->full_group) {
			number_add(&name, bars_members(chart->bars, 0));
			str_addc(&name, ' ');
		}
		str_puts(&name, chart->full_group ? chart->full_group : chart->many);
		draw_sum(plan, c, "bars-totals", name.buf, plan->totals_y, 0, rows, chart->full_group);
	}
	if (more) {
		str_clear(&name);
		str_puts(&name, "\xe2\x80\xa6 ");
		number_add(&name, bars_members(chart->bars, plan->shown));
		str_addf(&name, " more %s", chart->many);
		draw_sum(plan, c, "bars-more", name.buf, plan->rows_y + plan->row_height * (int32_t)plan->shown,
			 plan->shown, rows, NULL);
	}
	str_free(&name);
}

/* ---- axis ------------------------------------------------------------------- */

/* The distance of ticks so that their texts fit: 1, 2 or 5, with zeros. */
static uint64_t chart_draw_find_step(const struct bars_plan *plan)
{
	uint64_t ticks = (uint64_t)(plan->bar_w / TICK_ROOM), step = 1;
	static const unsigned factors[] = { 2, 5, 10 };

	for (uint64_t ten = 1; ticks && plan->scale / step > ticks; ten *= 10) {
		for (size_t i = 0; i < 3 && plan->scale / step > ticks; i++)
			step = ten * factors[i];
		if (ten > UINT64_MAX / 100)
			break;
	}
	return step;
}

/* The text at a tick. */
static void tick_text(struct str *text, const struct bars_chart *chart, uint64_t at)
{
	str_clear(text);
	if (at)
		bars_measure_add(text, chart->bars, chart->style->by_count, at);
	else
		str_addc(text, '0');
}

/* Draw the text of a tick right of its line or, if there is no room, left of it. */
static void chart_draw_tick(const struct bars_plan *plan, struct canvas *c, int32_t x, int32_t *end_x,
			    const struct str *text)
{
	int32_t width = (int32_t)font_width(&c->font, text->buf, text->len) + CPX;
	int32_t left = x + width > plan->bar_x + plan->bar_w ? plan->bar_x + plan->bar_w - width : x;

	if (left < *end_x)
		return;
	chart_draw_text(c, TEXT_NOTE, left, plan->axis_y, plan->totals_y - plan->axis_y, width, text->buf, text->len,
			false);
	*end_x = left + width + LABEL_INSET;
}

static void chart_draw_axis(const struct bars_plan *plan, struct canvas *c)
{
	const struct bars_chart *chart = plan->chart;
	size_t lines = plan->shown + (plan->shown < chart->bars->row_count);
	int32_t bottom = plan->rows_y + plan->row_height * (int32_t)lines, end_x = 0;
	uint64_t step = chart_draw_find_step(plan);
	struct str text = { 0 };

	c->open_group(c, "bars-axis");
	for (uint64_t at = 0; at <= plan->scale; at += step) {
		int32_t x = plan->bar_x + (int32_t)scale_u64(at, (uint64_t)plan->bar_w, plan->scale);
		struct area mark = { x / CPX * CPX, plan->totals_y, CPX, bottom - plan->totals_y };

		c->rect(c, &mark, canvas_tint(c, 0.16), NULL, 0);
		tick_text(&text, chart, at);
		chart_draw_tick(plan, c, x, &end_x, &text);
		if (at > UINT64_MAX - step)
			break;
	}
	if (chart->note_heading)
		chart_draw_text(c, TEXT_NOTE, plan->note_x, plan->axis_y, plan->totals_y - plan->axis_y, plan->note_w,
				chart->note_heading, strlen(chart->note_heading), false);
	c->close_group(c);
	str_free(&text);
}

/* ---- all of it -------------------------------------------------------------- */

void bars_draw(const void *chart_plan, struct canvas *c)
{
	const struct bars_plan *plan = chart_plan;
	const struct bars_chart *chart = plan->chart;
	int32_t inner = plan->w - 2 * BARS_PAD, y = plan->tables_y;

	heading_draw(&plan->heading, c, BARS_PAD, 8 * CPX);
	legend_draw(&plan->legend, c, BARS_PAD, plan->legend_y, inner);
	chart_draw_axis(plan, c);
	c->open_group(c, "bars-rows");
	for (size_t i = 0; i < plan->shown; i++)
		chart_draw_row(plan, c, i);
	c->close_group(c);
	draw_totals(plan, c);
	for (size_t i = 0; i < chart->table_count; i++) {
		table_draw(&chart->tables[i], c, BARS_PAD, y, inner, bars_rgb(chart->style, &chart->bars->kinds[0]));
		y += table_height(&chart->tables[i], &c->font) + 16 * CPX;
	}
	c->open_group(c, "details");
	heading_draw_lines(&plan->details, c, BARS_PAD, plan->details_y);
	c->close_group(c);
}

/* ---- tips ---- */

/* The tooltip of a part of a bar. */

enum { TIP_NAMES = 12 /* how many of the threads that share a part are named */ };

const char *bars_word(const struct bars *b, uint32_t kind)
{
	const struct bars_kind *k = &b->kinds[kind];

	return k->word ? k->word : intern_text(&b->names, k->name);
}

/* "37 more threads had the CPU: a-1 3 ms, b-2 2 ms, ..." */
static void chart_tips_add_more(struct str *tip, const struct bars_plan *plan, const struct bars_segment *const *parts,
				size_t count)
{
	const struct bars *b = plan->chart->bars;
	bool by_count = plan->chart->style->by_count;

	str_addc(tip, '\n');
	number_add(tip, count);
	str_puts(tip, " more threads had the CPU");
	for (size_t i = 0; i < count && i < TIP_NAMES; i++) {
		str_puts(tip, i ? ", " : ": ");
		bars_name_add(tip, b, parts[i]->by);
		str_addc(tip, ' ');
		bars_measure_add(tip, b, by_count, bars_measure(&parts[i]->amount, by_count));
	}
	if (count > TIP_NAMES)
		str_puts(tip, ", ...");
}

/* Append "1,203 times, longest 8 ms"; spans that began before the recording have no count. */
static void add_rest(struct str *tip, const struct bars *b, bool by_count, const struct bars_amount *a)
{
	bool counted = b->has_count && a->count;

	if (by_count || counted || a->longest)
		str_addc(tip, '\n');
	if (by_count)
		bars_value_add(tip, b, a->value);
	else if (counted)
		bars_measure_add(tip, b, true, a->count);
	if (a->longest) {
		str_addf(tip, "%slongest ", by_count || counted ? ", " : "");
		bars_value_add(tip, b, a->longest);
	}
}

/* "4.98 s, 49.8% of this row" */
static void chart_tips_add_amount(struct str *tip, const struct bars_plan *plan, const struct bars_piece *p,
				  uint64_t whole)
{
	bool by_count = plan->chart->style->by_count;
	uint64_t part = bars_measure(&p->amount, by_count);

	str_puts(tip, ": ");
	bars_measure_add(tip, plan->chart->bars, by_count, part);
	str_puts(tip, ", ");
	percentage_add(tip, part, whole);
	str_puts(tip, " of this row");
}

void bars_tip_add(struct str *tip, const struct bars_plan *plan, const struct bars_piece *p,
		  const struct bars_segment *const *parts, uint64_t whole)
{
	const struct bars_chart *chart = plan->chart;
	const struct bars *b = chart->bars;
	const struct bars_segment *s = p->segment;
	bool narrow = p->count > 1 && !p->more;

	str_addc(tip, '\n');
	if (narrow)
		str_addf(tip, "%zu parts too narrow to be told apart", p->count);
	else
		str_puts(tip, bars_word(b, s->kind));
	chart_tips_add_amount(tip, plan, p, whole);
	if (narrow)
		str_addf(tip, "\nthe largest: %s", bars_word(b, s->kind));
	if (!p->more && s->by != BARS_NOBODY && chart->tell_by) {
		str_puts(tip, narrow ? ", " : "\n");
		chart->tell_by(tip, b, s->by);
	} else if (p->count > 1 && p->more) {
		chart_tips_add_more(tip, plan, parts, p->count);
	}
	if (!narrow)
		add_rest(tip, b, chart->style->by_count, &p->amount);
}
