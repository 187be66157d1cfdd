/* The layout of a timeline's picture. */
#include "render/timeline/timeline_draw.h"

#include <stdlib.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "render/drawing/doubts.h"
#include "render/drawing/time_axis.h"
#include "render/profile/number.h"

enum {
	EDGE = 8 * CPX,
	GAP = 8 * CPX,
	AXIS_H = 20 * CPX,
	GROUP_H = 20 * CPX,
	NAME_W_MAX_PERCENT = 22,
	BAR_W_MIN = 100 * CPX,
	STALLS_H = 18 * CPX
};

uint32_t timeline_rgb(const struct timeline_plan *p, uint32_t kind)
{
	return p->style->safe ? p->t->kinds[kind].safe : p->t->kinds[kind].rgb;
}

void timeline_cpu_add(struct str *out, const struct timeline *t, uint32_t name, const struct topology_cpu *cpu)
{
	timeline_label_add(out, t, name);
	if (cpu && cpu->isolated)
		str_addc(out, '*');
	if (cpu && cpu->nohz_full)
		str_puts(out, "\xc2\xb0"); /* a degree sign */
}

/* ---- words ---------------------------------------------------------------- */

static void timeline_plan_add_note(struct timeline_plan *p, const char *text)
{
	heading_add_text(&p->details, TEXT_NOTE, &p->style->font, p->w - 2 * TIMELINE_PAD, text);
}

static bool any_marked(const struct timeline *t, bool nohz)
{
	for (size_t i = 0; i < t->topology.count; i++) {
		if (nohz ? t->topology.cpus[i].nohz_full : t->topology.cpus[i].isolated)
			return true;
	}
	return false;
}

/* Note how many rows are not drawn, and how long they ran. */
static void tell_hidden(struct timeline_plan *p)
{
	const struct timeline *t = p->t;
	struct str text = { 0 };
	uint64_t time_ns = 0;

	for (size_t i = p->shown; i < timeline_rows(t); i++)
		time_ns += t->rows[i].time_ns;
	plural_add(&text, timeline_rows(t) - p->shown, t->by_cpu ? "more CPU" : "more thread");
	str_puts(&text, ", which ran for ");
	duration_add(&text, time_ns);
	str_puts(&text, " in total, are not drawn here (--top); a browser with scripts shows them.");
	timeline_plan_add_note(p, text.buf);
	str_free(&text);
}

/* Note which rows are not drawn, and why. */
static void tell_folded(struct timeline_plan *p)
{
	const struct timeline *t = p->t;
	size_t busy = timeline_busy_rows(t), still = timeline_rows(t) - busy;
	struct str text = { 0 };

	str_puts(&text, "Not drawn: ");
	if (busy > p->shown) {
		plural_add(&text, busy - p->shown, "more thread");
		str_puts(&text, still ? ", and " : "");
	}
	if (still) {
		plural_add(&text, still, "thread");
		str_puts(&text, " active under 0.1 % of the time");
	}
	str_puts(&text, "; a browser with scripts shows them.");
	timeline_plan_add_note(p, text.buf);
	str_free(&text);
}

static bool timeline_plan_has_gaps(const struct timeline *t)
{
	for (size_t i = 0; i < t->row_count; i++) {
		if (t->rows[i].short_kind != UINT32_MAX)
			return true;
	}
	return false;
}

/* Sums of short spans are in the figures, but have no place in time. */
static void tell_sums(struct timeline_plan *p)
{
	const struct timeline *t = p->t;
	struct str text = { 0 };
	const char *least = source_get(&t->in.source, FOLDED_SHORT);
	uint64_t count = 0, time = 0;

	for (size_t i = 0; i < t->sum_count; i++) {
		count += t->sums[i].values.count;
		time += t->sums[i].values.time;
	}
	if (least)
		str_addf(&text, "Spans under %s are not drawn singly: ", least);
	else
		str_puts(&text, "Short spans are not drawn singly: ");
	number_add(&text, count);
	str_puts(&text, count == 1 ? " was" : " were");
	str_puts(&text, " recorded as sums, ");
	duration_add(&text, time);
	str_puts(&text, " in all, which the figures beside the rows contain.");
	if (timeline_plan_has_gaps(t))
		str_puts(&text, " The time between longer spans shows what took most of a thread's short ones.");
	timeline_plan_add_note(p, text.buf);
	str_free(&text);
}

