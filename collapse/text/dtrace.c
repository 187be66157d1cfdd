/* dtrace: aggregations of stack(), ustack() or jstack(), as dtrace prints them when it ends.
 *
 *     CPU     ID                    FUNCTION:NAME
 *       0  64091                        :tick-60s         the heading is skipped
 *
 *       sshd                                              @[execname, stack(), ustack()]
 *                   genunix`cv_wait+0x61                  from the leaf
 *                   unix`sys_syscall+0x17a
 *
 *                   libc.so.1`__read+0xa                  below an empty line: ustack()
 *                   sshd`Server::run(int)+0x1c2
 *                     5
 *
 *                   libc.so.1`malloc                      @[ustack(), execname]
 *       cron                                         12
 *
 * becomes
 *
 *     sshd;sshd`Server::run;libc.so.1`__read;unix`sys_syscall;genunix`cv_wait 5
 *     cron;libc.so.1`malloc 12
 *
 * Distributions, of quantize(), have no value to add up. */
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/stack_builder.h"

enum { KEY_INDENT_MAX = 4, FRAME_INDENT_MIN = 6, VALUE_INDENT_MIN = 8 };

struct parsing {
	struct stack_builder frames;
	struct text_labels labels;
	bool after_blank;     /* the last line was empty */
	bool in_distribution; /* up to the next empty line */
};

/* "unix`sys_syscall+0x17a": without the offset */
static struct text_span dtrace_without_offset(struct text_span frame)
{
	size_t plus = span_last(frame, '+');
	struct text_span offset = span_after(frame, plus < frame.len ? plus + 1 : frame.len);

	if (offset.len && span_begins(offset, "0x") && span_hex(offset) == offset.len)
		frame.len = plus;
	return frame;
}

/* The length of "unix`", the module and its accent, in "unix`sys_syscall"; 0: there is none. */
static size_t dtrace_module_len(struct text_span frame)
{
	size_t tick = span_find(frame, "`");

	return tick < frame.len && !memchr(frame.text, ' ', tick) ? tick + 1 : 0;
}

static void dtrace_take_frame(struct parsing *t, struct text_span frame)
{
	size_t module = dtrace_module_len(frame);

	frame = dtrace_without_offset(frame);
	for (size_t i = 0; t->after_blank && i < t->frames.count; i++) {
		if (t->frames.frames[i] % TEXT_KINDS == TEXT_PLAIN)
			t->frames.frames[i] += TEXT_KERNEL;
	}
	stack_builder_add_function_of(&t->frames, TEXT_PLAIN, (struct text_span){ frame.text, module },
				      span_after(frame, module));
}

/* The next line is a frame of the same stack: no empty line is between them. */
static bool frame_follows(const struct text_part *part, const char *next)
{
	struct text_span line;

	return span_line(part, &next, &line) && span_indent(line) >= FRAME_INDENT_MIN && span_trim(line).len &&
	       !span_is_digits(span_trim(line));
}

/* Read a key before a stack, "  sshd   " or "     8513": a comm or a pid. */
static bool dtrace_take_key(struct parsing *t, struct text_span line, bool frame_follows)
{
	struct text_span key = span_trim(line);
	uint64_t pid;

	if (t->frames.count || !frame_follows)
		return false;
	if (span_number(&key, INT32_MAX, &pid) && !key.len) {
		t->labels.pid = t->labels.tid = (int32_t)pid;
		return true;
	}
	key = span_trim(line);
	if (!span_indent(line) || span_indent(line) > KEY_INDENT_MAX || memchr(key.text, '`', key.len) ||
	    span_begins(key, "0x"))
		return false;
	t->labels.comm = text_name(t->frames.out, key.text, key.len);
	return true;
}

/* "  cron                  12", "      8513           12": read the keys after a stack, and the value.  A name without
 * a value has several blanks after it; a frame, "(anon) at timers.js position 7095", is indented further than a name,
 * or has only one blank there. */
static bool has_value_behind(struct text_span line, struct text_span *keys, struct text_span *value)
{
	struct text_span text = span_trim(line), number, names;
	size_t blank = span_last(text, ' ');

	if (!span_indent(line) || blank == text.len || is_blank(line.text[line.len - 1]) ||
	    memchr(text.text, '`', text.len))
		return false;
	number = span_after(text, blank + 1);
	names = span_trim((struct text_span){ text.text, blank });
	if (!span_is_digits(number) || names.len == blank ||
	    (span_indent(line) > KEY_INDENT_MAX && !span_is_digits(names)))
		return false;
	*keys = names;
	*value = number;
	return true;
}

