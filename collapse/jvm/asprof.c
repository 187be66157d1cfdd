/* asprof: async-profiler's text.
 *
 * Folded text (-o collapsed) with threads (-t), which are labels here, not frames:
 *
 *     [dw-20 tid=8530];java/lang/Thread.run_[0];com/example/App.handle_[j];write_[k] 17
 *     [CPU-3];[tid=8531];start_thread 2                   --record-cpu; a thread without a name
 *
 * so that --root, --threads and --pool apply.  Text without threads is plain folded text (folded.c).  Endings of frames
 * (-a) say how the code was compiled; like those of recordings, they are shown with --jit, --kernel, --all.
 *
 * Its report (-o text, traces, flat), whose value is the counter, in the event's unit:
 *
 *     --- Execution profile ---
 *     Total samples       : 733
 *
 *     --- 20000000 ns (50.00%), 2 samples
 *       [ 0] com.example.App.handle
 *       [ 1] java.lang.Thread.run_[j]
 *       [ 2] [dw-20 tid=8530]
 *
 *               ns  percent  samples  top
 *       ----------  -------  -------  ---
 *         20000000   50.00%        2  com.example.App.handle
 *
 * The table is used only if there are no traces; its rows become stacks of one frame. */
#include "collapse/jvm/asprof.h"

#include <ctype.h>
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/jvm/java_text.h"

#define REPORT "--- Execution profile ---"

enum { REPORT_LOOKED_AT = 4096 };

/* --- frames that are labels ---------------------------------------------------------- */

/* If the frame is a thread, "[dw-20 tid=8530]" or "[tid=8531]", set the labels and return true. */
static bool asprof_take_thread(struct text_stacks *s, const char *frame, size_t len, struct text_labels *labels)
{
	static const char key[] = "tid=";
	const char *end = frame + len - 1, *number = end, *at, *name = frame + 1;
	size_t digits, name_len;
	uint64_t tid;

	if (len < strlen("[tid=1]") || *frame != '[' || *end != ']')
		return false;
	while (is_digit(number[-1]))
		number--;
	digits = (size_t)(end - number);
	at = number;
	if (number - name < (ptrdiff_t)strlen(key) || memcmp(number - strlen(key), key, strlen(key)) != 0 ||
	    !java_take_number(&at, &digits, INT32_MAX, &tid))
		return false;
	name_len = (size_t)(number - name) - strlen(key);
	if (name_len && name[--name_len] != ' ')
		return false;
	if (!labels)
		return true;
	labels->tid = labels->pid = (int32_t)tid;
	labels->comm = name_len ? text_name(s, name, name_len) : TEXT_NO_NAME;
	return true;
}

/* "[CPU-3]" */
static bool asprof_take_cpu(const char *frame, size_t len, struct text_labels *labels)
{
	uint64_t cpu;

	if (!java_take(&frame, &len, "[CPU-") || !java_take_number(&frame, &len, 1 << 20, &cpu) || len != 1)
		return false;
	labels->cpu = (uint32_t)cpu;
	return true;
}

static bool take_label(struct text_stacks *s, const char *frame, size_t len, struct text_labels *labels)
{
	return asprof_take_thread(s, frame, len, labels) || asprof_take_cpu(frame, len, labels);
}

bool asprof_names_thread(const char *line, size_t len)
{
	struct text_labels labels;
	const char *stop;

	while ((stop = memchr(line, ';', len))) {
		size_t n = (size_t)(stop - line);

		if (asprof_take_thread(NULL, line, n, NULL))
			return true;
		if (!asprof_take_cpu(line, n, &labels))
			return false;
		line = stop + 1;
		len -= n + 1;
	}
	return false;
}

