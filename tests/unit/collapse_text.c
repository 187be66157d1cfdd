/* The interface between parsers of text and folding (collapse/fold/text_stacks.h), and the tables of formats. */
#include <stdlib.h>
#include <string.h>

#include "collapse/fold/text_fold.h"
#include "collapse/formats.h"
#include "collapse/output/output_formats.h"
#include "core/error.h"
#include "tests/unit/check.h"

enum { SHARDS = 3 };

/* The content of one sample in the tests below. */
struct said {
	const char *stack; /* "main;work"; a frame that begins with '~' is the kernel's */
	const char *comm, *event;
	int pid, tid;
	uint32_t cpu;
	uint64_t time_ns, whole, fraction;
};

static const struct said said[] = {
	{ "main;work", "java", "cycles", 10, 10, 0, 3000, 1, 0 },
	{ "main;work", "dw-1", "cycles", 10, 11, 1, 1000, 2, 500000000000000000 },
	{ "main;~read", "dw-2", "cycles", 10, 12, 0, 2000, 4, 0 },
	{ "main;work", "dw-1", "cycles", 10, 11, 1, 5000, 8, 500000000000000000 },
	{ "main;idle", "sh", "faults", 20, 20, 0, 4000, 16, 0 },
};

enum { SAID = sizeof(said) / sizeof(*said) };

static uint32_t name(struct text_stacks *s, const char *text)
{
	return text_name(s, text, strlen(text));
}

static void add(struct text_stacks *s, const struct said *a)
{
	struct text_labels labels = TEXT_NO_LABELS;
	const struct text_value value = { a->whole, a->fraction };
	struct text_sample sample = { .time_ns = a->time_ns, .values = &value };
	const char *frame = a->stack;
	uint32_t frames[8];
	size_t count = 0;

	labels.pid = a->pid;
	labels.tid = a->tid;
	labels.cpu = a->cpu;
	labels.comm = name(s, a->comm);
	labels.event = name(s, a->event);
	while (*frame) {
		bool kernel = *frame == '~';
		size_t len = strcspn(frame, ";");

		frames[count++] = text_frame(s, kernel ? TEXT_KERNEL : TEXT_PLAIN, frame + kernel, len - kernel);
		frame += len + !!frame[len];
	}
	sample.stack = text_stack(s, frames, count);
	sample.labels = text_label(s, &labels);
	s->fractions |= a->fraction > 0;
	fold_add_text(s, &sample);
}

/* The lines that the output format makes of the samples, one in each part; turn: which shard gets the first part. */
static void fold_said(struct str *out, const char *roots_list, const char *event, bool timed, uint64_t from_ns,
		      size_t shards, size_t turn)
{
	struct text_setup setup = { .value_count = 1, .timed = timed, .keep_times = timed };
	struct text_stacks all[SHARDS] = { 0 };
	struct text_parsed parsed = { all, shards, &setup };
	struct perfdata data = { .path = "text" };
	struct sideband sideband = { 0 };
	struct roots roots = { .data = &data, .sideband = &sideband };
	struct columns columns = { 0 };
	struct fold fold = { .columns = &columns };
	struct intern texts = { 0 };
	struct timed_samples times = { 0 };
	struct text_request request = { .data = &data,
					.sideband = &sideband,
					.roots = &roots,
					.event = event,
					.annotate = { [TEXT_KERNEL] = true },
					.from_ns = from_ns,
					.to_ns = UINT64_MAX };
	struct product product = { .fold = &fold, .texts = &texts, .times = timed ? &times : NULL };
	char *buffer = NULL;
	size_t len;
	FILE *file = open_memstream(&buffer, &len);

	for (size_t i = 0; i < SAID; i++) {
		struct text_stacks *s = &all[(i + turn) % shards];
		const struct text_part part = { .text = "line\n", .len = 5, .number = i, .out = s };

		s->setup = &setup;
		text_begin_part(s, &part);
		add(s, &said[i]);
		text_end_part(s);
	}
	roots_parse(&roots, roots_list);
	text_columns(&parsed, &columns);
	text_fold(&parsed, &request, &fold, &texts, &times);
	fold_keep(&fold, &texts, true, NULL, NULL);
	folded_output.write(file, &product);
	fclose(file);
	str_clear(out);
	str_add(out, buffer, len);
	free(buffer);
	for (size_t i = 0; i < shards; i++)
		text_stacks_free(&all[i]);
	fold_free(&fold);
	intern_free(&texts);
	times_free(&times);
	roots_free(&roots);
	sideband_free(&sideband);
	perfdata_close(&data);
}