/* Keys are in columns, with two or more blanks between them. */
static void take_keys_behind(struct parsing *t, struct text_span keys)
{
	while (keys.len) {
		size_t n = span_find(keys, "  ");
		struct text_span key = { keys.text, n }, rest = key;
		uint64_t pid;

		if (span_number(&rest, INT32_MAX, &pid) && !rest.len)
			t->labels.pid = t->labels.tid = (int32_t)pid;
		else
			t->labels.comm = text_name(t->frames.out, key.text, key.len);
		keys = span_trim(span_after(keys, n));
	}
}

/* "           value  ------------- Distribution ------------- count" */
static bool is_distribution(struct text_span line)
{
	return span_begins(span_trim(line), "value  ---") && span_has(line, "- Distribution -");
}

/* "  0  64091                        :tick-60s": a probe that fired, as dtrace prints it without -q */
static bool is_probe(struct text_span line)
{
	struct text_span cpu = span_word(&line), id = span_word(&line), probe = span_word(&line);

	return span_is_digits(cpu) && span_is_digits(id) && span_has(probe, ":") && !span_trim(line).len;
}

static void dtrace_end_stack(struct parsing *t)
{
	t->frames.count = 0;
	t->labels = TEXT_NO_LABELS;
}

static void dtrace_take_line(struct parsing *t, struct text_span line, bool frame_follows)
{
	struct text_span text = span_trim(line), keys = { "", 0 };
	struct text_value value;

	if (t->in_distribution || (!t->frames.count && is_probe(line)) || dtrace_take_key(t, line, frame_follows))
		return;
	if (t->frames.count && is_distribution(line)) {
		text_wrong(t->frames.out, text.text, "a distribution, not a value");
		t->in_distribution = true;
		dtrace_end_stack(t);
		return;
	}
	if (!span_is_digits(text) && !(t->frames.count && has_value_behind(line, &keys, &text))) {
		dtrace_take_frame(t, text);
		return;
	}
	take_keys_behind(t, keys);
	if (stack_value(t->frames.out, text, &value))
		stack_builder_sample(&t->frames, LEAF_FIRST, &value, &t->labels);
	dtrace_end_stack(t);
}

/* A heading is not indented, and reaches up to the first empty line. */
static bool has_heading(const struct text_part *part)
{
	const char *next = NULL;
	struct text_span line;

	return span_line(part, &next, &line) && line.len && !span_indent(line) && !span_has(line, "`");
}

static void dtrace_parse(const struct text_part *part)
{
	struct parsing t = { .frames = { .out = part->out }, .labels = TEXT_NO_LABELS };
	bool in_heading = !part->number && has_heading(part);
	const char *next = NULL;
	struct text_span line;

	while (span_line(part, &next, &line)) {
		bool is_empty = !span_trim(line).len;

		in_heading &= !is_empty;
		t.in_distribution &= !is_empty;
		if (!is_empty && !in_heading)
			dtrace_take_line(&t, line, frame_follows(part, next));
		t.after_blank = is_empty;
	}
	if (t.frames.count)
		text_wrong(part->out, part->text + part->len, "a stack without a value");
	stack_builder_free(&t.frames);
}

/* A number that is indented like a frame is the value; a pid before a stack is indented less. */
static bool dtrace_is_value(struct text_span line)
{
	return span_indent(line) >= VALUE_INDENT_MIN && span_is_digits(span_trim(line));
}

/* "  genunix`cv_wait+0x61": a word with a module */
static bool dtrace_is_frame(struct text_span line)
{
	struct text_span text = span_trim(line);
	const char *tick = memchr(text.text, '`', text.len);

	return span_indent(line) && tick && tick > text.text && tick + 1 < text.text + text.len &&
	       !memchr(text.text, ' ', (size_t)(tick - text.text)) && !is_digit(text.text[0]);
}

static enum sniffed dtrace_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL;
	struct text_span line, keys, value;
	bool frames = false;

	if (!len || memchr(text, '\0', len))
		return SNIFF_NO;
	while (span_line(&part, &next, &line)) {
		if (frames && ((span_indent(line) && span_is_digits(span_trim(line))) || is_distribution(line) ||
			       has_value_behind(line, &keys, &value)))
			return SNIFF_SURE;
		frames |= dtrace_is_frame(line);
	}
	return frames ? SNIFF_MAYBE : SNIFF_NO;
}

const struct input_format dtrace_format = {
	.name = "dtrace",
	.holds = "stacks, names and pids",
	.wanted = "frames, each in a line, then a value",
	.has = TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_PIDS,
	.sniff = dtrace_sniff,
	.ends = dtrace_is_value,
	.parse = dtrace_parse,
};
