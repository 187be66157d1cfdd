/* Heat maps: lines become events, whatever the lines look like, and however they are divided. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/error.h"
#include "core/regexp.h"
#include "render/heat/heat.h"
#include "render/profile/line.h"
#include "render/profile/sample.h"
#include "tests/unit/check.h"
#include "tests/unit/sanitized.h"

static char path[64]; /* of a file in memory */

static void write_file(const char *text)
{
	FILE *out = fopen(path, "w");

	fputs(text, out);
	fclose(out);
}

static int read_lines(struct heat *h, const struct heat_filter *filter)
{
	*h = (struct heat){ 0 };
	if (heat_read(h, path, filter) < 0)
		return -1;
	return heat_finish(h, filter);
}

/* All events as text, "time stack value", then the lines that were not accepted. */
static const char *text_of(const struct heat *h)
{
	static struct str out;

	str_clear(&out);
	for (size_t i = 0; i < h->event_count; i++)
		str_addf(&out, "%llu %s %llu\n", (unsigned long long)h->time_ns[i],
			 intern_text(&h->texts, h->stacks[h->stack[i]].text), (unsigned long long)heat_value(h, i));
	return str_text(&out);
}

static const char *events_of(const char *text)
{
	static struct str out;
	struct heat_filter all = { 0 };
	struct heat h;

	write_file(text);
	str_clear(&out);
	if (read_lines(&h, &all) < 0)
		str_puts(&out, "failed");
	else
		str_puts(&out, text_of(&h));
	heat_free(&h);
	return str_text(&out);
}

static void check_lines(void)
{
	CHECK_TEXT(events_of(""), "");
	CHECK_TEXT(events_of("\n# \n#\n"), "");
	CHECK_TEXT(events_of("@5.000000001 a;b 1\n"), "5000000001 a;b 1\n");
	CHECK_TEXT(events_of("@5.000000001 a;b 1"), "5000000001 a;b 1\n");
	CHECK_TEXT(events_of("\xef\xbb\xbf@5.000000001 a;b 1\r\n@5.000000002 a;b 1\r\n"),
		   "5000000001 a;b 1\n5000000002 a;b 1\n");
	CHECK_TEXT(events_of("@5 a 1\n@5.1 b; 2\n@5.0000000019 c\t3  \n@6. d; 12 4\n"),
		   "5000000000 a 1\n5000000001 c 3\n5100000000 b 2\n6000000000 d; 12 4\n");
	CHECK_TEXT(events_of("@5.000000001 12 17\n@5.000000002 a.1 17\n@5.000000003 a 1 17\n"),
		   "5000000001 12 17\n5000000002 a.1 17\n5000000003 a 1 17\n");
	CHECK_TEXT(events_of("@5.000000001 a 0.5\n@5.000000002 a 3\n@5.000000003 b 0.25\n"),
		   "5000000001 a 50\n5000000002 a 300\n5000000003 b 25\n");
	CHECK_TEXT(events_of("@9.000000001 a 1\n@5.000000001 b 2\n@7.000000001 c 3\n"),
		   "5000000001 b 2\n7000000001 c 3\n9000000001 a 1\n");
	CHECK_TEXT(events_of("# pyrograph: columns=time,count unit=ns\n@5.000000001 a 1 2\n"
			     "# pyrograph: unit=ns\n@5.000000001 b 3\n@5.000000001 b 3 4\n"),
		   "5000000001 a 1\n5000000001 b 3\n5000000001 b 3 4\n");
	CHECK_TEXT(events_of("@5.000000001 a 0\n"), "5000000001 a 0\n");
	CHECK_TEXT(events_of("@5.000000001 a 18446744073709551614\n@5.000000001 b 18446744073709551615\n"),
		   "5000000001 a 18446744073709551614\n");
	CHECK_TEXT(events_of("@5.000000001 a 18446744073709551614\n@5.000000001 b 2\n"), "failed");
}

/* ---- against sample.h ------------------------------------------------------- */

static uint32_t seed = 12345;

static uint32_t next(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % n;
}