/* "com/example/App.handle_[j]" */
static uint32_t asprof_add_frame(struct text_stacks *s, const char *frame, size_t len)
{
	static const char letters[] = "kji01";
	static const enum text_kind kinds[] = { TEXT_KERNEL, TEXT_JIT, TEXT_INLINED, TEXT_INTERPRETED, TEXT_QUICK };
	const char *letter =
		len > 4 && frame[len - 4] == '_' && frame[len - 3] == '[' && frame[len - 1] == ']' && frame[len - 2]
			? strchr(letters, frame[len - 2])
			: NULL;

	return letter ? text_frame(s, kinds[letter - letters], frame, len - 4) : text_frame(s, TEXT_PLAIN, frame, len);
}

/* --- folded text -------------------------------------------------------------------- */

/* A stack whose text was seen before is not parsed again. */
static uint32_t asprof_parse_stack(struct text_stacks *s, const char *text, size_t len, struct str *frames)
{
	const char *end = text + len, *stop;
	uint32_t stack, known, frame;

	if (text_known(s, text, len, &stack, &known))
		return stack;
	str_clear(frames);
	while (end > text && end[-1] == ';') /* an empty last frame is none */
		end--;
	for (; text <= end; text = stop + 1) {
		stop = memchr(text, ';', (size_t)(end - text));
		if (!stop)
			stop = end;
		frame = asprof_add_frame(s, text, (size_t)(stop - text));
		str_add(frames, (const char *)&frame, sizeof(frame));
	}
	stack = text_stack(s, (const uint32_t *)(const void *)frames->buf, frames->len / sizeof(frame));
	text_is(s, known, stack);
	return stack;
}

static void parse_folded(struct text_stacks *s, const char *line, size_t len, struct str *frames)
{
	const char *blank = memrchr(line, ' ', len), *at = blank ? blank + 1 : line, *wrong = "no value", *stop;
	struct text_labels labels = TEXT_NO_LABELS;
	struct text_value value;
	struct text_sample sample = { .values = &value };
	size_t left = (size_t)(line + len - at);

	if (!blank || blank == line || !text_value_read(s, &at, &left, &value, &wrong) || left) {
		text_wrong(s, at, wrong);
		return;
	}
	len = (size_t)(blank - line);
	while ((stop = memchr(line, ';', len)) && take_label(s, line, (size_t)(stop - line), &labels)) {
		len -= (size_t)(stop + 1 - line);
		line = stop + 1;
	}
	sample.labels = text_label(s, &labels);
	sample.stack = asprof_parse_stack(s, line, len, frames);
	fold_add_text(s, &sample);
}

/* --- the report --------------------------------------------------------------------- */

struct asprof_report {
	struct text_stacks *s;
	struct text_labels labels;
	struct text_value value;
	bool in_trace, has_traces, in_table;
	struct java_stack stack;
};

static void asprof_add_sample(struct asprof_report *r)
{
	struct text_sample sample = { .values = &r->value };

	if (!r->stack.count)
		java_stack_add(&r->stack, text_frame(r->s, TEXT_PLAIN, "[unknown]", 9));
	sample.stack = java_stack_number(r->s, &r->stack);
	sample.labels = text_label(r->s, &r->labels);
	fold_add_text(r->s, &sample);
	r->stack.count = 0;
}

static void asprof_end_trace(struct asprof_report *r)
{
	if (r->in_trace)
		asprof_add_sample(r);
	r->in_trace = false;
}

/* Take the letters of a unit. */
static void asprof_take_unit(struct asprof_report *r, const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && isalpha((unsigned char)text[n]))
		n++;
	if (n)
		r->labels.unit = text_name(r->s, text, n);
}

/* "20000000 ns (50.00%), 2 samples" */
static void asprof_begin_trace(struct asprof_report *r, const char *line, size_t len)
{
	const char *wrong;
	uint32_t unit = r->labels.unit;

	asprof_end_trace(r);
	if (!text_value_read(r->s, &line, &len, &r->value, &wrong)) {
		text_wrong(r->s, line, wrong);
		return;
	}
	r->labels = TEXT_NO_LABELS;
	r->labels.unit = unit;
	java_skip_blanks(&line, &len);
	asprof_take_unit(r, line, len);
	r->in_trace = r->has_traces = true;
	r->stack.count = 0;
}

