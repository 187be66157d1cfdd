/* Flame charts: at each moment, the drawn frames are the stack of the line that covers that moment. */
#include <inttypes.h>
#include <stdlib.h>

#include "core/str.h"
#include "render/profile/profile.h"
#include "render/profile/tree.h"
#include "tests/unit/check.h"

enum { LINES = 300, DEPTH = 6 };

struct line {
	char names[DEPTH + 1]; /* each frame one letter, root first */
	uint64_t value;
};

static uint32_t random_state;

static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 1664525 + 1013904223;
	return (random_state >> 8) % n;
}

/* Neighbours often share frames; some lines have none. */
static void make_lines(struct line *lines)
{
	char stack[DEPTH + 1] = "";
	size_t len = 0;

	for (int i = 0; i < LINES; i++) {
		len = random_below((uint32_t)len + 1);
		while (len < DEPTH && random_below(3))
			stack[len++] = (char)('a' + random_below(3));
		stack[len] = '\0';
		memcpy(lines[i].names, stack, sizeof(stack));
		lines[i].value = random_below(9) ? random_below(7) + 1 : random_below(5000) + 1;
	}
}

static const char *write_lines(const struct line *lines)
{
	static char path[200];
	FILE *f;

	snprintf(path, sizeof(path), "%s/chart.folded", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	f = fopen(path, "w");
	for (int i = 0; i < LINES; i++) {
		for (const char *name = lines[i].names; *name; name++)
			fprintf(f, "%s%c", name > lines[i].names ? ";" : "", *name);
		fprintf(f, " %" PRIu64 "\n", lines[i].value);
	}
	fclose(f);
	return path;
}

static void read_chart(struct profile *p, const char *path, bool reverse)
{
	struct profile_filter filter = { .chart = true, .reverse = reverse };

	*p = (struct profile){ 0 };
	profile_read(p, path, &filter);
	profile_chart(p);
}

/* The child of frame i that covers the moment; 0: none. */
static uint32_t child_at(const struct tree *t, uint32_t i, uint64_t moment)
{
	for (uint32_t c = i + 1; c < t->frames[i].end; c = t->frames[c].end) {
		if (moment >= t->frames[c].start && moment < t->frames[c].start + t->frames[c].total)
			return c;
	}
	return 0;
}

/* Is the line's stack drawn from start to end - 1? */
static int line_is_there(const struct profile *p, const struct tree *t, const struct line *line, uint64_t start,
			 uint64_t end, bool reverse)
{
	size_t len = strlen(line->names);
	uint32_t at = 0;

	for (size_t i = 0; i < len; i++) {
		const char *name;

		at = child_at(t, at, start);
		if (!at || t->frames[at].start + t->frames[at].total < end)
			return 0;
		name = intern_text(&p->names, t->frames[at].name);
		if (name[0] != line->names[reverse ? len - 1 - i : i] || name[1])
			return 0;
	}
	return !child_at(t, at, start) && !child_at(t, at, end - 1);
}

static int is_exact(const struct profile *p, const struct tree *t, const struct line *lines, bool reverse)
{
	uint64_t start = 0;
	int right = 1;

	for (int i = 0; i < LINES; i++) {
		right &= line_is_there(p, t, &lines[i], start, start + lines[i].value, reverse);
		start += lines[i].value;
	}
	return right && t->frames[0].total == start && p->total == start;
}

/* Children lie within their parent, one after the other, with gaps between them. */
static int is_sound(const struct tree *t)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		const struct frame *f = &t->frames[i];
		uint64_t next = f->start, gaps = 0;

		for (uint32_t c = i + 1; c < f->end; c = t->frames[c].end) {
			if (t->frames[c].start != next + tree_gap(t, c) || t->frames[c].parent != i)
				return 0;
			gaps += tree_gap(t, c);
			next = t->frames[c].start + t->frames[c].total;
		}
		if (next > f->start + f->total || gaps > tree_self(t, i))
			return 0;
		sum += tree_self(t, i);
	}
	return sum == t->frames[0].total;
}