static void random_line(struct str *line)
{
	static const char *const pieces[] = {
		"@5",    "@1795342502", ".", "000000001", "12345678", " ",  " ",  " ", "a",
		";",     "b;c",         "1", "17",        "0.5",      "\t", "\r", "#", "999999999999999999",
		"main 3"
	};

	str_clear(line);
	if (next(2))
		str_addf(line, "@179534250%u.%09u ", next(10), next(1000000000));
	for (uint32_t i = next(9); i; i--)
		str_puts(line, pieces[next(sizeof(pieces) / sizeof(pieces[0]))]);
	if (next(2))
		str_addf(line, " %u", next(100));
}

/* What heat_read() should make of it. */
static const char *expected(const struct str *line)
{
	static struct str out;
	struct sample_line s;
	size_t len = line->len;

	str_clear(&out);
	if (len && line->buf[len - 1] == '\r')
		len--;
	if (!line_is_blank(str_text(line), len) && !line_is_comment(str_text(line), len) &&
	    !sample_parse_one(&s, str_text(line), len) && s.timed && s.time_ns != UINT64_MAX && s.value != UINT64_MAX)
		str_addf(&out, "%llu %.*s %llu\n", (unsigned long long)s.time_ns, (int)s.stack_len, s.stack,
			 (unsigned long long)s.value);
	return str_text(&out);
}

/* For each file, the sanitizer fills a megabyte of its own. */
enum { RANDOM_LINES = SANITIZED ? 3000 : 30000 };

static void check_like_sample(void)
{
	struct str line = { 0 };
	int wrong = 0;

	for (int i = 0; i < RANDOM_LINES; i++) {
		random_line(&line);
		if (!strcmp(events_of(str_text(&line)), expected(&line)))
			continue;
		if (!wrong++)
			printf("# \"%s\"\n", str_text(&line));
	}
	CHECK(wrong == 0);
	str_free(&line);
}

/* ---- large files ------------------------------------------------------------- */

/* Enough lines for several threads and blocks, with headers, decimals and gaps in between. */
static void write_large(const char *to, size_t lines, size_t events[2], uint64_t value[2])
{
	FILE *out = fopen(to, "w");
	size_t host = 0;

	memset(events, 0, 2 * sizeof(*events));
	memset(value, 0, 2 * sizeof(*value));
	for (size_t i = 0; i < lines; i++) {
		unsigned n = next(100);

		if (i % 70001 == 0) {
			host = i / 70001 % 2;
			fprintf(out, "# pyrograph: host=db%zu start=%zu root=thread,cpu unit=ms\n", host, host);
			fprintf(out, "# gap: start=1795342502.5 end=1795342503.0 cpu=1 lost=3 why=\"a b\"\n");
		}
		if (i == lines / 2)
			fprintf(out, "bad line\n");
		fprintf(out, "@%zu.%09zu t-%u;cpu%u;a_function_with_a_long_name_%u;another_%u %u%s\n",
			1795342502 + i / 1000, i % 1000 * 1000000, next(7), next(2), next(30), next(4), n,
			i == lines - 9 ? ".25" : "");
		events[host]++;
		value[host] += n * 100 + (i == lines - 9 ? 25 : 0);
	}
	fclose(out);
}

static void check_sums(const struct heat *h, const size_t events[2], const uint64_t value[2])
{
	uint64_t sum[2] = { 0 }, count[2] = { 0 }, of_keys = 0;
	const struct heat_dimension *host = heat_dimension_find(h, "host");
	bool sorted = true;

	for (size_t i = 0; i < h->event_count; i++) {
		uint32_t r = h->stacks[h->stack[i]].recording;

		sum[r] += heat_value(h, i);
		count[r]++;
		sorted &= !i || h->time_ns[i] > h->time_ns[i - 1] ||
			  (h->time_ns[i] == h->time_ns[i - 1] && h->stack[i] >= h->stack[i - 1]);
	}
	CHECK(sorted);
	CHECK(h->decimals == 2 && h->recording_count == 2 && h->bad_lines == 1);
	CHECK(count[0] == events[0] && count[1] == events[1]);
	CHECK(sum[0] == value[0] && sum[1] == value[1]);
	CHECK(h->profile.total == value[0] + value[1]);
	CHECK(host && host->key_count == 2);
	for (size_t i = 0; host && i < host->key_count; i++)
		of_keys += host->keys[i].value;
	CHECK(of_keys == value[0] + value[1]);
	CHECK_TEXT(source_get(&h->source, "root"), "host,thread,cpu");
}

