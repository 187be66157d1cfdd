/* stackcount: the stacks that bcc's stackcount prints without -f.  With -f, it prints folded text.
 *
 *     Tracing 1 functions for "ktime_get"... Hit Ctrl-C to end.
 *
 *     09:21:46                     with -T
 *       ktime_get                  from the leaf; "ktime_get+0x1" with -s; an address before it with -v
 *       do_syscall_64
 *         --                       with -d, between kernel and user space
 *       main
 *         b'my worker' [9036]      with -P
 *         13
 *
 * becomes
 *
 *     my worker;main;do_syscall_64;ktime_get 13 */
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/stack_builder.h"

enum { FRAME_INDENT = 2, VALUE_INDENT = 4 };

struct parsing {
	struct stack_builder frames;
	struct text_labels labels;
};

static void stackcount_mark_kernel(struct parsing *t)
{
	for (size_t i = 0; i < t->frames.count; i++) {
		if (t->frames.frames[i] % TEXT_KINDS == TEXT_PLAIN)
			t->frames.frames[i] += TEXT_KERNEL;
	}
}

/* "ffffffff82d4f0d1 ktime_get+0x1" */
static void stackcount_take_frame(struct parsing *t, struct text_span frame)
{
	size_t hex = span_hex(frame), plus;

	if (hex > 3 && hex < frame.len && is_blank(frame.text[hex]))
		frame = span_trim(span_after(frame, hex));
	plus = span_last(frame, '+');
	if (plus < frame.len && plus && span_begins(span_after(frame, plus + 1), "0x") &&
	    span_hex(span_after(frame, plus + 1)) == frame.len - plus - 1)
		frame.len = plus;
	stack_builder_add_function(&t->frames, TEXT_PLAIN, frame);
	if (is_kernel_entry(frame))
		stackcount_mark_kernel(t);
}

/* "my worker [9036]" */
static bool stackcount_take_name(struct parsing *t, struct text_span text)
{
	size_t open = span_last(text, '[');
	struct text_span pid = span_after(text, open + (open < text.len));
	uint64_t number;

	if (open == text.len || !span_number(&pid, INT32_MAX, &number) || !span_is(pid, "]"))
		return false;
	text = span_trim_end((struct text_span){ text.text, open });
	if (span_begins(text, "b'") && span_ends(text, "'") && text.len > 3)
		text = (struct text_span){ text.text + 2, text.len - 3 };
	t->labels.comm = text_name(t->frames.out, text.text, text.len);
	t->labels.pid = (int32_t)number; /* pid is that of the process; the name is that of the thread */
	return true;
}

static void stackcount_take_line(struct parsing *t, struct text_span line)
{
	size_t indent = span_indent(line);
	struct text_span text = span_trim(line);
	struct text_value value;

	if (indent == FRAME_INDENT && text.len) {
		stackcount_take_frame(t, text);
	} else if (indent == VALUE_INDENT && span_is(text, "--")) {
		stackcount_mark_kernel(t);
	} else if (indent == VALUE_INDENT && text.len && !stackcount_take_name(t, text)) {
		if (stack_value(t->frames.out, text, &value))
			stack_builder_sample(&t->frames, LEAF_FIRST, &value, &t->labels);
		t->frames.count = 0;
		t->labels = TEXT_NO_LABELS;
	}
}

static void stackcount_parse(const struct text_part *part)
{
	struct parsing t = { .frames = { .out = part->out }, .labels = TEXT_NO_LABELS };
	const char *next = NULL;
	struct text_span line;

	while (span_line(part, &next, &line))
		stackcount_take_line(&t, line);
	if (t.frames.count)
		text_wrong(part->out, part->text + part->len, "a stack without a value");
	stack_builder_free(&t.frames);
}

/* A blank line is behind each value. */
static bool stackcount_starts(struct text_span line)
{
	return line.len && (line.text[0] == '\n' || line.text[0] == '\r');
}

static enum sniffed stackcount_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL;
	bool has_heading = false, has_frame = false;
	struct text_span line;

	while (span_line(&part, &next, &line)) {
		size_t indent = span_indent(line);

		has_heading |= span_begins(line, "Tracing ") && span_has(line, " functions for \"");
		has_frame |= has_heading && indent == FRAME_INDENT && indent < line.len;
		if (has_frame && indent == VALUE_INDENT && span_is_digits(span_trim(line)))
			return SNIFF_SURE;
	}
	return SNIFF_NO;
}

const struct input_format stackcount_format = {
	.name = "stackcount",
	.holds = "stacks, names and pids",
	.wanted = "stacks, then a value",
	.has = TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_PIDS,
	.sniff = stackcount_sniff,
	.starts = stackcount_starts,
	.parse = stackcount_parse,
};
