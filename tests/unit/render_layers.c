/* Profiles with several values a stack: which value goes to which layer, and that every layer adds up. */
#include <inttypes.h>
#include <stdlib.h>

#include "core/str.h"
#include "render/profile/profile.h"
#include "render/profile/tree.h"
#include "tests/unit/check.h"

static void read_text(struct profile *p, const char *text, const struct profile_filter *filter)
{
	char path[200];
	FILE *f;

	snprintf(path, sizeof(path), "%s/layers.folded", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	f = fopen(path, "w");
	fputs(text, f);
	fclose(f);
	profile_read(p, path, filter);
}

static uint64_t **all_totals(const struct profile *p, const struct tree *t)
{
	uint64_t **totals = calloc(p->layer_count + 1, sizeof(*totals));

	for (uint32_t layer = 0; layer < p->layer_count; layer++)
		totals[layer] = tree_layer_totals(t, layer);
	return totals;
}

/* "all 9:4,5(a 9:4,5)": name, width, totals by layer. */
static void add_tree(struct str *out, const struct profile *p, const struct tree *t, uint64_t **totals, uint32_t i)
{
	str_addf(out, "%s %" PRIu64 ":", intern_text(&p->names, t->frames[i].name), t->frames[i].total);
	for (size_t layer = 0; layer < p->layer_count; layer++)
		str_addf(out, "%s%" PRIu64, layer ? "," : "", totals[layer][i]);
	if (t->frames[i].end == i + 1)
		return;
	str_addc(out, '(');
	for (uint32_t c = i + 1; c < t->frames[i].end; c = t->frames[c].end) {
		if (c > i + 1)
			str_addc(out, ' ');
		add_tree(out, p, t, totals, c);
	}
	str_addc(out, ')');
}

static const char *text_of(struct profile *p)
{
	static struct str out;
	struct tree t;
	uint64_t **totals;

	tree_build(&t, p);
	totals = all_totals(p, &t);
	str_clear(&out);
	for (size_t layer = 0; layer < p->layer_count; layer++)
		str_addf(&out, "%s=%" PRIu64 " ", p->layers[layer].name, p->layers[layer].total);
	if (t.count)
		add_tree(&out, p, &t, totals, 0);
	for (size_t layer = 0; layer < p->layer_count; layer++)
		free(totals[layer]);
	free(totals);
	tree_free(&t);
	profile_free(p);
	return str_text(&out);
}

static const char *read_and_combine(const char *text, const struct profile_filter *filter, enum profile_combine how,
				    uint32_t layer)
{
	struct profile p = { 0 };

	read_text(&p, text, filter);
	profile_combine(&p, how, NULL, layer);
	return text_of(&p);
}

#define COLUMNS "# pyrograph: columns=before,after\n"

static void check_columns(void)
{
	struct profile_filter f = { .layering = LAYERING_COLUMNS };

	CHECK_TEXT(read_and_combine(COLUMNS "a;b 3 5\na;c 4 0\na;b 1\nd 0 2.5\n", &f, COMBINE_MAX, 0),
		   "before=70 after=85 all 125:70,85(a 100:70,60(b 60:30,60 c 40:40,0) d 25:0,25)");
	CHECK_TEXT(read_and_combine(COLUMNS "x 7\na 1 2\nx 0 1\n", &f, COMBINE_MAX, 0),
		   "before=1 after=10 all 10:1,10(a 2:1,2 x 8:0,8)");
	CHECK_TEXT(read_and_combine("x 7\na 2\n", &f, COMBINE_MAX, 0), "all 9:(a 2: x 7:)");
	/* chosen layer: frames without a width there are counted with their parents */
	CHECK_TEXT(read_and_combine("a;b;c 4 0\na 1 5\n", &f, COMBINE_ONE, 1), "before=5 after=5 all 5:5,5(a 5:5,5)");
	f.layering = LAYERING_NONE;
	CHECK_TEXT(read_and_combine("a 1 2\n", &f, COMBINE_MAX, 0), "all 2:(a 2:)");
}

static void check_files(void)
{
	struct profile_filter f = { .layering = LAYERING_FILE };
	struct profile_scale scales[] = { { 1, 1 }, { 1, 2 }, { 3, 1 } };
	struct profile p = { 0 };

	read_text(&p, "a;b 10\na 1\n", &f);
	f.layer = 2;
	read_text(&p, "a;b 4\na;z 1\n", &f);
	f.layer = 1;
	read_text(&p, "a;n 1\na;b 1\nq 9\n", &f);
	profile_need_layers(&p, 1, "base");
	profile_need_layers(&p, 2, "one");
	profile_need_layers(&p, 3, "two");
	profile_combine(&p, COMBINE_MAX, scales, 0);
	/* n's width, half a unit, is rounded to nothing, so n is counted with a */
	CHECK(p.total == 20);
	CHECK_TEXT(text_of(&p), "base=11 one=11 two=5 "
				"all 20:11,11,5(a 16:11,2,5(b 12:10,1,4 z 3:0,0,1) q 4:0,9,0)");
}

static void check_time(void)
{
	struct profile_filter f = { .layering = LAYERING_TIME, .step_ns = 10000000000 };

	CHECK_TEXT(read_and_combine("@25 a 1\n@31.5 a;b 2\n@9.999999999 a 4\n@26 a 8\n", &f, COMBINE_SUM, 0),
		   "1970-01-01T00:00:00.000000000Z=4 1970-01-01T00:00:10.000000000Z=0 "
		   "1970-01-01T00:00:20.000000000Z=9 1970-01-01T00:00:30.000000000Z=2 "
		   "all 15:4,0,9,2(a 15:4,0,9,2(b 2:0,0,0,2))");
	f.start_ns = 25000000000;
	CHECK_TEXT(read_and_combine("@25 a 1\n@34.999999999 a 2\n@35 b 5\n@24 c 1\n", &f, COMBINE_SUM, 0),
		   "1970-01-01T00:00:15.000000000Z=1 1970-01-01T00:00:25.000000000Z=3 "
		   "1970-01-01T00:00:35.000000000Z=5 all 9:1,3,5(a 3:0,3,0 b 5:0,0,5 c 1:1,0,0)");
	f.start_ns = PROFILE_FIRST_TIME;
	CHECK_TEXT(read_and_combine("@26 a 1\n@35.999999999 a 2\n@36 b 5\n@24 c 1\n", &f, COMBINE_SUM, 0),
		   "1970-01-01T00:00:16.000000000Z=1 1970-01-01T00:00:26.000000000Z=3 "
		   "1970-01-01T00:00:36.000000000Z=5 all 9:1,3,5(a 3:0,3,0 b 5:0,0,5 c 1:1,0,0)");
}

static void check_bad_times(void)
{
	struct profile_filter f = { .layering = LAYERING_TIME, .step_ns = 10000000000 };
	struct profile p = { 0 };
	FILE *saved = stderr;

	stderr = fopen("/dev/null", "w");
	read_text(&p, "@1000000 a 1\na 2\n@99999999999999999999 a 4\n@2 a 8\n", &f);
	fclose(stderr);
	stderr = saved;
	CHECK(p.bad_lines == 3);
	CHECK_TEXT(text_of(&p), "1970-01-12T13:46:40.000000000Z=1 ");
}

/* The name of an event ends at a NUL, wherever the line ends. */
static int check_nul(const struct profile_filter *filter)
{
	static const char text[] = "cy\0cles;a 1\ncy\0;b 2\ncy 4\n";
	struct profile p = { 0 };
	char path[200];
	int good;
	FILE *f;

	snprintf(path, sizeof(path), "%s/layers.folded", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	f = fopen(path, "w");
	fwrite(text, 1, sizeof(text) - 1, f);
	fclose(f);
	profile_read(&p, path, filter);
	good = p.layer_count == 1 && p.layers[0].total == 7 && !strcmp(p.layers[0].name, "cy");
	profile_free(&p);
	return good;
}

static void check_events(void)
{
	struct profile_filter f = { .layering = LAYERING_FIRST_FRAME };

	CHECK_TEXT(read_and_combine("cycles;a;b 100\ninstructions;a;b 150\ncycles;a 1\n"
				    "instructions;z 7\ncycles 3\n",
				    &f, COMBINE_ONE, 0),
		   "cycles=104 instructions=157 all 104:104,157(a 101:101,150(b 100:100,150))");
	CHECK(check_nul(&f));
	f.layering = LAYERING_EVENT;
	CHECK_TEXT(read_and_combine("# pyrograph: event=cycles unit=events\na 5\n"
				    "# pyrograph: event=misses unit=events\na 2\nb 1\n",
				    &f, COMBINE_ONE, 0),
		   "cycles=5 misses=3 all 5:5,3(a 5:5,2)");
	/* several events in one header, none, and an event that is also a frame: --root event */
	CHECK_TEXT(read_and_combine("# pyrograph: event=cycles,misses unit=period\ncycles;a 5\n"
				    "misses;a;b 2\n",
				    &f, COMBINE_ONE, 0),
		   "cycles=5 misses=2 all 5:5,2(a 5:5,2)");
	CHECK_TEXT(read_and_combine("cycles;a 5\nmisses;a 2\n", &f, COMBINE_ONE, 0),
		   "cycles=5 misses=2 all 5:5,2(a 5:5,2)");
	CHECK_TEXT(read_and_combine("# pyrograph: event=cycles unit=period\ncycles;a 5\ncycles 1\n"
				    "cyclesque;a 2\n",
				    &f, COMBINE_ONE, 0),
		   "cycles=8 all 8:8(a 5:5 cyclesque 2:2(a 2:2))");
}

/* --base cuts the stack below the frame of the event. */
static void check_events_of_base(void)
{
	const char *items[] = { "b", "cycles" };
	struct text_list one = { items, 1, 1 }, both = { items, 2, 2 };
	struct profile_filter f = { .layering = LAYERING_FIRST_FRAME, .base = &one };
	static const char lines[] = "cycles;a;b;c 100\ninstructions;a;b 150\ncycles;a 1\nmisses;a 7\n";

	CHECK_TEXT(read_and_combine(lines, &f, COMBINE_ONE, 0),
		   "cycles=100 instructions=150 all 100:100,150(b 100:100,150(c 100:100,0))");
	f.layering = LAYERING_EVENT;
	CHECK_TEXT(read_and_combine(lines, &f, COMBINE_ONE, 0),
		   "cycles=100 instructions=150 all 100:100,150(b 100:100,150(c 100:100,0))");
	CHECK_TEXT(read_and_combine("# pyrograph: event=cycles unit=events\na;b 5\na 3\ncycles;x;b 2\n", &f,
				    COMBINE_ONE, 0),
		   "cycles=7 all 7:7(b 7:7)");
	/* the event's frame is one of the stack's */
	f.base = &both;
	CHECK_TEXT(read_and_combine(lines, &f, COMBINE_ONE, 0),
		   "cycles=101 instructions=150 all 101:101,150(a 1:1,0 b 100:100,150(c 100:100,0))");
}

/* Two files that are so large that they are read in parts, as two layers; a filter that passes everything makes them be
 * read in one part. */
static void check_large(void)
{
	struct regexp *any = regexp_compile(".", "any");
	struct profile_filter parts = { .layering = LAYERING_FILE }, whole = parts;
	struct profile p[2] = { 0 };
	struct str out = { 0 };
	char path[200];
	FILE *f;

	whole.lines.include = &any;
	whole.lines.include_count = 1;
	snprintf(path, sizeof(path), "%s/large.folded", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	for (uint32_t layer = 0; layer < 2; layer++) {
		f = fopen(path, "w");
		for (unsigned i = 0; i < 130000; i++)
			fprintf(f, "main;a_function_with_a_long_name_%u;another_of_them_%u;the_leaf_%u %u.%u\n",
				(i * 7919) % 100, (i * 31 + layer * 9) % 1013, i % 7, i % 50, layer && i > 9000);
		fclose(f);
		parts.layer = whole.layer = layer;
		CHECK(profile_read(&p[0], path, &parts) == 0 && profile_read(&p[1], path, &whole) == 0);
	}
	remove(path);
	for (int i = 0; i < 2; i++)
		CHECK(profile_combine(&p[i], COMBINE_MAX, NULL, 0) == 0 && p[i].layer_count == 2);
	CHECK(p[0].lines == 260000 && p[0].count == p[1].count && p[0].total == p[1].total);
	str_puts(&out, text_of(&p[0]));
	CHECK(out.len > 1000000 && !strcmp(out.buf, text_of(&p[1])));
	str_free(&out);
	regexp_free(any);
}

int main(void)
{
	check_columns();
	check_files();
	check_time();
	check_bad_times();
	check_events();
	check_events_of_base();
	check_large();
	return check_done();
}