/* The result through a pipe must be the same. */
static void check_pipe(const struct heat *h)
{
	struct heat_filter all = { 0 };
	struct heat piped = { 0 };
	char command[64];
	int saved = dup(0);
	FILE *in;

	snprintf(command, sizeof(command), "cat /proc/%d/fd/%s", getpid(), strrchr(path, '/') + 1);
	in = popen(command, "r");
	dup2(fileno(in), 0);
	CHECK(!heat_read(&piped, "-", &all) && !heat_finish(&piped, &all));
	dup2(saved, 0);
	close(saved);
	pclose(in);
	CHECK(piped.event_count == h->event_count && piped.stack_count == h->stack_count);
	CHECK(!memcmp(piped.time_ns, h->time_ns, h->event_count * sizeof(*h->time_ns)));
	CHECK(!memcmp(piped.stack, h->stack, h->event_count * sizeof(*h->stack)));
	CHECK(!memcmp(piped.value, h->value, h->event_count * sizeof(*h->value)));
	heat_free(&piped);
}

static void check_large(void)
{
	struct heat_filter all = { 0 };
	uint64_t value[2];
	size_t events[2];
	struct heat h;

	write_large(path, 300000, events, value);
	CHECK(!read_lines(&h, &all));
	check_sums(&h, events, value);
	CHECK(h.gap_count == 5 && h.gaps[0].lost == 3 && h.gaps[0].cpu == 1);
	CHECK_TEXT(intern_text(&h.names, h.gaps[0].why), "a b");
	check_pipe(&h);
	heat_free(&h);
}

/* A line longer than a block, and a last one without an end. */
static void check_long_line(void)
{
	struct heat_filter all = { 0 };
	FILE *out = fopen(path, "w");
	struct heat h;

	for (int i = 0; i < 100000; i++)
		fprintf(out, "@5.%09d before;the;long;one 1\n", i);
	fprintf(out, "@6.000000001 a");
	for (int i = 0; i < 5000000; i++)
		fprintf(out, ";f");
	fprintf(out, " 1\n@7.000000001 behind 1");
	fclose(out);
	CHECK(!read_lines(&h, &all));
	CHECK(h.event_count == 100002 && h.stack_count == 3 && !h.bad_lines);
	heat_free(&h);
}

/* Messages have the right line numbers, wherever the lines are. */
static void check_complaints(void)
{
	struct heat_filter all = { 0 };
	FILE *out = fopen(path, "w"), *talk = tmpfile();
	char line[256] = "";
	int saved = dup(2), good = 1;
	struct heat h;

	for (int i = 1; i <= 300000; i++)
		fprintf(out,
			i == 2        ? "main;untimed 1\n"
			: i == 290000 ? "@x main 1x\n"
				      : "@5.%09d main;something_that_takes_room 1\n",
			i);
	fclose(out);
	quiet = 0;
	dup2(fileno(talk), 2);
	good &= !read_lines(&h, &all);
	dup2(saved, 2);
	close(saved);
	quiet = 1;
	rewind(talk);
	CHECK(good && h.bad_lines == 1 && h.untimed_lines == 1 && h.lines == 300000);
	CHECK(fgets(line, sizeof(line), talk) && strstr(line, ":2:1: not timed: use collapse --heat"));
	CHECK(fgets(line, sizeof(line), talk) && strstr(line, ":290000:9: no number at the end: \"@x main 1x\""));
	CHECK(!fgets(line, sizeof(line), talk));
	fclose(talk);
	heat_free(&h);
}