/* Kept and folded frames add up to all frames, whatever is kept; gaps are never folded. */
static int folds_are_right(const struct profile *p, const struct tree *all, uint32_t *folds)
{
	struct tree_wish wish = { .detail_bytes = 0 };
	uint64_t frames;
	struct tree t;
	int right = 1;

	for (wish.detail_bytes = 200; wish.detail_bytes < 4000; wish.detail_bytes += 300) {
		tree_build_as(&t, p, &wish);
		frames = t.count - t.fold_count + t.folded;
		right &= is_sound(&t) && frames == all->count && t.frames[0].total == p->total;
		right &= tree_self(&t, 0) == tree_self(all, 0);
		*folds += t.fold_count;
		tree_free(&t);
	}
	return right;
}

static void check_random(void)
{
	int exact = 1, exact_reversed = 1, sound = 1, folded = 1;
	struct line lines[LINES];
	uint32_t folds = 0, gaps = 0;

	for (uint32_t seed = 1; seed <= 100; seed++) {
		bool reverse = seed % 2;
		struct profile p;
		struct tree t;

		random_state = seed;
		make_lines(lines);
		read_chart(&p, write_lines(lines), reverse);
		tree_build(&t, &p);
		*(reverse ? &exact_reversed : &exact) &= is_exact(&p, &t, lines, reverse);
		sound &= is_sound(&t);
		for (uint32_t i = 1; i < t.count; i++)
			gaps += tree_gap(&t, i) > 0;
		folded &= folds_are_right(&p, &t, &folds);
		tree_free(&t);
		profile_free(&p);
	}
	CHECK(exact);
	CHECK(exact_reversed);
	CHECK(sound);
	CHECK(folded);
	CHECK(folds > 1000);
	CHECK(gaps > 1000);
}

/* "a [0, 3], b [1, 2]" */
static const char *places_of(const char *text, bool reverse)
{
	static struct str out;
	char path[200];
	struct profile p;
	struct tree t;
	FILE *f;

	snprintf(path, sizeof(path), "%s/places.folded", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	f = fopen(path, "w");
	fputs(text, f);
	fclose(f);
	read_chart(&p, path, reverse);
	tree_build(&t, &p);
	str_clear(&out);
	for (uint32_t i = 1; i < t.count; i++)
		str_addf(&out, "%s%s [%" PRIu64 ", %" PRIu64 "]", i > 1 ? ", " : "",
			 intern_text(&p.names, t.frames[i].name), t.frames[i].start,
			 t.frames[i].start + t.frames[i].total);
	tree_free(&t);
	profile_free(&p);
	return str_text(&out);
}

static void check_places(void)
{
	static const struct {
		const char *lines, *places, *reversed;
	} cases[] = {
		{ "a 1\na;b 1\na 1\n", "a [0, 3], b [1, 2]", "a [0, 1], b [1, 2], a [1, 2], a [2, 3]" },
		{ "a;b 1\na 2\na;b 4\n", "a [0, 7], b [0, 1], b [3, 7]",
		  "b [0, 1], a [0, 1], a [1, 3], b [3, 7], a [3, 7]" },
		{ " 2\na 1\n 1\nb 3\n 5\n", "a [2, 3], b [4, 7]", "a [2, 3], b [4, 7]" },
		{ "a;b;c 1\na 1\na;b 1\na;b;c 1\nd 1\n", "a [0, 4], b [0, 1], c [0, 1], b [2, 4], c [3, 4], d [4, 5]",
		  "c [0, 1], b [0, 1], a [0, 1], a [1, 2], b [2, 3], a [2, 3], c [3, 4], b [3, 4], a [3, 4], "
		  "d [4, 5]" },
		/* repeating a line makes no gap, and splits none */
		{ "a 1\na 2\na;b 3\na;b 4\n", "a [0, 10], b [3, 10]", "a [0, 3], b [3, 10], a [3, 10]" },
		{ "x;a 1\na 1\ny;a 1\n", "x [0, 1], a [0, 1], a [1, 2], y [2, 3], a [2, 3]",
		  "a [0, 3], x [0, 1], y [2, 3]" },
		{ "@3 a 1\n@1 a 1\n@2 a;b 1\n", "a [0, 3], b [1, 2]", "a [0, 1], b [1, 2], a [1, 2], a [2, 3]" },
		{ "a 0.5\na;b 1\n", "a [0, 15], b [5, 15]", "a [0, 5], b [5, 15], a [5, 15]" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CHECK_TEXT(places_of(cases[i].lines, false), cases[i].places);
		CHECK_TEXT(places_of(cases[i].lines, true), cases[i].reversed);
	}
}

int main(void)
{
	check_places();
	check_random();
	return check_done();
}
