/* Random profiles, compared with a model that is too simple to be wrong: every frame's total, self and layers, both
 * with everything drawn, and with the narrowest frames folded. */
#include <inttypes.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/str.h"
#include "render/profile/profile.h"
#include "render/profile/tree.h"
#include "tests/unit/check.h"

enum { LINES = 400, DEPTH = 7, PATHS_MAX = LINES * DEPTH + 1 };

/* "a.", "a!" and "a;" sort around each other; "" and "..." are names, too. */
static const char *const names[] = { "a", "a.", "a!", "a_[k]", "ab", "a.x", "", "...", "all", "z" };

struct path {
	struct str text;            /* "a;b;": frames, each followed by ';' */
	uint64_t total[2], self[2]; /* by column */
};

struct model {
	struct path paths[PATHS_MAX]; /* [0]: the root, "" */
	size_t count;
};

static uint32_t random_state;

static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 1664525 + 1013904223;
	return (random_state >> 8) % n;
}

static struct path *path_called(struct model *m, const char *text, size_t len)
{
	for (size_t i = 0; i < m->count; i++) {
		if (m->paths[i].text.len == len && !memcmp(str_text(&m->paths[i].text), text, len))
			return &m->paths[i];
	}
	str_add(&m->paths[m->count].text, text, len);
	return &m->paths[m->count++];
}

static void count_line(struct model *m, const struct str *stack, const uint64_t *value)
{
	for (size_t end = 0; end <= stack->len; end++) {
		struct path *path;

		if (end && stack->buf[end - 1] != ';')
			continue;
		path = path_called(m, str_text(stack), end);
		for (int c = 0; c < 2; c++) {
			path->total[c] += value[c];
			path->self[c] += end == stack->len ? value[c] : 0;
		}
	}
}

/* Add one line; often its stack begins like the one before. */
static void add_line(struct str *out, struct model *m, struct str *stack, bool columns)
{
	uint32_t keep = random_below((uint32_t)stack->len + 1), frames = random_below(DEPTH - 1) + 1;
	uint64_t value[2] = { columns ? random_below(9) : 0, random_below(5) ? random_below(60) : 0 };

	while (keep && stack->buf[keep - 1] != ';')
		keep--;
	stack->len = keep;
	for (size_t i = 0; i < keep; i++)
		frames -= frames > 1 && stack->buf[i] == ';';
	while (frames-- && stack->len < 40) {
		str_puts(stack, names[random_below(sizeof(names) / sizeof(names[0]))]);
		str_addc(stack, ';');
	}
	while (stack->len && stack->buf[stack->len - 1] == ';' &&
	       (stack->len == 1 || stack->buf[stack->len - 2] == ';'))
		stack->len--; /* empty frames at the end are none */
	str_add(out, str_text(stack), stack->len ? stack->len - 1 : 0);
	if (columns)
		str_addf(out, " %" PRIu64, value[0]);
	str_addf(out, " %" PRIu64 "\n", value[1]);
	if (value[0] || value[1])
		count_line(m, stack, value);
}

