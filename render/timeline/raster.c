#include "render/timeline/raster.h"

#include <stdlib.h>

#include "core/memory.h"
#include "render/drawing/font.h"
#include "render/profile/number.h"

enum { LEAST_W = CPX / 5 };

/* The pixel that is being filled. */
struct pixel {
	struct raster *r;
	struct marks *out;
	uint32_t row;
	uint64_t column;      /* UINT64_MAX: none */
	uint64_t left_ns;     /* what long spans leave free starts here */
	uint64_t long_end_ns; /* where the last long span ends */
	size_t touched;
	uint64_t taken_ns;
};

void raster_init(struct raster *r, const struct timeline *t, int32_t width_px, int32_t height_px)
{
	*r = (struct raster){ t, width_px, height_px, xcalloc(t->kind_count + 1, sizeof(uint64_t)),
			      xcalloc(t->kind_count + 1, sizeof(uint32_t)) };
}

/* Times below are relative to the window's start. */
static uint64_t window_of(const struct raster *r)
{
	return r->t->in.end_ns - r->t->in.start_ns;
}

static int32_t raster_x_of(const struct raster *r, uint64_t ns)
{
	return (int32_t)scale_u64(ns, (uint64_t)r->width_px * CPX, window_of(r));
}

static uint64_t raster_column_of(const struct raster *r, uint64_t ns)
{
	return scale_u64(ns, (uint64_t)r->width_px, window_of(r));
}

/* The first instant of a column, rounded up. */
static uint64_t column_start(const struct raster *r, uint64_t column)
{
	uint64_t start = scale_u64(column, window_of(r), (uint64_t)r->width_px);

	return raster_column_of(r, start) < column ? start + 1 : start;
}

static void add_mark(struct marks *out, const struct mark *m)
{
	struct mark *last = out->count ? &out->items[out->count - 1] : NULL;

	if (last && last->span == SIZE_MAX && m->span == SIZE_MAX && last->row == m->row && last->kind == m->kind &&
	    last->h == m->h && m->x <= last->x + last->w) {
		last->w = m->x + m->w - last->x;
		return;
	}
	out->items = xgrow(out->items, &out->cap, out->count + 1, sizeof(*out->items));
	out->items[out->count++] = *m;
}

static uint32_t main_kind(struct pixel *p)
{
	struct raster *r = p->r;
	uint32_t best = r->touched[0];

	for (size_t i = 1; i < p->touched; i++) {
		uint32_t kind = r->touched[i];

		if (r->of_kind[kind] > r->of_kind[best] || (r->of_kind[kind] == r->of_kind[best] && kind < best))
			best = kind;
	}
	for (size_t i = 0; i < p->touched; i++)
		r->of_kind[r->touched[i]] = 0;
	return best;
}

static int32_t least_height(const struct raster *r, uint32_t kind, int32_t h)
{
	int32_t low = r->height_px / 3 > 0 ? r->height_px / 3 : 1;

	return r->t->kinds[kind].dull && h > low ? low : h;
}

/* Finish the pixel, whose free part ends at right_ns. */
static void raster_finish(struct pixel *p, uint64_t right_ns)
{
	const struct raster *r = p->r;
	uint64_t end = column_start(r, p->column + 1), free_ns;
	struct mark m = { .row = p->row, .span = SIZE_MAX };

	if (p->column == UINT64_MAX)
		return;
	right_ns = right_ns < end ? right_ns : end;
	right_ns = right_ns < p->left_ns ? p->left_ns : right_ns;
	free_ns = right_ns - p->left_ns;
	free_ns = free_ns > p->taken_ns ? free_ns : p->taken_ns ? p->taken_ns : 1;
	m.kind = main_kind(p);
	m.x = raster_x_of(r, p->left_ns);
	m.w = raster_x_of(r, right_ns) - m.x;
	m.w = m.w < LEAST_W ? LEAST_W : m.w;
	m.h = (int32_t)scale_u64(p->taken_ns, (uint64_t)r->height_px * 2, free_ns);
	m.h = m.h < 2 ? 1 : (m.h + 1) / 2;
	m.h = least_height(r, m.kind, m.h);
	add_mark(p->out, &m);
	p->column = UINT64_MAX;
	p->touched = 0;
	p->taken_ns = 0;
}