/* ---- order --------------------------------------------------------------------- */

/* Times in any order are sorted in the same way as by qsort(). */
static void check_order(void)
{
	static const uint32_t spread[] = { 1, 3, 1000, 1000000 };

	for (size_t s = 0; s < 4; s++) {
		struct heat_filter all = { 0 };
		FILE *out = fopen(path, "w");
		uint64_t sum = 0, got = 0;
		bool good = true;
		struct heat h;

		for (unsigned i = 0; i < 5000; i++) {
			unsigned at = s % 2 ? i + next(spread[s]) : next(spread[s]);

			sum += at * 31ull + i;
			fprintf(out, "@%u.000000000 s%u %u\n", at + 1, i % 13, i);
		}
		fclose(out);
		good &= !read_lines(&h, &all) && h.event_count == 5000;
		for (size_t i = 0; i < h.event_count; i++) {
			good &= !i || h.time_ns[i - 1] <= h.time_ns[i];
			good &= !i || h.time_ns[i - 1] < h.time_ns[i] || h.stack[i - 1] <= h.stack[i];
			got += (h.time_ns[i] / 1000000000 - 1) * 31 + heat_value(&h, i);
		}
		CHECK(good && got == sum);
		heat_free(&h);
	}
}

/* ---- recordings ------------------------------------------------------------------ */

static void check_recordings(void)
{
	struct heat_filter all = { 0 }, some = { .from_ns = 6000000000, .to_ns = 8000000000 };
	struct heat h;
	uint64_t from, to;

	write_file("@1.000000000 early;a 1\n"
		   "# pyrograph: host=a from=1970-01-01T00:00:05.000000000Z to=1970-01-01T00:00:09.000000000Z "
		   "cpus=0-2,5 rate=99Hz clock-error=+12.5ms root=thread,cpu unit=samples\n"
		   "# gap: start=5.5 end=7.5 why=throttled\n"
		   "# gap: start=7.5 end=7.0\n# gap: nothing\n"
		   "@6.000000000 t;cpu0 1\n@8.000000000 t;cpu1 1\n"
		   "# pyrograph: host=a from=1970-01-01T00:00:05.000000000Z to=1970-01-01T00:00:09.000000000Z "
		   "cpus=0-2,5 rate=99Hz root=thread,cpu unit=samples\n"
		   "@7.000000000 u;cpu0 1\n");
	CHECK(!read_lines(&h, &all));
	CHECK(h.recording_count == 2 && h.event_count == 4 && h.gap_count == 1);
	CHECK(h.recordings[0].from_ns == 5000000000 && h.recordings[0].to_ns == 9000000000);
	CHECK(h.recordings[0].cpu_count == 4 && h.recordings[0].cpus[3] == 5 && h.recordings[0].rate_hz == 99);
	CHECK_TEXT(h.recordings[0].clock_note, "its wall clock is inconsistent by +12.5ms");
	CHECK_TEXT(h.recordings[1].host, "");
	CHECK(h.recordings[1].from_ns == 1000000000 && h.recordings[1].to_ns == 1000000001);
	CHECK(heat_window(&h, &from, &to) && from == 1000000000 && to == 9000000000);
	CHECK(h.gaps[0].cpu == -1 && h.gaps[0].start_ns == 5500000000 && h.gaps[0].recording == 0);
	heat_free(&h);
	CHECK(!read_lines(&h, &some));
	CHECK(h.event_count == 2 && h.stack_count == 2 && h.filtered_lines == 2);
	CHECK(h.recordings[0].from_ns == 6000000000 && h.recordings[0].to_ns == 8000000000);
	CHECK(h.gaps[0].start_ns == 6000000000 && h.gaps[0].end_ns == 7500000000);
	CHECK(heat_window(&h, &from, &to) && from == 6000000000 && to == 8000000000);
	heat_free(&h);
	h = (struct heat){ 0 }; /* for a time range that is known only after reading */
	CHECK(!heat_read(&h, path, &all) && h.event_count == 4 && !heat_finish(&h, &some));
	CHECK(h.event_count == 2 && h.stack_count == 2 && h.gaps[0].start_ns == 6000000000);
	heat_free(&h);
	CHECK_TEXT(events_of("# pyrograph: clock=monotonic unit=ns\n@1 a 1\n# pyrograph: unit=ns\n@1 a 1\n"), "failed");
}

