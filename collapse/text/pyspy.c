/* pyspy: what "py-spy dump" prints; several dumps are several samples.  "py-spy record --format raw" writes folded text
 * instead.
 *
 *     Process 8513: python3 f.py
 *     Python v3.11.2 (/usr/bin/python3.11)
 *
 *     Thread 8520 (active+gil): "Worker 7"
 *         spin (f.py:3)
 *             Locals:                        --locals: skipped
 *                 n: 1
 *         <module> (f.py:12)
 *
 * becomes
 *
 *     Worker 7;<module> (f.py:12);spin (f.py:3) 1 */
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/stack_builder.h"
#include "collapse/parse/terminal.h"

enum { FRAME_INDENT = 4 };

struct parsing {
	struct stack_builder frames;
	struct text_labels labels;
	int32_t pid;
};

static void pyspy_end_stack(struct parsing *t)
{
	if (t->frames.count)
		stack_builder_sample_once(&t->frames, LEAF_FIRST, &t->labels);
}

/* "Process 8513: python3 f.py" */
static bool pyspy_take_process(struct text_span line, int32_t *pid)
{
	uint64_t number;

	if (!span_skip(&line, "Process ") || !span_number(&line, INT32_MAX, &number) || !span_begins(line, ":"))
		return false;
	*pid = (int32_t)number;
	return true;
}

/* "Thread 8520 (active+gil): "Worker 7"", "Thread 0x7F12C0DE (idle)": the id, the state, the name */
static bool pyspy_take_thread(struct text_span line, struct text_span *id, struct text_span *state,
			      struct text_span *name)
{
	size_t close;

	if (!span_skip(&line, "Thread "))
		return false;
	*id = span_word(&line);
	close = span_find(line, ")");
	if (!span_begins(line, " (") || close == line.len)
		return false;
	*state = (struct text_span){ line.text + 2, close - 2 };
	if (!span_begins(*state, "active") && !span_begins(*state, "idle"))
		return false;
	*name = span_after(line, close + 1);
	if (span_skip(name, ": \""))
		name->len = span_last(*name, '"');
	else
		name->len = 0;
	return true;
}

static void pyspy_begin_thread(struct parsing *t, struct text_span id, struct text_span state, struct text_span name)
{
	struct text_labels *l = &t->labels;
	struct text_span rest;
	uint64_t number;

	pyspy_end_stack(t);
	*l = TEXT_NO_LABELS;
	rest = id;
	l->tid = span_number(&rest, INT32_MAX, &number) && !rest.len ? (int32_t)number
								     : text_thread_number(id.text, id.len);
	l->pid = t->pid < 0 ? l->tid : t->pid;
	state.len = span_find(state, "+");
	l->state = text_name(t->frames.out, state.text, state.len);
	if (name.len)
		l->comm = text_name(t->frames.out, name.text, name.len);
}

static void pyspy_parse(const struct text_part *part)
{
	struct parsing t = { .frames = { .out = part->out }, .labels = TEXT_NO_LABELS, .pid = -1 };
	struct text_span line, id, state, name;
	struct text_part plain = *part;
	struct str buffer = { 0 };
	const char *next = NULL;
	int32_t pid;

	plain.text = terminal_plain(part->text, &plain.len, &buffer);
	while (span_line(&plain, &next, &line)) {
		if (pyspy_take_thread(line, &id, &state, &name)) {
			pyspy_begin_thread(&t, id, state, name);
		} else if (pyspy_take_process(line, &pid)) {
			pyspy_end_stack(&t);
			t.pid = pid;
		} else if (span_indent(line) == FRAME_INDENT) {
			stack_builder_add(&t.frames, TEXT_PLAIN, span_trim(line));
		} else if (!line.len) {
			pyspy_end_stack(&t);
		}
	}
	pyspy_end_stack(&t);
	stack_builder_free(&t.frames);
	str_free(&buffer);
}

static bool pyspy_starts(struct text_span line)
{
	return span_begins(line, "Process ");
}

static enum sniffed pyspy_sniff(const char *text, size_t len)
{
	struct text_part plain = { .len = len };
	struct text_span line, id, state, name;
	enum sniffed sniffed = SNIFF_NO;
	struct str buffer = { 0 };
	const char *next = NULL;

	plain.text = terminal_plain(text, &plain.len, &buffer);
	while (sniffed == SNIFF_NO && span_line(&plain, &next, &line)) {
		if (pyspy_take_thread(line, &id, &state, &name))
			sniffed = SNIFF_SURE;
	}
	str_free(&buffer);
	return sniffed;
}

const struct input_format pyspy_format = {
	.name = "py-spy",
	.holds = "stacks, names, tids and states",
	.wanted = "'Thread 123 (active): \"name\"', then frames 'name (file:line)'",
	.has = TEXT_HAS_STACKS | TEXT_HAS_LINES | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS | TEXT_HAS_STATES,
	.sniff = pyspy_sniff,
	.starts = pyspy_starts,
	.parse = pyspy_parse,
};
