/* ljp: traces of the Lightweight Java Profiler.
 *
 *         5109 3 com.example.App.read(App.java:12)      samples, frames, the leaf
 *                com.example.App.run(App.java:20)
 *                java.lang.Thread.run(Thread.java:748)
 *     Total trace count = 5109
 *
 * becomes
 *
 *     java.lang.Thread.run;com.example.App.run;com.example.App.read 5109 */
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/stack_builder.h"

/* Read "  5109 3 com.example.App.read(App.java:12)": returns the samples, and moves line to the frame. */
static bool ljp_take_samples(struct text_span *line, struct text_span *samples)
{
	struct text_span rest = *line, frames;

	*samples = span_word(&rest);
	frames = span_word(&rest);
	if (!span_is_digits(*samples) || !frames.len || !is_digit(frames.text[0]) || !span_trim(rest).len)
		return false;
	*line = rest;
	return true;
}

static void ljp_take_frame(struct stack_builder *frames, struct text_span line)
{
	struct text_span name = span_trim(line), source;
	struct text_source at = { 0 };
	size_t open = span_last(name, '(');
	uint64_t number;

	source = span_after(name, open + (open < name.len));
	name.len = open;
	at = (struct text_source){ source.text, span_find(source, ":"), 0 };
	source = span_after(source, at.len);
	at.line = span_skip(&source, ":") && span_number(&source, UINT32_MAX, &number) ? (uint32_t)number : 0;
	if (name.len)
		stack_builder_add_number(frames, text_frame_at(frames->out, TEXT_PLAIN, name.text, name.len,
							       at.line ? at : (struct text_source){ 0 }));
}

static bool is_total(struct text_span line)
{
	return span_begins(span_trim(line), "Total ");
}

/* Does this line begin a stack, or the end of the text? */
static bool is_next(struct text_span line)
{
	size_t indent = span_indent(line);

	return indent < line.len && (is_digit(line.text[indent]) || is_total(line));
}

/* The stack of the frames in these lines, whose first one begins with a frame. */
static uint32_t ljp_parse_stack(void *frames, const struct text_part *lines)
{
	const char *next = NULL;
	struct text_span line;

	while (span_line(lines, &next, &line))
		ljp_take_frame(frames, line);
	return stack_builder_end(frames, LEAF_FIRST);
}

static void ljp_take_stack(struct stack_builder *frames, const struct text_part *part, struct text_span samples,
			   const char *start, const char **next)
{
	uint32_t stack = stack_of_lines(part, start, next, is_next, ljp_parse_stack, frames);
	struct text_value value;

	if (stack_value(part->out, samples, &value))
		stack_sample(part->out, stack, &value, &TEXT_NO_LABELS);
}

static void ljp_parse(const struct text_part *part)
{
	struct stack_builder frames = { .out = part->out };
	struct text_span line, samples;
	const char *next = NULL;

	while (span_line(part, &next, &line) && !is_total(line)) {
		if (ljp_take_samples(&line, &samples))
			ljp_take_stack(&frames, part, samples, line.text, &next);
		else if (span_trim(line).len)
			text_wrong(part->out, line.text, "a frame without a number of samples");
	}
	stack_builder_free(&frames);
}

static bool ljp_starts(struct text_span line)
{
	size_t indent = span_indent(line);

	return indent < line.len && is_digit(line.text[indent]);
}

/* "com.example.App.run(App.java:20)", "java.lang.Object.wait(Native Method)" */
static bool ljp_is_frame(struct text_span line)
{
	line = span_trim(line);
	return span_ends(line, ")") && span_has(line, ".") && span_has(line, "(") && !span_begins(line, "at ");
}

static enum sniffed ljp_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	struct text_span line, samples;
	const char *next = NULL;

	if (!span_line(&part, &next, &line) || !ljp_take_samples(&line, &samples) || !ljp_is_frame(line))
		return SNIFF_NO;
	return span_line(&part, &next, &line) && span_indent(line) &&
			       (ljp_is_frame(line) || ljp_take_samples(&line, &samples))
		       ? SNIFF_SURE
		       : SNIFF_MAYBE;
}

const struct input_format ljp_format = {
	.name = "ljp",
	.holds = "stacks",
	.wanted = "'samples frames function', then a function in each line",
	.has = TEXT_HAS_STACKS | TEXT_HAS_LINES,
	.sniff = ljp_sniff,
	.starts = ljp_starts,
	.parse = ljp_parse,
};
