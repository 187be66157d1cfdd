/* lldb: backtraces, from "bt all" or "thread backtrace all"; several are several samples.
 *
 *     Process 29297 stopped                                           here, lldb shows where threads stopped:
 *     * thread #1, name = 'leak', stop reason = signal SIGSTOP         only a whole stack is read there
 *         frame #0: 0x00007f355fe7cdf2 libc.so.6`__libc_pause at pause.c:29:10
 *     (lldb) bt all
 *     * thread #1, name = 'leak', queue = 'com.apple.main-thread', stop reason = signal SIGSTOP
 *       * frame #0: 0x000055c75ced2217 leak`Pool::run(this=0x1, f=(leak`main at leak.c:13)) [inlined] inner(k=1) at p.cc:11:84
 *         frame #1: 0x000055c75ced223a leak`Pool::run(this=0x1) at p.cc:12:75 [opt]
 *         frame #2: 0x000055c75ced20d1 leak`_start + 33
 *         frame #3: 0x00007f355fe321f5
 *       thread #2: tid = 0x7271, 0x00007f355feb28ec libc.so.6`__clone3 at clone3.S:81, name = 'my worker 7'
 *
 * becomes
 *
 *     leak;[unknown];_start;Pool::run;inner_[i] 1
 *
 * Threads get lldb's own numbers where it does not print the tid. */
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/function_name.h"
#include "collapse/parse/stack_builder.h"
#include "collapse/parse/terminal.h"

struct backtraces {
	struct stack_builder frames;
	struct text_labels labels;
	int32_t pid;
	bool is_open;
	bool is_stop;       /* below "Process 29297 stopped", where lldb shows only the leaf of a stack */
	uint64_t frames_in; /* of the stack, in lines */
	struct str name;    /* scratch */
};

/* --- threads -------------------------------------------------------------------------- */

/* The text in the quotes of "name = 'leak'" or "queue = 'x'" in a heading. */
static struct text_span quoted(struct text_span heading, const char *key)
{
	size_t at = span_find(heading, key);
	struct text_span value = span_after(heading, at < heading.len ? at + strlen(key) : at);
	size_t comma = span_find(value, "', ");

	if (comma == value.len)
		comma = span_last(value, '\'');
	value.len = comma < value.len ? comma : 0;
	return value;
}

/* "* thread #1, ...", "  thread #2: ..." */
static bool lldb_take_number(struct text_span line, uint64_t *number, struct text_span *rest)
{
	if (!span_skip(&line, "* thread #") && !span_skip(&line, "  thread #"))
		return false;
	if (!span_number(&line, INT32_MAX, number))
		return false;
	*rest = line;
	return !line.len || line.text[0] == ',' || line.text[0] == ':';
}

static uint64_t hex_value(struct text_span digits)
{
	uint64_t value = 0;

	for (size_t i = 2; i < digits.len; i++) {
		char c = digits.text[i];

		value = value << 4 | (uint64_t)(is_digit(c) ? c - '0' : c - 'a' + 10);
	}
	return value;
}

/* ": tid = 0x7271, ...", ": tid = 29297, ..." */
static bool take_tid(struct text_span rest, uint64_t *tid)
{
	size_t hex;

	*tid = 0;
	if (!span_skip(&rest, ": tid = "))
		return false;
	hex = span_begins(rest, "0x") ? span_hex(rest) : 0;
	if (hex < 3 || hex > 18)
		return span_number(&rest, INT32_MAX, tid);
	*tid = hex_value((struct text_span){ rest.text, hex });
	return true;
}

static void end_backtrace(struct backtraces *t)
{
	if (t->is_open && t->frames_in && !(t->is_stop && t->frames_in == 1))
		stack_builder_sample_once(&t->frames, LEAF_FIRST, &t->labels);
	t->frames.count = t->frames_in = 0;
	t->is_open = false;
}

static void begin_backtrace(struct backtraces *t, uint64_t number, struct text_span rest)
{
	struct text_span name = quoted(rest, "name = '");
	uint64_t tid;

	end_backtrace(t);
	if (!name.len)
		name = quoted(rest, "queue = '");
	if (take_tid(rest, &tid))
		number = tid;
	t->labels = TEXT_NO_LABELS;
	t->labels.tid = number <= INT32_MAX ? (int32_t)number : text_thread_number(rest.text, rest.len);
	t->labels.pid = t->pid < 0 ? t->labels.tid : t->pid;
	if (name.len)
		t->labels.comm = text_name(t->frames.out, name.text, name.len);
	t->is_open = true;
}

/* --- frames --------------------------------------------------------------------------- */

/* Read "  * frame #0: 0x000055c75ced2217 leak`...": line moves behind the number. */
static bool take_frame_number(struct text_span *line)
{
	struct text_span rest = span_trim(*line);
	uint64_t number;

	span_skip(&rest, "* ");
	if (!span_skip(&rest, "frame #") || !span_number(&rest, UINT32_MAX, &number) || !span_skip(&rest, ":"))
		return false;
	*line = rest;
	return true;
}

