#include "collapse/parse/process_stacks.h"

static void end_stack(struct stack_builder *frames, const struct text_labels *labels)
{
	if (frames->count)
		stack_builder_sample_once(frames, LEAF_FIRST, labels);
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
			end_stack(&frames, &labels);
			labels.pid = labels.tid = id;
			labels.comm = text_name(part->out, command.text, command.len);
		} else if (p->take_thread(line, &id)) {
			end_stack(&frames, &labels);
			labels.tid = id;
		} else if (p->is_frame(line) && !p->take_frame(&frames, line)) {
			text_wrong(part->out, line.text, p->wanted);
		}
	}
	end_stack(&frames, &labels);
	stack_builder_free(&frames);
}

bool process_stacks_are_in(const struct process_stacks *p, const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	struct text_span line, command;
	const char *next = NULL;
	bool process = false;
	int32_t id;

	while (span_line(&part, &next, &line)) {
		if (process && (p->take_thread(line, &id) || (p->is_frame(line) && p->take_frame(NULL, line))))
			return true;
		process = p->take_process(line, &id, &command);
	}
	return false;
}
