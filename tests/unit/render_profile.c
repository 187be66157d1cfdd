/* Reading folded lines: values, comments, merging, order. */
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/str.h"
#include "render/profile/profile.h"
#include "render/profile/sample.h"
#include "render/profile/tree.h"
#include "tests/unit/check.h"

static char *write_file(const char *text, size_t len)
{
	static char path[200];
	FILE *f;

	snprintf(path, sizeof(path), "%s/profile.folded", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	f = fopen(path, "w");
	fwrite(text, 1, len, f);
	fclose(f);
	return path;
}

static void read_as(struct profile *p, const char *text, size_t len, const struct profile_filter *filter)
{
	FILE *saved = stderr;

	*p = (struct profile){ 0 };
	stderr = fopen("/dev/null", "w"); /* messages about bad lines */
	profile_read(p, write_file(text, len), filter);
	fclose(stderr);
	stderr = saved;
}

static void read_text(struct profile *p, const char *text, size_t len, bool reverse)
{
	struct profile_filter filter = { .reverse = reverse };

	read_as(p, text, len, &filter);
}

/* The tree as text: "all 10(main 10(read 3 write 4))". */
static void add_tree(struct str *out, const struct profile *p, const struct tree *t, uint32_t i)
{
	str_add(out, intern_text(&p->names, t->frames[i].name), intern_len(&p->names, t->frames[i].name));
	str_addf(out, " %" PRIu64, t->frames[i].total);
	if (t->frames[i].end == i + 1)
		return;
	str_addc(out, '(');
	for (uint32_t c = i + 1; c < t->frames[i].end; c = t->frames[c].end) {
		if (c > i + 1)
			str_addc(out, ' ');
		add_tree(out, p, t, c);
	}
	str_addc(out, ')');
}

static const char *tree_of(const char *text, bool reverse)
{
	static struct str out;
	struct profile p;
	struct tree t;

	str_clear(&out);
	read_text(&p, text, strlen(text), reverse);
	tree_build(&t, &p);
	if (t.count)
		add_tree(&out, &p, &t, 0);
	tree_free(&t);
	profile_free(&p);
	return str_text(&out);
}

/* The same in order of time. */
static const char *chart_of(const char *text, bool reverse)
{
	static struct str out;
	struct profile_filter filter = { .reverse = reverse, .chart = true };
	struct profile p;
	struct tree t;

	str_clear(&out);
	read_as(&p, text, strlen(text), &filter);
	profile_chart(&p);
	tree_build(&t, &p);
	if (t.count)
		add_tree(&out, &p, &t, 0);
	tree_free(&t);
	profile_free(&p);
	return str_text(&out);
}

static void check_charts(void)
{
	static const struct {
		const char *text, *tree;
	} cases[] = {
		{ "b 1\na 2\nb 3\n", "all 6(b 1 a 2 b 3)" },
		{ "m;r 1\nm;w 2\nm;w 3\nm;r 4\nn 5\nm 1\n", "all 16(m 10(r 1 w 5 r 4) n 5 m 1)" },
		/* a prefix of the stack before continues with the same frame */
		{ "a;b;c 1\na;b 2\na;b;d;e 3\na 4\n", "all 10(a 10(b 6(c 1 d 3(e 3))))" },
		{ "a;b;c 1\nx 1\na;b;c 1\na;b;c;d 1\n", "all 4(a 1(b 1(c 1)) x 1 a 2(b 2(c 2(d 1))))" },
		/* times out of order; equal times, and lines without a time, keep their order */
		{ "@3 c 1\n@1 a 2\nk 5\n@1.000000000 b 3\n@2 a 4\n", "all 15(a 2 k 5 b 3 a 4 c 1)" },
		{ "a 0\n", "" },
		{ " 5\na 1\n 6\na 2\n", "all 14(a 1 a 2)" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CHECK_TEXT(chart_of(cases[i].text, false), cases[i].tree);
	CHECK_TEXT(chart_of("m;r 1\nm;r 1\nm;w 2\nm;r 4\n", true), "all 8(r 2(m 2) w 2(m 2) r 4(m 4))");
}

static void check_trees(void)
{
	static const struct {
		const char *text, *tree;
	} cases[] = {
		{ "main;read 3\nmain;write 4\nmain 1\n", "all 8(main 8(read 3 write 4))" },
		/* siblings that sort before ';' do not split their neighbour */
		{ "main;foo 10\nmain;foo.part.0;x 20\nmain;foo;bar 30\n",
		  "all 60(main 60(foo 40(bar 30) foo.part.0 20(x 20)))" },
		{ "b 1\r\na 2\r\nb 3\r\n", "all 6(a 2 b 4)" },
		{ "@12.5 a;b 1\n@13.000000001 a;b 2\n", "all 3(a 3(b 3))" },
		{ "@home a 1\n", "all 1(@home a 1)" },
		{ "# a comment 5\n#\n\na 1\n#b 2\n", "all 3(#b 2 a 1)" },
		{ " 5\na 1\n", "all 6(a 1)" },
		{ "a; 5\na;; 2\na;;b 1\n;c 4\n", "all 12( 4(c 4) a 8( 1(b 1)))" },
		/* blanks after the last ';', except the one that separates the value, are a frame */
		{ "a;b;  3\na;b; 1\n;  2\n", "all 6( 2(  2) a 4(b 4(  3)))" },
		{ "a;   3 4\na   2\n", "all 6(a 6(   3 4))" },
		{ "a b;c d 2\n", "all 2(a b 2(c d 2))" },
		{ "a 1.5\nb 2.25\na 1\n", "all 475(a 250 b 225)" },
		{ "a 1.50\na 2.\n", "all 35(a 35)" },
		{ "a 0.00000000049\nb 0.0000000005\n", "all 1(b 1)" },
		{ "a 3 7\n", "all 7(a 7)" },
		{ "a 0\nb 0.0\n", "" },
		{ "a -1\nb 1e3\nc 0x10\n5\nd\na 18446744073709551616\n", "" },
		{ "a 18446744073709551614\na 2\nb 0.1\n", "all 18446744073709551614(a 18446744073709551614)" },
		{ "b_[j] 1\nb 2\nb_[k] 3\nb! 4\n", "all 10(b 2 b_[j] 1 b_[k] 3 b! 4)" },
		/* an empty stack differs from a stack with an empty frame */
		{ ";b 1\n 2\n", "all 3( 1(b 1))" },
		{ "\xef\xbb\xbf"
		  "a 1\n \t \n\na 2\n",
		  "all 3(a 3)" },
		{ "a ... 1\n...;b 2\nall 4\n", "all 7(... 2(b 2) a ... 1 all 4)" },
		{ "ab;c 1\na;bc 2\nab;c;d 4\nab 8\n", "all 15(a 2(bc 2) ab 13(c 5(d 4)))" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CHECK_TEXT(tree_of(cases[i].text, false), cases[i].tree);
	CHECK_TEXT(tree_of("main;read 3\nmain;copy;read 4\n", true), "all 7(read 7(copy 4(main 4) main 3))");
}

/* The next permutation of order[0..count), beginning with the ascending one; false after the last. */
static bool permute(int *order, int count)
{
	int i = count - 2, k = count - 1;

	while (i >= 0 && order[i] > order[i + 1])
		i--;
	if (i < 0)
		return false;
	while (order[k] < order[i])
		k--;
	for (int from = i, to = k;; from++, to = count + i - from) {
		int old = order[from];

		if (from >= to)
			return true;
		order[from] = order[to];
		order[to] = old;
	}
}

/* Lines in any order give the same tree, whichever of them can be added without a search. */
static void check_orders(void)
{
	static const char *const lines[] = { "a 1\n", "a;b 2\n", "a;b;c 4\n", "a.b;c 8\n", "a b;c 16\n", "a;b 32\n" };
	enum { COUNT = sizeof(lines) / sizeof(*lines) };
	int order[COUNT], tried = 0;
	struct str text = { 0 };

	for (int i = 0; i < COUNT; i++)
		order[i] = i;
	do {
		str_clear(&text);
		for (int i = 0; i < COUNT; i++)
			str_puts(&text, lines[order[i]]);
		CHECK_TEXT(tree_of(text.buf, false), "all 63(a 39(b 38(c 4)) a b 16(c 16) a.b 8(c 8))");
		tried++;
	} while (permute(order, COUNT));
	CHECK(tried == 720);
	str_free(&text);
}

static void check_counts(void)
{
	static const char text[] = "a 1\nbad\nx y\n\n# c\nb 2 3\nn\0ul\xff;b 1\n";
	struct profile p;

	read_text(&p, text, sizeof(text) - 1, false);
	CHECK(p.lines == 5);
	CHECK(p.bad_lines == 2);
	CHECK(!p.two_value_lines); /* "b 2" is a frame, because other lines have one value */
	CHECK(p.total == 5);
	CHECK(intern_find(&p.names, "n\0ul\xff", 5) != UINT32_MAX);
	profile_free(&p);
	profile_free(&p);
}

/* Reading goes on after profile_close(). */
static void check_close(void)
{
	static const char text[] = "a;b 1\na;c 2\na 4\n";
	struct profile_filter all = { 0 };
	struct profile p;

	read_as(&p, text, sizeof(text) - 1, &all);
	profile_close(&p);
	CHECK(profile_read(&p, write_file(text, sizeof(text) - 1), &all) == 0);
	CHECK(p.count == 4 && p.stack_count == 4 && p.total == 14);
	profile_free(&p);
}

/* Deep and long: no recursion, no limit. */
static void check_extremes(void)
{
	enum { DEPTH = 100000 };
	struct str text = { 0 };
	struct profile p;
	struct tree t;

	for (int i = 0; i < DEPTH; i++)
		str_puts(&text, i ? ";f" : "f");
	str_puts(&text, " 1\n");
	for (int i = 0; i < 1000000; i++)
		str_addc(&text, 'n');
	str_puts(&text, " 2\n");
	read_text(&p, text.buf, text.len, false);
	tree_build(&t, &p);
	CHECK(t.count == DEPTH + 2);
	CHECK(tree_levels(&t, 0) == DEPTH + 1);
	CHECK(t.frames[0].total == 3);
	tree_free(&t);
	profile_free(&p);
	str_free(&text);
}

int main(void)
{
	check_trees();
	check_orders();
	check_charts();
	check_counts();
	check_close();
	check_extremes();
	return check_done();
}