static void check_roots(void)
{
	static const struct {
		const char *roots, *event, *wanted;
	} rows[] = {
		{ "none", NULL, "main;read_[k] 4\nmain;work 12\n" },
		{ "none", "faults", "main;idle 16\n" },
		{ "none", "all", "main;idle 16\nmain;read_[k] 4\nmain;work 12\n" },
		{ "comm", NULL, "dw-1;main;work 11\ndw-2;main;read_[k] 4\njava;main;work 1\n" },
		{ "thread", NULL,
		  "java-10/dw-1;main;work 11\njava-10/dw-2;main;read_[k] 4\njava-10/java;main;work "
		  "1\n" },
		{ "tid,cpu", "faults", "sh-20/20;cpu0;main;idle 16\n" },
		{ "event,pid", "faults", "faults;sh-20;main;idle 16\n" },
	};
	struct str once = { 0 }, again = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		fold_said(&once, rows[i].roots, rows[i].event, false, 0, 1, 0);
		CHECK_TEXT(once.buf, rows[i].wanted);
		for (size_t shards = 2; shards <= SHARDS; shards++) {
			fold_said(&again, rows[i].roots, rows[i].event, false, 0, shards, i);
			CHECK_TEXT(again.buf, once.buf);
		}
	}
	str_free(&once);
	str_free(&again);
}

static void check_times(void)
{
	static const char wanted[] = "@0.000002000 cpu0;main;read_[k] 4\n"
				     "@0.000003000 cpu0;main;work 1\n"
				     "@0.000005000 cpu1;main;work 8.5\n";
	struct str out = { 0 };

	for (size_t turn = 0; turn < SHARDS; turn++) {
		fold_said(&out, "cpu", NULL, true, 1500, SHARDS, turn);
		CHECK_TEXT(out.buf, wanted);
	}
	str_free(&out);
}

/* Text that was seen before gets its old number, and is not stored again. */
static void check_numbers(void)
{
	struct text_stacks s = { 0 };
	uint32_t a = text_frame(&s, TEXT_PLAIN, "a", 1), stack, known;
	size_t len;

	CHECK(a == text_frame(&s, TEXT_PLAIN, "abc", 1));
	CHECK(a != text_frame(&s, TEXT_KERNEL, "a", 1));
	CHECK(text_stack(&s, &a, 1) == text_stack(&s, &a, 1));
	CHECK(!text_known(&s, "a\nb\n", 4, &stack, &known));
	text_is(&s, known, 7);
	len = s.known.text_len;
	CHECK(text_known(&s, "a\nb\n", 4, &stack, &known) && stack == 7 && s.known.text_len == len);
	text_stacks_free(&s);
}

static void check_places(void)
{
	static const struct text_setup setup = { .value_count = 1 };
	const char text[] = "one\ntwo x\n\nfour";
	struct text_stacks s = { 0 };
	const struct text_part part = { .text = text, .len = strlen(text), .out = &s };
	const char *at = NULL, *line;
	size_t len, lines = 0;

	s.setup = &setup;
	text_begin_part(&s, &part);
	while (text_line(&part, &at, &line, &len))
		lines++;
	CHECK(lines == 4 && len == 4);
	text_wrong(&s, text + 8, "x");
	CHECK(s.wrongs[0].line == 2 && s.wrongs[0].column == 5);
	text_wrong(&s, text, "first");
	CHECK(s.wrongs[1].line == 1 && s.wrongs[1].column == 1);
	text_stacks_free(&s);
}

static void check_formats(void)
{
	static const struct {
		const char *text, *format;
		enum sniffed sure;
	} rows[] = {
		{ "PERFILE2xxxxxxxx", "perfdata", SNIFF_SURE },
		{ "1 2\n", "points", SNIFF_MAYBE },
		{ "a;b 1\n", "folded", SNIFF_SURE },
		{ "a 1\n", "folded", SNIFF_MAYBE },
		{ "c;d\na;b 1\n", "folded", SNIFF_NO },
		{ "# pyrograph: x\n@1.5 a 1\n", "folded", SNIFF_SURE },
		{ "", "points", SNIFF_NO },
		{ "", "folded", SNIFF_NO },
		{ "a", "folded", SNIFF_NO },
		{ "a b", "points", SNIFF_NO },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		CHECK(input_format_find(rows[i].format)->sniff(rows[i].text, strlen(rows[i].text)) == rows[i].sure);
	CHECK(input_format_sniff("stdin", "PERFILE2", 8) == &perfdata_format);
	CHECK(input_format_sniff("stdin", "a 1", 3) == &perfdata_format); /* which says what it may be */
	CHECK(output_format_find("folded") == &folded_output);
}

int main(void)
{
	check_roots();
	check_times();
	check_numbers();
	check_places();
	check_formats();
	return check_done();
}