/* The place where " at leak.c:13:80" begins, which only "[opt]" can follow; call.len: nowhere. */
static size_t find_source(struct text_span call, struct text_source *source)
{
	size_t at = call.len;
	struct text_span file;

	*source = (struct text_source){ 0 };
	while (at > 4 && memcmp(call.text + at - 4, " at ", 4) != 0)
		at--;
	if (at <= 4)
		return call.len;
	file = span_after(call, at);
	while (span_ends(file, "]") && span_find(file, " [") < file.len)
		file.len = span_find(file, " [");
	*source = source_line_of(file);
	if (source_line_of((struct text_span){ file.text, source->len }).line) /* the last number was the column */
		*source = source_line_of((struct text_span){ file.text, source->len });
	if (!source->line || span_has(file, ")")) {
		*source = (struct text_source){ 0 };
		return call.len;
	}
	return at - 4;
}

/* Reduce "Pool::run(this=0x1)", "_start + 33", "-[NSRunLoop run] [opt]" to the name. */
static struct text_span printed_name(struct text_span call)
{
	static const char *const notes[] = { " [opt]", " [artificial]" };
	size_t plus;

	call = span_trim(call);
	for (size_t i = 0; i < sizeof(notes) / sizeof(*notes); i++) {
		if (span_ends(call, notes[i]))
			call.len -= strlen(notes[i]);
	}
	plus = span_last(call, '+');
	if (plus > 1 && plus + 2 < call.len && span_begins(span_after(call, plus - 1), " + ") &&
	    span_is_digits(span_after(call, plus + 2)))
		call.len = plus - 1;
	return call;
}

static void lldb_add_call(struct backtraces *t, enum text_kind kind, struct text_span call)
{
	struct text_source source;

	call.len = find_source(call, &source);
	source_line_add(&t->frames, kind, function_name_clean(printed_name(call), &t->name), source);
}

/* Read "0x000055c75ced2217 leak`outer(x=1) [inlined] inner(k=1) at p.cc:11:84": inner is inlined there into outer,
 * whose own frame is on the next line. */
static void lldb_take_frame(struct backtraces *t, struct text_span frame)
{
	static const struct text_span unknown = { "[unknown]", 9 };
	struct text_span module, call;
	size_t tick, inlined;

	t->frames_in++;
	frame = span_trim(frame);
	frame = span_trim(span_after(frame, span_hex(frame)));
	tick = span_find(frame, "`");
	module = (struct text_span){ frame.text, tick };
	call = span_after(frame, tick < frame.len ? tick + 1 : tick);
	inlined = span_find(call, " [inlined] ");
	if (inlined < call.len)
		lldb_add_call(t, TEXT_INLINED, span_after(call, inlined + strlen(" [inlined] ")));
	else if (call.len && !span_begins(call, "___lldb_unnamed_symbol"))
		lldb_add_call(t, TEXT_PLAIN, call);
	else if (tick < frame.len && module.len)
		stack_builder_add_module(&t->frames, TEXT_PLAIN, module);
	else
		stack_builder_add(&t->frames, TEXT_PLAIN, unknown);
}

/* --- the format ----------------------------------------------------------------------- */

/* "Process 29297 stopped" */
static bool take_stop(struct backtraces *t, struct text_span line)
{
	uint64_t pid;

	if (!span_skip(&line, "Process ") || !span_number(&line, INT32_MAX, &pid))
		return false;
	end_backtrace(t);
	t->pid = (int32_t)pid;
	t->is_stop = span_is(line, " stopped");
	return true;
}

static void lldb_take_line(struct backtraces *t, struct text_span line)
{
	struct text_span rest;
	uint64_t number;

	if (span_begins(line, "(lldb) ")) {
		end_backtrace(t);
		t->is_stop = false;
	} else if (lldb_take_number(line, &number, &rest)) {
		begin_backtrace(t, number, rest);
	} else if (t->is_open && take_frame_number(&line)) {
		lldb_take_frame(t, line);
	} else {
		take_stop(t, line);
	}
}

static void lldb_parse(const struct text_part *part)
{
	struct backtraces t = { .frames = { .out = part->out }, .labels = TEXT_NO_LABELS, .pid = -1 };
	struct text_part plain = *part;
	struct str buffer = { 0 };
	const char *next = NULL;
	struct text_span line;

	plain.text = terminal_plain(part->text, &plain.len, &buffer);
	while (span_line(&plain, &next, &line))
		lldb_take_line(&t, line);
	end_backtrace(&t);
	stack_builder_free(&t.frames);
	str_free(&t.name);
	str_free(&buffer);
}

static enum sniffed lldb_sniff(const char *text, size_t len)
{
	struct text_part plain = { .len = len };
	enum sniffed sniffed = SNIFF_NO;
	struct str buffer = { 0 };
	struct text_span line, rest;
	const char *next = NULL;
	bool is_thread = false;
	uint64_t number;

	plain.text = terminal_plain(text, &plain.len, &buffer);
	while (sniffed == SNIFF_NO && span_line(&plain, &next, &line)) {
		if (is_thread && take_frame_number(&line))
			sniffed = SNIFF_SURE;
		is_thread = lldb_take_number(line, &number, &rest);
	}
	str_free(&buffer);
	return sniffed;
}

const struct input_format lldb_format = {
	.name = "lldb",
	.holds = "stacks, names and tids",
	.wanted = "'* thread #1', then frames 'frame #0: 0xADDRESS module`name'",
	.has = TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS | TEXT_HAS_FILES | TEXT_HAS_LINES,
	.sniff = lldb_sniff,
	.parse = lldb_parse,
};
