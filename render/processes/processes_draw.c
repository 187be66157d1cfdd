#include "render/processes/processes_draw.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "render/colours/hue.h"

enum { INSET = CPX, MARK_H = 3 * CPX, END_W = 2 * CPX, LABEL_LEAST = 24 * CPX, JOIN_W = 3 * CPX / 4, PATH_H = 2 * CPX };
enum { WRONG_RGB = 0x6d1f16, FAILED_RGB = 0x8a5a00 };

/* Areas of one colour. */
struct areas {
	struct area *list;
	size_t count, cap;
};

struct painter {
	const struct processes_plan *plan;
	struct canvas *c;
	struct areas spans, ends, failures;
	uint32_t rgb;
	size_t last[PROCESSES_LANES]; /* by lane: the number of the last drawn area in spans, + 1 */
	int32_t last_mark[PROCESSES_LANES];
};

static void processes_draw_add_area(struct areas *a, struct area area)
{
	a->list = xgrow(a->list, &a->cap, a->count + 1, sizeof(*a->list));
	a->list[a->count++] = area;
}

static void paint(struct canvas *c, struct areas *a, uint32_t rgb)
{
	if (a->count)
		c->shape(c, a->list, a->count, rgb);
	a->count = 0;
}

static struct area processes_draw_area_of(const struct processes_plan *plan, const struct process_life *q,
					  const struct process_row *row, int32_t top, uint64_t from_ns, uint64_t to_ns)
{
	int32_t high = process_row_height(plan, row) - 2 * INSET, lane = high / (int32_t)(row->lanes ? row->lanes : 1);
	int32_t x = time_axis_x(&plan->axis, from_ns), end = time_axis_x(&plan->axis, to_ns);
	int32_t gap = row->lanes > 1 ? CPX / 2 : 0;

	return (struct area){ x, top + INSET + lane * (int32_t)q->lane, end - x > CPX / 2 ? end - x : CPX / 2,
			      lane - gap };
}

/* Add an area of a lane; if it cannot be distinguished from the previous one, join both. */
static void add_joined(struct painter *w, uint32_t lane, struct area a)
{
	struct area *before = w->last[lane] ? &w->spans.list[w->last[lane] - 1] : NULL;
	int32_t end = a.x + a.w;

	if (before && a.x - (before->x + before->w) < JOIN_W && a.x >= before->x) {
		before->w = end > before->x + before->w ? end - before->x : before->w;
		return;
	}
	processes_draw_add_area(&w->spans, a);
	w->last[lane] = w->spans.count;
}

static void paint_spans(struct painter *w)
{
	paint(w->c, &w->spans, w->rgb);
	memset(w->last, 0, sizeof(w->last));
}

/* Of a process that runs the program of its parent. */
static uint32_t pale(struct canvas *c, uint32_t rgb)
{
	uint32_t light = hue_between(rgb, c->theme->background.top, 0.5);

	return c->theme->dark ? canvas_pair(c, light, hue_between(rgb, c->theme->dark->background.top, 0.5)) : light;
}

static void processes_draw_add_span(struct painter *w, const struct process_life *q, const struct process_row *row,
				    int32_t top, const struct process_span *s)
{
	const struct processes *p = w->plan->p;
	const struct process_kind *kind = &p->kinds[s->kind];
	const char *name = process_text(p, s->name);
	struct area a = processes_draw_area_of(w->plan, q, row, top, s->time_ns, s->time_ns + s->ns);
	uint32_t rgb = process_rgb(name, intern_len(&p->texts, s->name));

	if (kind->failed) {
		a.h = a.h < MARK_H ? a.h : MARK_H;
		a.w = CPX;
		if (a.x - w->last_mark[q->lane] < CPX)
			return;
		processes_draw_add_area(&w->failures, a);
		w->last_mark[q->lane] = a.x;
		return;
	}
	if (!kind->execed && !kind->before)
		rgb = pale(w->c, rgb);
	if (rgb != w->rgb)
		paint_spans(w);
	w->rgb = rgb;
	add_joined(w, q->lane, a);
	if (kind->wrong) {
		a.x = a.w > END_W ? a.x + a.w - END_W : a.x;
		a.w = a.w > END_W ? END_W : a.w;
		processes_draw_add_area(&w->ends, a);
	}
}

/* "cc1 -quiet m3.c": arguments without the program's directory. */
static void processes_draw_add_args(struct str *out, const struct font *font, const char *args, size_t len,
				    int32_t room)
{
	const char *blank = memchr(args, ' ', len);
	const char *slash = memrchr(args, '/', blank ? (size_t)(blank - args) : len);
	size_t skip = slash ? (size_t)(slash - args) + 1 : 0;

	font_fit(out, font, args + skip, len - skip, room, 3);
}

/* The arguments of the longest span, if there is room. */
static void processes_draw_label(struct painter *w, const struct process_life *q, const struct process_row *row,
				 int32_t top)
{
	const struct processes *p = w->plan->p;
	const struct process_span *longest = &p->spans[q->first];
	const struct font *font = &w->c->font;
	struct area a;
	struct str text = { 0 };

	for (size_t i = 1; i < q->count; i++)
		longest = p->spans[q->first + i].ns > longest->ns ? &p->spans[q->first + i] : longest;
	a = processes_draw_area_of(w->plan, q, row, top, longest->time_ns, longest->time_ns + longest->ns);
	if (a.w < LABEL_LEAST || a.h < font->size_cpx)
		return;
	processes_draw_add_args(&text, font, process_text(p, longest->args), intern_len(&p->texts, longest->args),
				a.w - 6 * CPX);
	if (text.len)
		w->c->text(w->c, TEXT_FRAME, a.x + 3 * CPX, baseline(a.y, a.h, font->size_cpx), text.buf, text.len);
	str_free(&text);
}

