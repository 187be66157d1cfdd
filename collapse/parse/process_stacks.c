#include "collapse/parse/process_stacks.h"

#include <string.h>

static void process_stacks_end_stack(struct stack_builder *frames, const struct text_labels *labels)
{
	if (frames->count)
		stack_builder_sample_once(frames, LEAF_FIRST, labels);
}

/* "---------- tid# 12345 (pthread ID: 1) ----------" */
static bool process_stacks_take_thread(const struct process_stacks *p, struct text_span line, int32_t *tid)
{
	size_t at = span_find(line, p->thread);
	struct text_span rest = span_after(line, at < line.len ? at + strlen(p->thread) : at);
	uint64_t number;

	if (!span_begins(line, "-----") || !span_number(&rest, INT32_MAX, &number))
		return false;
	*tid = (int32_t)number;
	return true;
}

void process_stacks_parse(const struct process_stacks *p, const struct text_part *part)
{
	struct stack_builder frames = { .out = part->out };
	struct text_labels labels = TEXT_NO_LABELS;
	struct text_span line, command;
	const char *next = NULL;
	int32_t id;

	while (span_line(part, &next, &line)) {
		if (p->take_process(line, &id, &command)) {
			process_stacks_end_stack(&frames, &labels);
			labels.pid = labels.tid = id;
			labels.comm = text_name(part->out, command.text, command.len);
		} else if (process_stacks_take_thread(p, line, &id)) {
			process_stacks_end_stack(&frames, &labels);
			labels.tid = id;
		} else if (p->is_frame(line) && !p->take_frame(&frames, line)) {
			text_wrong(part->out, line.text, p->wanted);
		}
	}
	process_stacks_end_stack(&frames, &labels);
	stack_builder_free(&frames);
}

enum sniffed process_stacks_sniff(const struct process_stacks *p, const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	struct text_span line, command;
	const char *next = NULL;
	bool process = false;
	int32_t id;

	while (span_line(&part, &next, &line)) {
		if (process &&
		    (process_stacks_take_thread(p, line, &id) || (p->is_frame(line) && p->take_frame(NULL, line))))
			return SNIFF_SURE;
		process = p->take_process(line, &id, &command);
	}
	return SNIFF_NO;
}

bool process_stacks_start(const struct process_stacks *p, struct text_span text)
{
	const char *newline = memchr(text.text, '\n', text.len);
	struct text_span command;
	int32_t pid;

	text.len = newline ? (size_t)(newline - text.text) : text.len;
	return p->take_process(text, &pid, &command);
}
