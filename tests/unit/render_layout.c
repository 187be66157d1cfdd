/* Boxes and sums: children stay within their parents, and add up. */
#include <stdlib.h>

#include "render/drawing/font.h"
#include "render/flame/layout.h"
#include "tests/unit/check.h"

/* A small random generator of our own, which gives the same numbers everywhere. */
static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

static void make_profile_of(struct profile *p, const char *lines)
{
	struct profile_filter all = { 0 };
	char path[200];
	FILE *f;

	snprintf(path, sizeof(path), "%s/layout.folded", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	f = fopen(path, "w");
	fputs(lines, f);
	fclose(f);
	*p = (struct profile){ 0 };
	profile_read(p, path, &all);
}

/* stacks lines of random frames. */
static void make_profile(struct profile *p, uint32_t seed, int stacks)
{
	char *lines = NULL;
	size_t len;
	FILE *f = open_memstream(&lines, &len);

	for (int i = 0; i < stacks; i++) {
		int depth = (int)(next_random(&seed) % 12) + 1;

		for (int d = 0; d < depth; d++)
			fprintf(f, "%sf%u", d ? ";" : "", next_random(&seed) % 7);
		fprintf(f, " %u\n", next_random(&seed) % (i % 10 ? 100 : 1000000) + 1);
	}
	fclose(f);
	make_profile_of(p, lines);
	free(lines);
}

static int sums_are_exact(const struct tree *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		uint64_t at = t->frames[i].start, sum = 0;

		for (uint32_t c = i + 1; c < t->frames[i].end; c = t->frames[c].end) {
			if (t->frames[c].start != at || t->frames[c].parent != i)
				return 0;
			at += t->frames[c].total;
			sum += t->frames[c].total;
		}
		if (sum + tree_self(t, i) != t->frames[i].total || sum > t->frames[i].total)
			return 0;
	}
	return 1;
}

/* The box is within its parent's, and overlaps no other box of its row. */
static int boxes_nest(const struct layout *l, const struct tree *t)
{
	const struct box **box_of = calloc(t->count, sizeof(*box_of));
	int32_t row_end[64] = { 0 };
	int good = 1;

	for (size_t i = 0; i < l->boxes.count; i++) {
		const struct box *b = &l->boxes.items[i], *parent;

		box_of[b->frame] = b;
		parent = box_of[t->frames[b->frame].parent];
		if (b->x1 < b->x0 || b->x0 < row_end[b->row] ||
		    (b->row && (!parent || b->x0 < parent->x0 || b->x1 > parent->x1)))
			good = 0;
		row_end[b->row] = b->x1;
	}
	free(box_of);
	return good;
}

/* The number of frames that are at least least_cpx wide if the root is width_cpx wide. */
static size_t wide_frames(const struct tree *t, uint64_t width_cpx, int32_t least_cpx)
{
	size_t count = 0;

	for (uint32_t i = 0; i < t->count; i++)
		count += t->frames[i].total * width_cpx >= t->frames[0].total * (uint64_t)least_cpx;
	return count;
}

/* Two colours, by the name's number. */
struct parity {
	struct colouring colouring;
	const struct tree *tree;
};

static uint32_t parity_crumb(const struct colouring *c, uint32_t frame)
{
	return ((const struct parity *)c)->tree->frames[frame].name % 2;
}

static void check_random(uint32_t seed, int stacks)
{
	struct parity colours = { { NULL, parity_crumb, NULL }, NULL };
	struct layout_size size = { .width_cpx = 118000, .box_cpx = CPX / 2, .boxes_max = 3000 };
	struct profile p;
	struct layout l;
	struct tree t;

	make_profile(&p, seed, stacks);
	tree_build(&t, &p);
	colours.tree = &t;
	size.colouring = &colours.colouring;
	CHECK(t.frames[0].total == p.total);
	CHECK(sums_are_exact(&t));
	layout_make(&l, &t, 0, &size);
	CHECK(l.boxes.items[0].x0 == 0 && l.boxes.items[0].x1 == 118000);
	CHECK(boxes_nest(&l, &t));
	CHECK(l.boxes.count <= size.boxes_max);
	CHECK(l.rows == tree_levels(&t, 0));
	CHECK(l.dropped == 0);
	layout_free(&l);

	size.boxes_max = 0;
	layout_make(&l, &t, 0, &size);
	CHECK(l.boxes.count == wide_frames(&t, 118000, size.box_cpx));
	CHECK(!l.least_cpx && !l.box_rows);
	layout_free(&l);

	size.boxes_max = 20;
	layout_make(&l, &t, 0, &size);
	CHECK(l.boxes.count <= 20);
	CHECK(l.least_cpx > size.box_cpx || l.box_rows);
	layout_free(&l);

	size.boxes_max = 3000;
	size.min_value = p.total / 100;
	layout_make(&l, &t, 0, &size);
	CHECK(l.dropped > 0 && l.dropped + l.boxes.count + l.crumbs.count <= t.count);
	for (size_t i = 0; i < l.boxes.count; i++) {
		if (t.frames[l.boxes.items[i].frame].total < size.min_value)
			printf("not ok - a frame narrower than the least width\n");
	}
	layout_free(&l);
	tree_free(&t);
	profile_free(&p);
}

/* As many boxes as allowed, and not one more; whole rows, if all frames are equally wide. */
static void check_rows(void)
{
	static const struct {
		uint32_t boxes_max, boxes, box_rows;
	} rows[] = { { 7, 7, 0 }, { 6, 6, 6 }, { 3, 3, 3 }, { 1, 1, 1 } };
	struct parity colours = { { NULL, parity_crumb, NULL }, NULL };
	struct profile p;
	struct layout l;
	struct tree t;

	make_profile_of(&p, "a;b;c;d;e;f 1\n");
	tree_build(&t, &p);
	colours.tree = &t;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct layout_size size = { .width_cpx = 118000, .box_cpx = CPX / 2, .boxes_max = rows[i].boxes_max };

		size.colouring = &colours.colouring;
		layout_make(&l, &t, 0, &size);
		CHECK(l.boxes.count == rows[i].boxes && l.box_rows == rows[i].box_rows);
		layout_free(&l);
	}
	tree_free(&t);
	profile_free(&p);
}

int main(void)
{
	check_rows();
	check_random(1, 50);
	check_random(2, 3000);
	check_random(3, 60000);
	return check_done();
}
