/* Folded lines as rows of bars. */
#include "render/bars/bars.h"

#include <stdlib.h>
#include <unistd.h>

#include "render/bars/bars_text.h"
#include "render/bars/chart.h"
#include "tests/unit/check.h"

static char path[] = "/tmp/bars-test-XXXXXX";

static void read_text(struct bars *b, const struct bars_wish *wish, const char *text)
{
	FILE *f = fopen(path, "w");

	fputs(text, f);
	fclose(f);
	CHECK(bars_read(b, path, wish) == 0);
}

static const struct bars_segment *find(const struct bars *b, const char *row, const char *kind, const char *by)
{
	for (size_t i = 0; i < b->segment_count; i++) {
		const struct bars_segment *s = &b->segments[i];
		const char *has_by = s->by == BARS_NOBODY ? "-" : intern_text(&b->names, s->by);

		if (!strcmp(intern_text(&b->names, b->rows[s->row].name), row) && !strcmp(has_by, by) &&
		    !strcmp(intern_text(&b->names, b->kinds[s->kind].name), kind))
			return s;
	}
	return NULL;
}

static bool is(const struct bars_segment *s, uint64_t value, uint64_t count, uint64_t longest)
{
	return s && s->amount.value == value && s->amount.count == count && s->amount.longest == longest;
}

static bool waits(const char *kind, size_t len)
{
	return len == 4 && !memcmp(kind, "wait", 4);
}

static const struct bars_wish wish = { .kind = "state",
				       .by = "by",
				       .unsaid = "thread,state,by",
				       .collapse = "",
				       .verb = "states",
				       .has_by = waits,
				       .spans = true };

