#include "render/flame/layout.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/sorted.h"
#include "render/drawing/font.h"
#include "render/profile/number.h"

enum {
	STEP_CPX = CPX / 2, /* the steps in which boxes_max changes the least width of boxes */
	STEPS = 128,
	GAP_CPX = CPX,  /* crumbs nearer than this are merged ... */
	PURE_CPX = CPX, /* ... if they have the same colour, or are narrower than this */
	CRUMB_MIN_CPX = CPX / 5,
};

struct maker {
	struct layout *layout;
	const struct tree *tree;
	uint32_t root;
	int32_t width_cpx;
	const struct layout_size *size;
	const struct colouring *colouring;
	uint64_t threshold; /* frames of at least this value ... */
	uint32_t box_rows;  /* only frames in this many first rows are boxes */
	struct box *runs;   /* [row] the crumb that is growing in the row; none if x1 is 0 */
};

static int32_t layout_x_of(const struct maker *m, uint64_t value)
{
	const struct frame *root = &m->tree->frames[m->root];

	return (int32_t)scale_u64(value - root->start, (uint64_t)m->width_cpx, root->total);
}

/* The value of the narrowest frame that is at least width_cpx wide. */
static uint64_t value_of_width(const struct maker *m, int32_t width_cpx)
{
	uint64_t total = m->tree->frames[m->root].total;
	uint64_t value = scale_up_u64(total, (uint64_t)width_cpx, (uint64_t)m->width_cpx);

	return value ? value : 1;
}

/* The least value of a box, for the requested width or more, so that there are not too many boxes. */
static uint64_t box_threshold(const struct maker *m)
{
	const struct frame *frames = m->tree->frames;
	uint64_t floor = value_of_width(m, m->size->box_cpx);
	size_t count[STEPS] = { 0 }, sum = 0;
	uint32_t end = frames[m->root].end, step;

	if (floor < m->size->min_value)
		floor = m->size->min_value;
	if (!m->size->boxes_max)
		return floor;
	for (uint32_t i = m->root; i < end;) {
		if (frames[i].total < floor) {
			i = frames[i].end;
			continue;
		}
		step = (uint32_t)scale_u64(frames[i].total, (uint64_t)m->width_cpx / STEP_CPX, frames[m->root].total);
		count[step < STEPS ? step : STEPS - 1]++;
		i++;
	}
	for (step = STEPS; step > 1; step--) {
		sum += count[step - 1];
		if (sum > m->size->boxes_max)
			break;
	}
	if (step > 1 && value_of_width(m, (int32_t)step * STEP_CPX) > floor) {
		m->layout->least_cpx = (int32_t)step * STEP_CPX;
		floor = value_of_width(m, m->layout->least_cpx);
	}
	return floor;
}

/* Even wide frames can be too many, in a very deep stack.  Returns how many rows, from the root, together have
 * at most boxes_max boxes. */
static uint32_t box_rows(const struct maker *m, uint64_t threshold, uint32_t levels)
{
	const struct frame *frames = m->tree->frames;
	uint32_t *count = xcalloc(levels, sizeof(*count)), row;
	size_t sum = 0;

	for (uint32_t i = m->root; i < frames[m->root].end;) {
		if (frames[i].total < threshold)
			i = frames[i].end;
		else
			count[frames[i++].depth - frames[m->root].depth]++;
	}
	for (row = 0; row < levels && sum + count[row] <= m->size->boxes_max; row++)
		sum += count[row];
	free(count);
	row = row ? row : 1;
	if (row < levels)
		m->layout->box_rows = row;
	return row;
}

static void layout_add(struct boxes *b, const struct box *box)
{
	b->items = xgrow(b->items, &b->cap, b->count + 1, sizeof(*b->items));
	b->items[b->count++] = *box;
}

static void flush_run(struct maker *m, struct box *run)
{
	if (run->x1 - run->x0 >= CRUMB_MIN_CPX)
		layout_add(&m->layout->crumbs, run);
	*run = (struct box){ 0 };
}

static void add_crumb(struct maker *m, const struct box *box)
{
	struct box *run = &m->runs[box->row];

	if (run->x1 && box->x0 - run->x1 < GAP_CPX && (run->rgb == box->rgb || run->x1 - run->x0 < PURE_CPX)) {
		run->x1 = box->x1;
		return;
	}
	flush_run(m, run);
	*run = *box;
}

static void layout_add_frame(struct maker *m, uint32_t i)
{
	const struct frame *f = &m->tree->frames[i];
	struct box box = {
		.frame = i,
		.row = f->depth - m->tree->frames[m->root].depth,
		.x0 = layout_x_of(m, f->start),
		.x1 = layout_x_of(m, f->start + f->total),
		.rgb = m->colouring->crumb(m->colouring, i),
	};

	if (box.row >= m->layout->rows)
		m->layout->rows = box.row + 1;
	if (f->total >= m->threshold && box.row < m->box_rows)
		layout_add(&m->layout->boxes, &box);
	else
		add_crumb(m, &box);
}

static int compare_crumbs(const void *a, const void *b)
{
	const struct box *x = a, *y = b;

	return ORDER(x->rgb, y->rgb) ?: ORDER(x->row, y->row) ?: ORDER(x->x0, y->x0);
}

/* The counter for frame i if it is not drawn; NULL: frame i is drawn. */
static uint32_t *count_of_left_out(struct layout *l, const struct tree *t, uint32_t root, uint32_t i,
				   const struct layout_size *size)
{
	uint32_t row = t->frames[i].depth - t->frames[root].depth;

	if (i == root)
		return NULL;
	if (t->frames[i].total < size->min_value)
		return &l->dropped;
	return size->max_rows && row >= size->max_rows ? &l->deeper : NULL;
}

void layout_make(struct layout *l, const struct tree *t, uint32_t root, const struct layout_size *size)
{
	struct maker m = { .layout = l,
			   .tree = t,
			   .root = root,
			   .width_cpx = size->width_cpx,
			   .size = size,
			   .colouring = size->colouring };
	uint32_t end = t->frames[root].end, levels = tree_levels(t, root);

	*l = (struct layout){ 0 };
	m.threshold = box_threshold(&m);
	m.box_rows = size->boxes_max ? box_rows(&m, m.threshold, levels) : levels;
	m.runs = xcalloc(levels, sizeof(*m.runs));
	for (uint32_t i = root; i < end;) {
		uint32_t *left_out = count_of_left_out(l, t, root, i, size);

		if (left_out) {
			*left_out += t->frames[i].end - i;
			i = t->frames[i].end;
		} else {
			layout_add_frame(&m, i++);
		}
	}
	for (uint32_t row = 0; row < l->rows; row++)
		flush_run(&m, &m.runs[row]);
	if (l->crumbs.count)
		qsort(l->crumbs.items, l->crumbs.count, sizeof(*l->crumbs.items), compare_crumbs);
	free(m.runs);
}

void layout_free(struct layout *l)
{
	if (!l)
		return;
	free(l->boxes.items);
	free(l->crumbs.items);
	*l = (struct layout){ 0 };
}