/* Notes below the picture that readers need in order to understand it. */
static void timeline_plan_make_details(struct timeline_plan *p)
{
	const struct timeline *t = p->t;
	uint64_t overlaps = 0;
	struct str text = { 0 };

	for (size_t i = 0; i < t->row_count; i++)
		overlaps += t->rows[i].overlaps;
	if (p->short_marks)
		timeline_plan_add_note(p, "Under a pixel: colour is the most frequent state, height its share.");
	if (t->has_waits)
		timeline_plan_add_note(p, "Short bars: idle (sleep, waiting for work).");
	if (t->process_len) {
		str_puts(&text, "Names without a process belong to ");
		str_add(&text, intern_text(&t->names, t->process), t->process_len - 1);
		str_addc(&text, '.');
		timeline_plan_add_note(p, text.buf);
		str_clear(&text);
	}
	if (p->shown < timeline_rows(t) && t->has_waits)
		tell_folded(p);
	else if (p->shown < timeline_rows(t))
		tell_hidden(p);
	if (t->sum_count)
		tell_sums(p);
	doubts_say_open(&t->in.source, &text);
	timeline_plan_add_note(p, str_text(&text));
	str_clear(&text);
	if (t->merged) {
		number_add(&text, t->merged);
		str_puts(&text, " spans are merged with others of their row that began within the same ");
		duration_add(&text, t->merged_ns);
		str_puts(&text, " (--detail); their times and counts are added up.");
		timeline_plan_add_note(p, text.buf);
		str_clear(&text);
	}
	if (t->dropped_samples) {
		plural_add(&text, t->dropped_samples, "sample");
		str_puts(&text, " of what ran are left out (--detail).");
		timeline_plan_add_note(p, text.buf);
		str_clear(&text);
	}
	if (overlaps) {
		plural_add(&text, overlaps, "span");
		str_puts(&text, overlaps == 1
					? " overlaps the span before it in its row, and is drawn over it."
					: " overlap the spans before them in their rows, and are drawn over these.");
		timeline_plan_add_note(p, text.buf);
	}
	str_free(&text);
	if (any_marked(t, false) || any_marked(t, true))
		timeline_plan_add_note(p,
				       any_marked(t, true) ? "* isolated \xc2\xb7 \xc2\xb0 nohz_full" : "* isolated");
}

static void timeline_plan_make_heading(struct timeline_plan *p)
{
	const struct timeline *t = p->t;
	const struct bars_style *style = p->style;
	struct str total = { 0 };
	uint64_t spans = t->span_count;

	for (size_t i = 0; i < t->span_count && t->idle_ns; i++)
		spans -= t->stacks[t->spans[i].stack].idle;
	for (size_t i = 0; i < t->sum_count && !t->has_waits; i++)
		spans += t->stacks[t->sums[i].stack].idle ? 0 : t->sums[i].values.count;
	plural_add(&total, timeline_rows(t), t->by_cpu ? "CPU" : "thread");
	str_puts(&total, " \xc2\xb7 ");
	plural_add(&total, spans, t->kinds_are_states || t->has_waits ? "span" : "run");
	str_puts(&total, ", ");
	duration_add(&total, t->time_ns);
	str_puts(&total, " in all");
	heading_make(&p->heading, &style->font, p->w - 2 * TIMELINE_PAD,
		     &(struct heading_words){ style->title, style->headline, style->subtitle }, total.buf,
		     &t->in.source);
	timeline_sum_up(t, &p->summary);
	if (p->summary.len && !(t->has_waits && style->headline)) /* which says it already */
		heading_add_text(&p->heading, TEXT_DETAILS, &style->font, p->w - 2 * TIMELINE_PAD, p->summary.buf);
	str_free(&total);
}

/* ---- places --------------------------------------------------------------- */

static int32_t widest(const struct timeline_plan *p, const struct str *texts)
{
	size_t rows = p->t->has_waits ? p->shown : timeline_rows(p->t); /* the others are seldom seen */
	int64_t most = 0;

	for (size_t i = 0; i < rows; i++) {
		size_t skip = timeline_skipped(p->t, str_text(&texts[i]), texts[i].len);
		int64_t w = font_width(&p->style->font, str_text(&texts[i]) + skip, texts[i].len - skip);

		most = w > most ? w : most;
	}
	return most + CPX > p->w ? p->w : (int32_t)most + CPX;
}