static void check_dimensions(void)
{
	struct regexp *res[2] = { regexp_compile("write", "x"), regexp_compile("run", "x") };
	const char *const labels[] = { "writes", "runs" };
	struct regexp *exclude[1] = { regexp_compile("^db2;", "x") };
	struct heat_filter all = { .stacks = { .exclude = exclude, .exclude_count = 1 } };
	const struct heat_dimension *d;
	struct heat h;
	size_t number;

	write_file("# pyrograph: root=comm,cpu unit=samples\n@1 a;cpu0;run 2\n@2 a;cpu1;run;write 3\n"
		   "@2 b;cpu0;idle 1\n@3 swapper;cpu1;do_idle 7\n@4 a 1\n@5 db2;cpu1 1\n");
	CHECK(!read_lines(&h, &all));
	CHECK(h.dimension_count == 2 && h.filtered_lines == 1 && h.idle_events == 1);
	d = heat_dimension_find(&h, "comm");
	CHECK(d && d->key_count == 3 && d->keys[0].events == 3 && d->keys[0].value == 6);
	CHECK_TEXT(intern_text(&h.names, d->keys[0].name), "a");
	CHECK_TEXT(intern_text(&h.names, d->keys[2].name), "swapper");
	CHECK(d->keys[2].events == 0);
	d = heat_dimension_find(&h, "cpu");
	CHECK(d && d->key_count == 2 && d->keys[0].events == 2 && d->keys[1].events == 1);
	number = heat_dimension_of_regexps(&h, "regexp", res, labels, 2);
	d = heat_dimension_find(&h, "regexp");
	CHECK(d == &h.dimensions[number] && d->key_count == 2 && d->keys[0].events == 1);
	CHECK_TEXT(intern_text(&h.names, d->keys[1].name), "writes");
	CHECK(!heat_dimension_find(&h, "host"));
	heat_free(&h);
	for (int i = 0; i < 2; i++)
		regexp_free(res[i]);
	regexp_free(exclude[0]);
}

/* Several inputs on one axis. */
static void check_inputs(void)
{
	struct heat_filter all = { 0 };
	struct heat h = { 0 };

	write_file("@5 b 1\n@1 a 1\n");
	CHECK(!heat_read(&h, path, &all));
	write_file("# pyrograph: host=x unit=samples\n@3 a 2.5\n");
	CHECK(!heat_read(&h, path, &all) && !heat_finish(&h, &all));
	CHECK_TEXT(text_of(&h), "1000000000 [unknown host];a 10\n3000000000 x;a 25\n5000000000 [unknown host];b 10\n");
	CHECK(heat_read(&h, "/nonexistent", &all) < 0);
	heat_free(&h);
	write_file("# pyrograph: host=a root=none unit=us\n@1 main 1\n");
	CHECK(!read_lines(&h, &all) && !h.dimension_count);
	heat_free(&h);
	write_file(
		"# pyrograph: host=a root=none unit=us\n@1 main 1\n# pyrograph: host=b root=none unit=us\n@1 main 1\n");
	CHECK(!read_lines(&h, &all) && h.dimension_count == 1 && h.stack_count == 2);
	CHECK_TEXT(source_get(&h.recordings[1].source, "root"), "host");
	CHECK_TEXT(source_get(&h.source, "root"), "host");
	heat_free(&h);
	write_file("PERFILE2....");
	CHECK(read_lines(&h, &all) < 0);
	heat_free(&h);
}

int main(void)
{
	quiet = 1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", memfd_create("heat", 0));
	check_lines();
	check_like_sample();
	check_large();
	check_long_line();
	check_complaints();
	check_order();
	check_recordings();
	check_dimensions();
	check_inputs();
	return check_done();
}
