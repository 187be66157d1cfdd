/* gdb: backtraces, from "thread apply all bt" or gdb's pstack; several dumps are several samples.
 *
 *     Thread 2 (Thread 0x7f61b11fe6c0 (LWP 8530) "dw-20"):
 *     #0  0x00007f61b1a0e7aa in __futex_abstimed_wait_common (futex_word=0x5581, private=0) at ./nptl/futex.c:57
 *     #1  0x0000555555401234 in std::unique_lock<std::mutex>::lock (this=0x7f61b11fdd50,   in several lines
 *         other=...) at /usr/include/c++/12/bits/unique_lock.h:139
 *     #2  Pool::operator() (this=0x1) at pool.cc:12              no address: #1 was inlined into it
 *     #3  <signal handler called>
 *     #4  0x00007f61b1a0c000 in ?? () from /lib/libfoo.so.1
 *
 * becomes
 *
 *     dw-20;[libfoo.so.1];<signal handler called>;Pool::operator();std::unique_lock<std::mutex>::lock;__futex... 1
 *
 * Text that "bt full" prints between frames is skipped, and so is everything that gdb prints in a session: "(gdb) "
 * before a line, questions about the next page, single frames of "up" or "thread 2", colours. */
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/function_name.h"
#include "collapse/parse/stack_builder.h"
#include "collapse/parse/terminal.h"

struct parsing {
	struct stack_builder frames;
	struct text_labels labels;
	bool is_signal;  /* the last frame is that of a signal */
	bool is_session; /* a prompt was seen, so that frames may be shown one by one */
	bool is_shown;   /* the next stack is a single frame, shown by a command */
};

/* Remove the prompt from the front of a line, or the question about the next page. */
static bool skip_prompt(struct text_span *line)
{
	static const char *const prompts[] = {
		"(gdb) ",
		"--Type <RET> for more, q to quit, c to continue without paging--",
		"---Type <return> to continue, or q <return> to quit---",
	};
	bool found = false;

	for (size_t i = 0; i < sizeof(prompts) / sizeof(*prompts); i++) {
		while (span_skip(line, prompts[i]))
			found |= !i;
	}
	return found;
}

/* The length of "#12  " at the front of a line; 0: the line is something else. */
static size_t number_length(struct text_span line, uint64_t *number)
{
	struct text_span rest = line;

	skip_prompt(&rest);
	if (!span_skip(&rest, "#") || !span_number(&rest, UINT32_MAX, number) || !span_indent(rest))
		return 0;
	rest = span_after(rest, span_indent(rest));
	return (size_t)(rest.text - line.text);
}

/* "?? () from /lib/libfoo.so.1" */
static bool gdb_add_unnamed(struct parsing *t, struct text_span call)
{
	static const struct text_span unknown = { "[unknown]", 9 };
	size_t from = span_find(call, " from ");

	if (!span_begins(call, "?? ("))
		return false;
	if (from < call.len)
		stack_builder_add_module(&t->frames, TEXT_PLAIN, span_trim(span_after(call, from + 6)));
	else
		stack_builder_add(&t->frames, TEXT_PLAIN, unknown);
	return true;
}

/* A caller without an address is the function into which the one above it was inlined, unless a signal interrupted
 * it. */
static void mark_inlined(struct parsing *t)
{
	struct stack_builder *b = &t->frames;

	if (b->count && !t->is_signal && b->frames[b->count - 1] % TEXT_KINDS == TEXT_PLAIN)
		b->frames[b->count - 1] += TEXT_INLINED;
}

/* The source in "... (x=1) at ./nptl/futex.c:57", at the end of a frame's only or last line. */
static bool gdb_take_source(struct text_span line, struct text_source *source)
{
	size_t end = line.len;

	if (!line.len || !is_digit(line.text[line.len - 1]))
		return false;
	while (end && !span_begins(span_after(line, end), ") at "))
		end--;
	if (!end)
		return false;
	*source = source_line_of(span_after(line, end + strlen(") at ")));
	return source->line > 0;
}

/* The source of the frame that begins on this line.  Its arguments may continue on the lines up to the next frame. */
static struct text_source source_of(const struct text_part *lines, struct text_span line, const char *next)
{
	struct text_source source = { 0 };
	uint64_t number;

	while (!gdb_take_source(line, &source)) {
		if (!span_line(lines, &next, &line) || !span_indent(line) || number_length(line, &number))
			return (struct text_source){ 0 };
	}
	return source;
}

/* Read "0x00007f61b1a0e7aa in f (x=1) at f.c:57", without the number before it. */
static void gdb_take_frame(struct parsing *t, struct text_span call, uint64_t number, struct text_source source)
{
	size_t hex = span_begins(call, "0x") ? span_hex(call) : 0;
	struct text_span name;

	if (hex && span_begins(span_after(call, hex), " in "))
		call = span_after(call, hex + 4);
	else if (number && call.len && call.text[0] != '<')
		mark_inlined(t);
	if (gdb_add_unnamed(t, call))
		return;
	name = (struct text_span){ call.text, function_name_before_list(call.text, call.len) };
	if (source.line && t->frames.out->setup->lines)
		source_line_add(&t->frames, TEXT_PLAIN, function_name_clean(name, &t->frames.name), source);
	else
		stack_builder_add_function(&t->frames, TEXT_PLAIN, name);
	t->is_signal = span_begins(call, "<signal handler");
}