static void timeline_plan_place_columns(struct timeline_plan *p)
{
	const struct timeline *t = p->t;
	static const char date[] = "0000-00-00 UTC"; /* is shown above them */
	int32_t limit = p->w * NAME_W_MAX_PERCENT / 100;
	int32_t date_w = (int32_t)font_width(&p->style->font, date, strlen(date)) + CPX;

	p->names = xcalloc(t->row_count + 1, sizeof(*p->names));
	p->notes = xcalloc(t->row_count + 1, sizeof(*p->notes));
	for (size_t i = 0; i < t->row_count; i++) {
		timeline_row_name(t, &t->rows[i], &p->names[i]);
		timeline_row_note(t, &t->rows[i], &p->notes[i]);
	}
	p->name_x = TIMELINE_PAD;
	p->name_w = widest(p, p->names);
	p->name_w = p->name_w > limit ? limit : p->name_w;
	p->note_x = p->name_x + p->name_w + GAP;
	p->note_w = widest(p, p->notes);
	if (p->name_w + GAP + p->note_w < date_w)
		p->name_w = date_w - GAP - p->note_w;
	p->bar_x = p->note_x + p->note_w + GAP;
	p->bar_w = (p->w - TIMELINE_PAD - p->bar_x) / CPX * CPX;
	if (p->bar_w < BAR_W_MIN) { /* a narrow picture: over the notes */
		p->note_w = 0;
		p->bar_x = p->note_x;
		p->bar_w = (p->w - TIMELINE_PAD - p->bar_x) / CPX * CPX;
	}
	p->bar_w = p->bar_w < CPX ? CPX : p->bar_w;
}

/* Does a new node or package begin with row i, if there are several? */
static bool begins_group(const struct timeline_plan *p, size_t i)
{
	const struct timeline_row *row = &p->t->rows[i], *before = row - 1;

	if (!p->t->by_cpu || !row->cpu || p->t->topology.count < 2)
		return false;
	return !i || !before->cpu || before->cpu->node != row->cpu->node || before->cpu->package != row->cpu->package;
}

static void timeline_plan_place_rows(struct timeline_plan *p, int32_t y)
{
	const struct timeline *t = p->t;

	p->row_y = xcalloc(t->row_count + 1, sizeof(*p->row_y));
	p->groups = xcalloc(t->row_count + 1, sizeof(*p->groups));
	for (size_t i = 0; i < p->shown; i++) {
		if (begins_group(p, i)) {
			p->groups[p->group_count++] = (struct timeline_group){ y, t->rows[i].cpu };
			y += GROUP_H;
		}
		p->row_y[i] = y;
		y += p->style->row_px * CPX;
	}
	p->details_y = y + EDGE;
}

static void make_marks(struct timeline_plan *p)
{
	struct raster r;

	raster_init(&r, p->t, p->bar_w / CPX, p->style->row_px - 3);
	for (size_t i = 0; i < p->shown; i++)
		raster_row(&r, (uint32_t)i, &p->marks);
	raster_free(&r);
	for (size_t i = 0; i < p->marks.count; i++)
		p->short_marks += p->marks.items[i].span == SIZE_MAX;
}

void timeline_plan_make(struct timeline_plan *p, const struct timeline *t, const struct bars_style *style,
			const char *kind)
{
	int32_t y = EDGE;

	*p = (struct timeline_plan){ .t = t,
				     .style = style,
				     .w = style->width_px * CPX,
				     .shown = timeline_busy_rows(t),
				     .kind = kind,
				     .stalls_h = t->stall_count ? STALLS_H : 0 };
	if (style->top && style->top < p->shown)
		p->shown = (size_t)style->top;
	timeline_plan_make_heading(p);
	timeline_plan_place_columns(p);
	y += heading_height(&p->heading, &style->font) + EDGE / 2;
	p->legend_y = y;
	y = timeline_legend(p, NULL, y);
	p->axis_y = y + EDGE / 2;
	p->rows_y = p->axis_y + AXIS_H + p->stalls_h;
	timeline_plan_place_rows(p, p->rows_y);
	make_marks(p);
	timeline_plan_make_details(p);
	p->h = p->details_y + heading_height(&p->details, &style->font) + EDGE;
}

void timeline_plan_free(struct timeline_plan *p)
{
	heading_free(&p->heading);
	heading_free(&p->details);
	for (size_t i = 0; p->names && i < p->t->row_count; i++) {
		str_free(&p->names[i]);
		str_free(&p->notes[i]);
	}
	free(p->names);
	free(p->notes);
	free(p->row_y);
	free(p->groups);
	free(p->marks.items);
	str_free(&p->summary);
}