/* "  [ 0] com.example.App.handle" */
static void asprof_read_frame(struct asprof_report *r, const char *line, size_t len)
{
	const char *at = line;
	uint64_t number;

	java_skip_blanks(&at, &len);
	if (!java_take(&at, &len, "["))
		return;
	java_skip_blanks(&at, &len);
	if (!java_take_number(&at, &len, UINT32_MAX, &number) || !java_take(&at, &len, "] "))
		text_wrong(r->s, line, "no frame");
	else if (!take_label(r->s, at, len, &r->labels))
		java_stack_add(&r->stack, asprof_add_frame(r->s, at, len));
}

/* "20000000   50.00%        2  com.example.App.handle" */
static void read_row(struct asprof_report *r, const char *line, size_t len)
{
	const char *at = line, *wrong;
	uint64_t samples;

	java_skip_blanks(&at, &len);
	if (!len || *at == '-')
		return;
	if (!text_value_read(r->s, &at, &len, &r->value, &wrong)) {
		text_wrong(r->s, at, wrong);
		return;
	}
	while (len && *at != '%') {
		at++;
		len--;
	}
	java_take(&at, &len, "%");
	java_skip_blanks(&at, &len);
	if (!java_take_number(&at, &len, UINT64_MAX >> 8, &samples) || !java_take(&at, &len, "  ")) {
		text_wrong(r->s, line, "no row of the table");
		return;
	}
	java_stack_add(&r->stack, asprof_add_frame(r->s, at, len));
	asprof_add_sample(r);
}

static void asprof_read_line(struct asprof_report *r, const char *line, size_t len)
{
	static const char columns[] = "  percent  samples  top";

	if (java_take(&line, &len, "--- ")) {
		if (len && is_digit(*line))
			asprof_begin_trace(r, line, len);
	} else if (len > strlen(columns) && !memcmp(line + len - strlen(columns), columns, strlen(columns))) {
		asprof_end_trace(r);
		r->in_table = true;
		java_skip_blanks(&line, &len);
		asprof_take_unit(r, line, len);
	} else if (r->in_trace) {
		asprof_read_frame(r, line, len);
	} else if (r->in_table && !r->has_traces) {
		read_row(r, line, len);
	}
}

/* --- the input ---------------------------------------------------------------------- */

/* Other output of the profiler, such as "Profiling started", may precede a report. */
static bool asprof_is_report(const char *text, size_t len)
{
	if (len > REPORT_LOOKED_AT)
		len = REPORT_LOOKED_AT;
	return text_begins(text, len, REPORT) || memmem(text, len, "\n" REPORT, strlen("\n" REPORT));
}

static void asprof_parse(const struct text_part *part)
{
	struct asprof_report report = { .s = part->out, .labels = TEXT_NO_LABELS };
	bool is_a_report = asprof_is_report(part->text, part->len);
	const char *next = NULL, *line;
	struct str frames = { 0 };
	size_t len;

	while (text_line(part, &next, &line, &len)) {
		if (is_a_report)
			asprof_read_line(&report, line, len);
		else if (len)
			parse_folded(part->out, line, len, &frames);
	}
	asprof_end_trace(&report);
	java_stack_free(&report.stack);
	str_free(&frames);
}

/* A report is small, and has a table at its end, so it is not divided. */
static size_t asprof_split(const char *text, size_t len)
{
	return asprof_is_report(text, len) ? 0 : text_split_lines(text, len);
}

static enum sniffed asprof_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL, *line;
	size_t n;

	if (asprof_is_report(text, len))
		return SNIFF_SURE;
	return text_line(&part, &next, &line, &n) && asprof_names_thread(line, n) ? SNIFF_SURE : SNIFF_NO;
}

const struct input_format asprof_format = {
	.name = "asprof",
	.holds = "threads with their stacks",
	.wanted = "'[thread tid=1];frame;frame 17', or '--- 20000000 ns (50.00%), 2 samples'",
	.has = TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS | TEXT_HAS_CPUS,
	.sniff = asprof_sniff,
	.split = asprof_split,
	.parse = asprof_parse,
};