/* "Thread 2 (Thread 0x7f61b11fe6c0 (LWP 8530) "dw-20"):", "Thread 1 (process 8513):" */
static void gdb_take_thread(struct parsing *t, struct text_span line)
{
	size_t quote = span_find(line, "\""), lwp = span_find(line, "LWP "), process = span_find(line, "(process ");
	struct text_span rest;
	uint64_t number;

	t->labels = TEXT_NO_LABELS;
	rest = span_after(line, lwp < line.len ? lwp + 4 : process < line.len ? process + 9 : line.len);
	if (span_number(&rest, INT32_MAX, &number))
		t->labels.pid = t->labels.tid = (int32_t)number;
	rest = span_after(line, quote < line.len ? quote + 1 : line.len);
	rest.len = rest.len ? span_last(rest, '"') : 0;
	if (rest.len)
		t->labels.comm = text_name(t->frames.out, rest.text, rest.len);
}

static bool gdb_starts(struct text_span line)
{
	return span_begins(line, "Thread ");
}

/* Is this line behind a stack? */
static bool gdb_is_end(struct text_span line)
{
	size_t len = line.len;

	if (skip_prompt(&line))
		return true;
	if (!line.len && len) /* the next page */
		return false;
	return !line.len || span_begins(line, "#0 ") || gdb_starts(line);
}

/* Parse the frames in these lines. */
static uint32_t gdb_parse_stack(void *parsing, const struct text_part *lines)
{
	struct parsing *t = parsing;
	const char *next = NULL;
	struct text_span line;
	uint64_t number;

	t->is_signal = false;
	while (span_line(lines, &next, &line)) {
		size_t n = number_length(line, &number);

		if (n)
			gdb_take_frame(t, span_after(line, n), number, source_of(lines, line, next));
	}
	return stack_builder_end(&t->frames, LEAF_FIRST);
}

static void gdb_take_stack(struct parsing *t, const struct text_part *part, const char *start, const char **next)
{
	const struct text_value once = { .whole = 1 };

	stack_sample(part->out, stack_of_lines(part, start, next, gdb_is_end, gdb_parse_stack, t), &once, &t->labels);
}

/* Is it "[Switching to thread 2 (Thread 0x7f61b11fe6c0 (LWP 8530))]", below which a frame of that thread is shown? */
static bool take_switch(struct parsing *t, struct text_span line)
{
	if (!span_begins(line, "[Switching to thread ") && !span_begins(line, "[Switching to Thread "))
		return false;
	gdb_take_thread(t, line);
	t->is_shown = true;
	return true;
}

static void gdb_take_line(struct parsing *t, const struct text_part *part, struct text_span line, const char **next)
{
	uint64_t number;
	const char *start = line.text;

	if (skip_prompt(&line)) {
		t->labels = TEXT_NO_LABELS;
		t->is_session = true;
		t->is_shown = false;
	}
	if (gdb_starts(line)) {
		gdb_take_thread(t, line);
	} else if (!take_switch(t, line) && number_length(line, &number)) {
		if (!t->is_shown && (!number || !t->is_session))
			gdb_take_stack(t, part, start, next);
		t->is_shown = false;
	}
}

static void gdb_parse(const struct text_part *part)
{
	struct parsing t = { .frames = { .out = part->out }, .labels = TEXT_NO_LABELS };
	struct text_part plain = *part;
	struct str buffer = { 0 };
	const char *next = NULL;
	struct text_span line;

	plain.text = terminal_plain(part->text, &plain.len, &buffer);
	while (span_line(&plain, &next, &line))
		gdb_take_line(&t, &plain, line, &next);
	stack_builder_free(&t.frames);
	str_free(&buffer);
}

static enum sniffed sniff_plain(const struct text_part *part)
{
	const char *next = NULL;
	struct text_span line;
	bool sure = false;
	uint64_t number;

	while (span_line(part, &next, &line)) {
		size_t n;
		struct text_span call;

		sure |= skip_prompt(&line); /* ... or a thread */
		sure |= gdb_starts(line) && (span_has(line, "LWP ") || span_has(line, "(process "));
		n = number_length(line, &number);
		call = span_after(line, n);
		if (span_begins(line, "TID "))
			return SNIFF_NO;
		if (n && !number && span_has(call, " (") && (sure || span_has(call, " in ")))
			return SNIFF_SURE;
	}
	return SNIFF_NO;
}

/* Unlike gdb, eu-stack prints neither arguments nor such headings of threads. */
static enum sniffed gdb_sniff(const char *text, size_t len)
{
	struct text_part plain = { .len = len };
	struct str buffer = { 0 };
	enum sniffed sniffed;

	plain.text = terminal_plain(text, &plain.len, &buffer);
	sniffed = sniff_plain(&plain);
	str_free(&buffer);
	return sniffed;
}

const struct input_format gdb_format = {
	.name = "gdb",
	.holds = "stacks, names and tids",
	.wanted = "'Thread 1 (LWP 123)', then frames '#0 0xADDRESS in name (arguments)'",
	.has = TEXT_HAS_STACKS | TEXT_HAS_LINES | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS,
	.sniff = gdb_sniff,
	.starts = gdb_starts,
	.parse = gdb_parse,
};
