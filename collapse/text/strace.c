/* strace: system calls with their stacks, as strace -k prints them, also with -f, -T and times.
 *
 *     8513  10:15:02.000017 write(1, "x\n", 2) = 2 <0.000012>                     "[pid  8513] " on a terminal
 *      > /usr/lib/x86_64-linux-gnu/libc.so.6(__write+0x10) [0xf8350]              from the leaf
 *      > /srv/my app(main+0x3b) [0x11fd]
 *      > /srv/my app() [0x1091]
 *     8514  <... read resumed>"", 8) = 0
 *     8514  exit_group(0) = ?
 *     8514  +++ exited with 0 +++                                                 before the stack of the call
 *      > /usr/lib/x86_64-linux-gnu/libc.so.6(_exit+0x29) [0xd4409]
 *
 * becomes
 *
 *     [my app];main;__write;write 1
 *
 * Events: calls, and time in ns, with -T.  Signals and ends of processes are not calls. */
#include <ctype.h>
#include <string.h>

#include "collapse/parse/event_values.h"
#include "collapse/parse/format.h"
#include "collapse/parse/stack_builder.h"
#include "core/decimal.h"

enum { CALLS, TIME };

struct trace {
	struct stack_builder frames;
	struct event_values values;
	struct text_labels labels;
	struct text_value time;
	bool is_open; /* frames has the call, followed by the frames below it */
};

static void strace_end_call(struct trace *t)
{
	static const struct text_value once = { .whole = 1 };
	uint32_t stack;

	if (t->is_open) {
		stack = stack_builder_end(&t->frames, LEAF_FIRST);
		event_values_add(&t->values, CALLS, &once, stack, &t->labels);
		event_values_add(&t->values, TIME, &t->time, stack, &t->labels);
	}
	t->frames.count = 0;
	t->is_open = false;
}

/* "[pid  8513] " or "8513  " at the front of a line */
static int32_t strace_take_pid(struct text_span *line)
{
	struct text_span rest = *line;
	bool in_brackets = span_skip(&rest, "[pid");
	uint64_t pid;

	rest = span_after(rest, span_indent(rest));
	if (!span_number(&rest, INT32_MAX, &pid) || (in_brackets && !span_skip(&rest, "]")) || !span_indent(rest))
		return -1;
	*line = span_after(rest, span_indent(rest));
	return (int32_t)pid;
}

/* "10:15:02.000017 ", "1732875302.000017 ", "0.000017 " */
static void skip_time(struct text_span *line)
{
	struct text_span rest = *line, word;

	rest = span_after(rest, span_indent(rest));
	word = span_word(&rest);
	for (size_t i = 0; i < word.len; i++) {
		if (!is_digit(word.text[i]) && word.text[i] != ':' && word.text[i] != '.')
			return;
	}
	*line = span_after(rest, span_indent(rest));
}

/* The name of the call in "write(1, ...", "<... read resumed>"; empty: the line is not a call. */
static struct text_span call_name(struct text_span line)
{
	struct text_span name;

	span_skip(&line, "<... ");
	name = (struct text_span){ line.text, 0 };
	while (name.len < line.len && (isalnum((unsigned char)line.text[name.len]) || line.text[name.len] == '_'))
		name.len++;
	line = span_after(line, name.len);
	if (!span_begins(line, "(") && !span_begins(line, " resumed>"))
		name.len = 0;
	return name;
}

/* "... = 2 <0.000012>": in ns */
static uint64_t call_time(struct text_span line)
{
	size_t open = span_last(line, '<');
	struct text_span seconds = span_after(line, open < line.len ? open + 1 : open);
	struct decimal number;
	uint64_t ns;

	if (!span_ends(line, ">") || !decimal_read(&seconds.text, &seconds.len, &number) || !span_is(seconds, ">") ||
	    !decimal_scale(&number, 9, &ns))
		return 0;
	return ns;
}

static void take_call(struct trace *t, struct text_span line)
{
	struct text_span name;
	int32_t pid = strace_take_pid(&line);

	skip_time(&line);
	if (span_begins(line, "+++ ") && pid == t->labels.pid &&
	    t->frames.count == 1) /* exit_group()'s stack comes now */
		return;
	strace_end_call(t);
	name = call_name(line);
	if (!name.len || span_find(line, " = ") == line.len)
		return;
	t->labels.pid = t->labels.tid = pid;
	t->time = (struct text_value){ .whole = call_time(line) };
	stack_builder_add(&t->frames, TEXT_KERNEL, name);
	t->is_open = true;
}

/* "/srv/my app(main+0x3b) [0x11fd]", "/srv/my app() [0x1091]" */
static void strace_take_frame(struct trace *t, struct text_span frame)
{
	size_t end = span_find(frame, ") [0x"), open, plus;
	struct text_span path, name;

	open = span_opening((struct text_span){ frame.text, end < frame.len ? end + 1 : end });
	if (end == frame.len || open > end) {
		text_wrong(t->frames.out, frame.text, "no 'path(function+0x1) [0x1]'");
		return;
	}
	path = (struct text_span){ frame.text, open };
	name = (struct text_span){ frame.text + open + 1, end - open - 1 };
	plus = span_last(name, '+');
	if (plus && plus < name.len && span_begins(span_after(name, plus), "+0x"))
		name.len = plus;
	if (name.len)
		stack_builder_add_function(&t->frames, TEXT_PLAIN, name);
	else
		stack_builder_add_module(&t->frames, TEXT_PLAIN, path);
}

static void strace_parse(const struct text_part *part)
{
	const struct text_span calls = { "calls", 5 }, time = { "time", 4 }, ns = { "ns", 2 };
	struct trace t = { .frames = { .out = part->out }, .values = { .out = part->out }, .labels = TEXT_NO_LABELS };
	const char *next = NULL;
	struct text_span line;

	event_values_name(&t.values, calls, calls);
	event_values_name(&t.values, time, ns);
	while (span_line(part, &next, &line)) {
		if (!span_skip(&line, " > "))
			take_call(&t, line);
		else if (t.is_open)
			strace_take_frame(&t, line);
	}
	strace_end_call(&t);
	event_values_end(&t.values);
	stack_builder_free(&t.frames);
}

static bool strace_starts(struct text_span text)
{
	return text.len && text.text[0] != ' ';
}

/* A call with a frame below it */
static enum sniffed strace_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL;
	struct text_span line;
	bool is_call = false;

	while (span_line(&part, &next, &line)) {
		if (is_call && span_begins(line, " > ") && span_has(line, ") [0x"))
			return SNIFF_SURE;
		strace_take_pid(&line);
		skip_time(&line);
		is_call = call_name(line).len > 0;
	}
	return SNIFF_NO;
}

const struct input_format strace_format = {
	.name = "strace",
	.holds = "stacks of system calls, pids and events",
	.wanted = "'call(arguments) = result', then frames ' > path(function+0x1) [0x1]'",
	.has = TEXT_HAS_STACKS | TEXT_HAS_PIDS | TEXT_HAS_TIDS | TEXT_HAS_EVENTS,
	.sniff = strace_sniff,
	.starts = strace_starts,
	.parse = strace_parse,
};