static void test_names(void)
{
	static const struct {
		const char *name, *shown;
	} cases[] = {
		{ "spin-4711/spin", "spin-4711" },
		{ "spin-4711/spin2", "spin-4711/spin2" },
		{ "spin-4711/4711", "spin-4711/4711" },
		{ "spin-4711/spin-4711", "spin-4711" },
		{ "spin-4711/spin-4712", "spin-4711/spin-4712" },
		{ "kworker/1:2-77/kworker/1:2", "kworker/1:2-77" },
		{ "a-b-1/a-b", "a-b-1" },
		{ "a-/a", "a-/a" },
		{ "/", "/" },
		{ "", "" },
		{ "-1/", "-1/" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t len = strlen(cases[i].name);
		char shown[64] = "";

		memcpy(shown, cases[i].name, bars_shown_len(cases[i].name, len));
		CHECK_TEXT(shown, cases[i].shown);
	}
}

static void test_order(void)
{
	static const char *const sorted[] = { "a",
					      "a-2",
					      "a-02",
					      "a-10",
					      "a-10b",
					      "ab",
					      "b9",
					      "b10",
					      "b99999999999999999999998",
					      "b99999999999999999999999" };
	struct bars b = { 0 };

	for (size_t i = 0; i < sizeof(sorted) / sizeof(sorted[0]); i++)
		intern_add(&b.names, sorted[i], strlen(sorted[i]));
	for (uint32_t i = 0; i < b.names.count; i++) {
		for (uint32_t k = 0; k < b.names.count; k++) {
			int order = bars_compare_names(&b, i, k);

			/* "a-2" and "a-02" are one number, but two names */
			if (i + k == 3 && i && k)
				continue;
			if (i < k ? order >= 0 : i > k ? order <= 0 : order)
				printf("not ok - %s and %s\n", sorted[i], sorted[k]);
		}
	}
	CHECK((bars_compare_names(&b, 1, 2) < 0) == (bars_compare_names(&b, 2, 1) > 0));
	bars_free(&b);
}

static void test_columns(void)
{
	struct bars_folding none = { 0 };
	struct bars b = { 0 };

	read_text(&b, &wish,
		  "# pyrograph: root=host,state,thread,by columns=time,longest,other,count unit=ns\n"
		  "h;wait;t;u;stack 10 7 99 2\n"
		  "h;wait;t;u;another 5.5 2 99 1\n"
		  "h;run;t;stack 4 4 99 3\n"
		  "@12.5 h;run;t;stack 4 4 99 3\n"
		  "h;run 4 4 99 3\n"
		  "# pyrograph: unit=ns\n"
		  "x;run 3\n");
	bars_group(&b, &none);
	CHECK(b.decimals == 1 && b.timed && b.lines == 6);
	CHECK(b.has_count && b.has_longest && !b.has_migrations);
	CHECK(is(find(&b, "h;t", "wait", "u"), 155, 3, 70));
	CHECK(is(find(&b, "h;t", "run", "-"), 80, 6, 40));
	CHECK(is(find(&b, "h", "run", "-"), 40, 3, 40)); /* a thread without a name */
	CHECK(is(find(&b, "x", "run", "-"), 30, 0, 0));
	CHECK(b.amount.value == 305 && b.amount.count == 12 && b.amount.longest == 70);
	CHECK_TEXT(str_text(&b.roots), "host,thread,state,by");
	CHECK(b.span_count == 1 && b.spans[0].time_ns == 12500000000 && b.spans[0].value == 40);
	CHECK(bars_window(&b) == 235);
	bars_free(&b);
}

static void test_folding(void)
{
	const char *texts[] = { "^GC|^Sweep" };
	struct regexp *patterns[] = { regexp_compile(texts[0], "--fold") };
	struct bars_folding folding = { .pools = true, .patterns = patterns, .texts = texts, .pattern_count = 1 };
	struct bars b = { 0 };
	struct str name = { 0 };
	const struct bars_segment *s;

	read_text(&b, &wish,
		  "w-1;wait;w-2 1\nw-2;run 2\nw-10;run 4\nGC;run 8\nSweep;wait;w-1 16\nx-1;run 32\n"
		  "y;wait;lone-7 64\n");
	bars_group(&b, &folding);
	CHECK(is(find(&b, "w-*", "wait", "w-*"), 1, 0, 0));
	CHECK(is(find(&b, "^GC|^Sweep", "wait", "w-*"), 16, 0, 0)); /* names share nothing */
	CHECK(is(find(&b, "x-1", "run", "-"), 32, 0, 0));
	CHECK(is(find(&b, "y", "wait", "lone-7"), 64, 0, 0));
	s = find(&b, "w-*", "run", "-");
	CHECK(is(s, 6, 0, 0) && b.rows[s->row].members == 3);
	bars_row_name(&name, &b, &b.rows[s->row]);
	CHECK_TEXT(name.buf, "w-* \xc3\x97"
			     "3");
	CHECK(bars_members(&b, 0) == 7 && b.row_count == 4);
	bars_group(&b, &(struct bars_folding){ 0 }); /* again, otherwise */
	CHECK(b.row_count == 7 && is(find(&b, "w-2", "run", "-"), 2, 0, 0));
	str_free(&name);
	regexp_free(patterns[0]);
	bars_free(&b);
}

static void test_texts(void)
{
	struct str text = { 0 };

	percentage_add(&text, 1, 100000);
	percentage_add(&text, 99999, 100000);
	percentage_add(&text, 5, 5);
	percentage_add(&text, 0, 0);
	percentage_add(&text, 498, 1000);
	CHECK_TEXT(text.buf, "under 0.01 %over 99.9 %100 %0 %49.8 %");
	str_free(&text);
}

/* A step for each power of ten, in ns from 1 us on; a value at a limit belongs to the step that begins there. */
static void test_steps(void)
{
	static const struct {
		uint64_t longest;
		size_t step;
		const char *text;
	} cases[] = {
		{ 0, 0, "under 1 \xc2\xb5s" },
		{ 999, 0, "under 1 \xc2\xb5s" },
		{ 1000, 1, "1 \xc2\xb5s to 10 \xc2\xb5s" },
		{ 999999, 3, "100 \xc2\xb5s to 1 ms" },
		{ 1000000, 4, "1 ms to 10 ms" },
		{ 999999999, 6, "100 ms to 1 s" },
		{ 1000000000, 7, "1 s or more" },
		{ UINT64_MAX, 7, "1 s or more" },
	};
	struct bars b = { 0 };
	struct str text = { 0 };

	read_text(&b, &wish, "# pyrograph: root=thread,state columns=time,longest unit=ns\na;run 9 5\n");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		str_clear(&text);
		bars_step_add(&text, &b, bars_step(&b, cases[i].longest));
		CHECK(bars_step(&b, cases[i].longest) == cases[i].step);
		CHECK_TEXT(text.buf, cases[i].text);
	}
	for (size_t i = 0; i < BARS_STEPS; i++) {
		for (size_t k = 0; k < i; k++)
			CHECK(bars_step_rgb(i, false) != bars_step_rgb(k, false) &&
			      bars_step_rgb(i, true) != bars_step_rgb(k, true));
	}

	/* the lines have such a column, but no kind uses it until the chart says so */
	bars_group(&b, &(struct bars_folding){ 0 });
	CHECK(!bars_have_steps(&b));
	b.kinds[0].graded = true;
	CHECK(bars_have_steps(&b));
	b.has_longest = false;
	CHECK(!bars_have_steps(&b));
	bars_free(&b);

	/* fractions of another unit */
	read_text(&b, &wish, "# pyrograph: root=thread,state columns=bytes,longest unit=bytes\na;run 9.5 5.25\n");
	CHECK(bars_step(&b, 999) == 0 && bars_step(&b, 1000) == 1 && bars_step(&b, 10000) == 2);
	bars_free(&b);
	str_free(&text);
}

int main(void)
{
	close(mkstemp(path));
	test_names();
	test_order();
	test_columns();
	test_folding();
	test_texts();
	test_steps();
	unlink(path);
	return check_done();
}