/* Spans take this part of the time, of SHORT_WHOLE. */
static void raster_take(struct pixel *p, uint64_t from, uint64_t to, uint32_t kind, uint32_t part)
{
	uint64_t ns = part == SHORT_WHOLE ? to - from : scale_u64(to - from, part, SHORT_WHOLE);

	struct raster *r = p->r;
	uint64_t column = raster_column_of(r, from);
	bool known = false;

	if (column != p->column) {
		uint64_t start = column_start(r, column);

		raster_finish(p, UINT64_MAX);
		p->column = column;
		p->left_ns = start > p->long_end_ns ? start : p->long_end_ns;
		p->left_ns = p->left_ns < from ? p->left_ns : from;
	}
	for (size_t i = 0; i < p->touched && !known; i++)
		known = r->touched[i] == kind;
	if (!known)
		r->touched[p->touched++] = kind;
	r->of_kind[kind] += ns;
	p->taken_ns += ns;
}

static void take_short(struct pixel *p, uint64_t from, uint64_t to, uint32_t kind, uint32_t part)
{
	uint64_t column = raster_column_of(p->r, from), next = column_start(p->r, column + 1);

	if (column >= (uint64_t)p->r->width_px) /* a span of length 0 at the very end */
		return raster_take(p, from - !!from, from - !!from, kind, part);
	raster_take(p, from, to < next ? to : next, kind, part);
	if (to > next)
		raster_take(p, next, to, kind, part);
}

static void take_long(struct pixel *p, uint64_t from, uint64_t to, uint32_t kind, size_t span)
{
	struct mark m = { .row = p->row, .kind = kind, .span = span, .h = least_height(p->r, kind, p->r->height_px) };

	raster_finish(p, from);
	m.x = raster_x_of(p->r, from);
	m.w = raster_x_of(p->r, to) - m.x;
	add_mark(p->out, &m);
	p->long_end_ns = to > p->long_end_ns ? to : p->long_end_ns;
}

/* What the row shows where no span was recorded. */
static void raster_take_gap(struct pixel *p, uint64_t from, uint64_t to)
{
	const struct timeline_row *row = &p->r->t->rows[p->row];
	struct mark m = { .row = p->row, .kind = row->short_kind, .span = SIZE_MAX };

	if (row->short_kind == UINT32_MAX || from >= to)
		return;
	if (!scale_u64(to - from, (uint64_t)p->r->width_px, window_of(p->r))) {
		take_short(p, from, to, row->short_kind, row->short_part);
		return;
	}
	raster_finish(p, from);
	m.x = raster_x_of(p->r, from);
	m.w = raster_x_of(p->r, to) - m.x;
	m.h = (int32_t)scale_u64(row->short_part, (uint64_t)p->r->height_px * 2, SHORT_WHOLE);
	m.h = least_height(p->r, m.kind, m.h < 2 ? 1 : (m.h + 1) / 2);
	add_mark(p->out, &m);
	p->long_end_ns = to > p->long_end_ns ? to : p->long_end_ns;
}

void raster_row(struct raster *r, uint32_t row, struct marks *out)
{
	const struct timeline *t = r->t;
	const struct timeline_row *line = &t->rows[row];
	struct pixel p = { .r = r, .out = out, .row = row, .column = UINT64_MAX };
	bool has_gaps = line->short_kind != UINT32_MAX;
	uint64_t end = has_gaps ? line->short_from_ns - t->in.start_ns : 0;

	for (size_t i = line->first; i < line->first + line->count; i++) {
		const struct timeline_span *s = &t->spans[i];
		uint64_t from = s->start_ns - t->in.start_ns, to = from + s->time_ns;
		uint32_t kind = t->stacks[s->stack].kind;

		if (t->kinds[kind].idle)
			continue;
		raster_take_gap(&p, end, from);
		end = to > end ? to : end;
		if (scale_u64(s->time_ns, (uint64_t)r->width_px, window_of(r)))
			take_long(&p, from, to, kind, i);
		else
			take_short(&p, from, to, kind, SHORT_WHOLE);
	}
	if (has_gaps)
		raster_take_gap(&p, end, line->short_to_ns - t->in.start_ns);
	raster_finish(&p, UINT64_MAX);
}

void raster_free(struct raster *r)
{
	free(r->of_kind);
	free(r->touched);
	*r = (struct raster){ 0 };
}