static void read_random(struct profile *p, struct model *m, bool columns)
{
	struct profile_filter filter = { .layering = LAYERING_COLUMNS };
	struct str text = { 0 }, stack = { 0 };
	char path[200];
	FILE *f;

	memset(m, 0, sizeof(*m));
	path_called(m, "", 0);
	for (int i = 0; i < LINES; i++)
		add_line(&text, m, &stack, columns);
	snprintf(path, sizeof(path), "%s/tree.folded", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	f = fopen(path, "w");
	fwrite(text.buf, 1, text.len, f);
	fclose(f);
	*p = (struct profile){ 0 };
	profile_read(p, path, &filter);
	str_free(&text);
	str_free(&stack);
}

/* The path of frame i in the notation of the model. */
static void add_path(struct str *out, const struct profile *p, const struct tree *t, uint32_t i)
{
	if (!i)
		return;
	add_path(out, p, t, t->frames[i].parent);
	str_add(out, intern_text(&p->names, t->frames[i].name), intern_len(&p->names, t->frames[i].name));
	str_addc(out, ';');
}

static int frame_is_right(const struct profile *p, const struct tree *t, struct model *m, uint32_t i,
			  uint64_t *const *layers)
{
	struct str text = { 0 };
	const struct path *path;
	uint64_t children = 0;
	int right;

	add_path(&text, p, t, i);
	path = path_called(m, str_text(&text), text.len);
	for (uint32_t c = i + 1; c < t->frames[i].end; c = t->frames[c].end) {
		if (t->frames[c].parent != i || t->frames[c].depth != t->frames[i].depth + 1 ||
		    t->frames[c].start != t->frames[i].start + children)
			return 0;
		children += t->frames[c].total;
	}
	right = t->frames[i].total && children + tree_self(t, i) == t->frames[i].total;
	if (p->layer_count) /* the union: the larger value of each stack, at least as wide as either side */
		right &= layers[0][i] == path->total[0] && layers[1][i] == path->total[1] &&
			 t->frames[i].total >= path->total[0] && t->frames[i].total >= path->total[1] &&
			 t->frames[i].total <= path->total[0] + path->total[1];
	else
		right &= t->frames[i].total == path->total[1] && tree_self(t, i) == path->self[1];
	str_free(&text);
	return right;
}

static int order_is_right(const struct tree *t, enum tree_order order)
{
	for (uint32_t i = 1; i < t->count && order == ORDER_WIDTH; i++) {
		uint32_t next = t->frames[i].end;

		if (next < t->count && t->frames[next].parent == t->frames[i].parent &&
		    t->frames[next].name != PROFILE_FOLDED_NAME && t->frames[next].total > t->frames[i].total)
			return 0;
	}
	return 1;
}

static int tree_is_right(const struct profile *p, struct model *m, const struct tree_wish *wish, uint32_t *fold_count)
{
	uint64_t *layers[2] = { 0 }, frames = 0, width = 0;
	size_t paths = m->count;
	struct tree t;
	int right = 1;

	tree_build_as(&t, p, wish);
	for (uint32_t layer = 0; layer < p->layer_count; layer++)
		layers[layer] = tree_layer_totals(&t, layer);
	for (uint32_t i = 0; i < t.count; i++) {
		uint32_t folded = tree_folded(&t, i);

		frames += folded ? folded : 1;
		width += tree_self(&t, i);
		right &= folded ? t.frames[i].end == i + 1 : frame_is_right(p, &t, m, i, layers);
	}
	for (uint32_t i = 1; i < t.count && wish->keep_first; i = t.frames[i].end)
		right &= !tree_folded(&t, i);
	right &= frames == paths && m->count == paths && width == p->total && order_is_right(&t, wish->order);
	right &= t.folded == tree_folded_below(&t, 0) && (!t.folded || t.least > 1);
	*fold_count += t.fold_count;
	tree_free(&t);
	free(layers[0]);
	free(layers[1]);
	return right;
}

static void check_random(bool columns)
{
	static struct model m;
	uint32_t folds_of_all = 0, folds = 0;
	int right = 1, right_by_width = 1, right_folded = 1;

	for (uint32_t seed = 1; seed <= 60; seed++) {
		struct tree_wish all = { 0 }, by_width = { .order = ORDER_WIDTH, .arrival = true };
		struct tree_wish folded = { .detail_bytes = 300 + 60 * seed,
					    .order = seed % 3,
					    .keep_first = seed & 1 };
		struct profile p;

		random_state = seed;
		read_random(&p, &m, columns);
		profile_combine(&p, COMBINE_MAX, NULL, 0);
		right &= tree_is_right(&p, &m, &all, &folds_of_all);
		right_by_width &= tree_is_right(&p, &m, &by_width, &folds_of_all);
		right_folded &= tree_is_right(&p, &m, &folded, &folds);
		profile_free(&p);
		for (size_t i = 0; i < m.count; i++)
			str_free(&m.paths[i].text);
	}
	CHECK(right);
	CHECK(right_by_width);
	CHECK(right_folded);
	CHECK(folds_of_all == 0);
	CHECK(folds > 1000);
}

int main(void)
{
	check_random(false);
	check_random(true);
	return check_done();
}