static void processes_draw_words(const struct processes_plan *plan, struct canvas *c, const struct process_row *row,
				 int32_t top)
{
	int32_t x = PROCESSES_PAD + (int32_t)row->depth * PROCESSES_INDENT, room = PROCESSES_PAD + plan->name_w - x;
	int32_t y = baseline(top, plan->row_h, c->font.size_cpx);
	struct str text = { 0 }, cut = { 0 };

	process_row_name(plan->p, row, &text);
	if (room > 0)
		font_fit(&cut, &c->font, text.buf, text.len, room, 3);
	if (cut.len)
		c->text(c, TEXT_DETAILS, x, y, cut.buf, cut.len);
	str_free(&cut);
	str_clear(&text);
	process_row_note(plan->p, row, &text);
	c->text(c, TEXT_NOTE, plan->note_x, y, text.buf, text.len);
	str_free(&text);
}

static void processes_draw_row(struct painter *w, size_t shown)
{
	const struct processes *p = w->plan->p;
	const struct process_row *row = &p->rows[w->plan->shown[shown]];
	int32_t top = w->plan->tops[shown];

	memset(w->last_mark, 0, sizeof(w->last_mark));
	processes_draw_words(w->plan, w->c, row, top);
	for (size_t i = 0; i < row->count; i++) {
		const struct process_life *q = &p->list[p->order[row->first + i]];

		for (size_t k = 0; k < q->count; k++)
			processes_draw_add_span(w, q, row, top, &p->spans[q->first + k]);
	}
	paint_spans(w);
	paint(w->c, &w->ends, WRONG_RGB);
	paint(w->c, &w->failures, FAILED_RGB);
	for (size_t i = 0; i < row->count; i++)
		processes_draw_label(w, &p->list[p->order[row->first + i]], row, top);
}

/* Mark processes that were waited for below their bars. */
static void draw_path(const struct processes_plan *plan, struct canvas *c)
{
	const struct processes *p = plan->p;
	size_t *shown_of = xcalloc(p->count + 1, sizeof(*shown_of)); /* by process, + 1 */
	struct areas a = { 0 };

	for (size_t i = 0; i < plan->shown_count; i++) {
		const struct process_row *row = &p->rows[plan->shown[i]];

		for (size_t k = 0; k < row->count; k++)
			shown_of[p->order[row->first + k]] = i + 1;
	}
	for (size_t i = 0; i < p->path_count; i++) {
		const struct process_stretch *s = &p->path[i];
		const struct process_row *row;
		struct area area;

		if (!shown_of[s->process])
			continue;
		row = &p->rows[plan->shown[shown_of[s->process] - 1]];
		area = processes_draw_area_of(plan, &p->list[s->process], row, plan->tops[shown_of[s->process] - 1],
					      s->from_ns, s->to_ns);
		area.y += area.h - PATH_H;
		area.h = PATH_H;
		processes_draw_add_area(&a, area);
	}
	c->open_group(c, "path");
	paint(c, &a, PROCESSES_PATH_RGB);
	c->close_group(c);
	free(a.list);
	free(shown_of);
}

static void processes_draw_tracks(const struct processes_plan *plan, struct canvas *c)
{
	struct areas tracks = { 0 };

	for (size_t i = 0; i < plan->shown_count; i++) {
		int32_t high = process_row_height(plan, &plan->p->rows[plan->shown[i]]);

		processes_draw_add_area(
			&tracks, (struct area){ plan->axis.x, plan->tops[i] + INSET, plan->axis.w, high - 2 * INSET });
	}
	paint(c, &tracks, canvas_tint(c, 0.05));
	free(tracks.list);
}

void processes_draw(const void *chart_plan, struct canvas *c)
{
	const struct processes_plan *plan = chart_plan;
	struct painter w = { .plan = plan, .c = c };

	heading_draw(&plan->heading, c, PROCESSES_PAD, 8 * CPX);
	time_axis_draw(&plan->axis, c, "processes-axis");
	c->open_group(c, "rows");
	processes_draw_tracks(plan, c);
	time_axis_draw_grid(&plan->axis, c, plan->rows_y, plan->rows_h);
	for (size_t i = 0; i < plan->shown_count; i++)
		processes_draw_row(&w, i);
	draw_path(plan, c);
	c->close_group(c);
	legend_draw(&plan->legend, c, PROCESSES_PAD, plan->legend_y, plan->w - 2 * PROCESSES_PAD);
	c->open_group(c, "details");
	heading_draw_lines(&plan->details, c, PROCESSES_PAD, plan->details_y);
	c->close_group(c);
	table_draw(&plan->table, c, PROCESSES_PAD, plan->table_y, plan->w - 2 * PROCESSES_PAD, 0x9db8d2);
	free(w.spans.list);
	free(w.ends.list);
	free(w.failures.list);
}
