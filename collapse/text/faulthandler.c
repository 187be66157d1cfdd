/* faulthandler: tracebacks that Python's faulthandler prints; several dumps are several samples.
 *
 *     Timeout (0:00:00.200000)!
 *     Thread 0x00007ff26bfff6c0 [Worker 7] (most recent call first):     a name since Python 3.14
 *       File "/srv/f.py", line 3 in spin
 *       File "/srv/f.py", line 9 in <module>
 *       ...                                                              after 100 frames
 *
 * becomes
 *
 *     Worker 7;[truncated];/srv/f.py:9:<module>;/srv/f.py:3:spin 1 */
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/stack_builder.h"

#define UNNAMED "Stack (most recent call first):" /* of only one thread: all_threads=False */

static bool faulthandler_starts(struct text_span line)
{
	return span_begins(line, "Thread 0x") || span_begins(line, "Current thread 0x");
}

/* "Thread 0x00007ff26bfff6c0 (most recent call first):", "Current thread ..." */
static bool faulthandler_is_thread(struct text_span line)
{
	return faulthandler_starts(line) && span_ends(line, "(most recent call first):");
}

static void faulthandler_take_thread(struct text_stacks *s, struct text_span line, struct text_labels *labels)
{
	size_t open = span_find(line, " ["), close = span_last(line, ']');

	*labels = TEXT_NO_LABELS;
	if (open < close && close < line.len)
		labels->comm = text_name(s, line.text + open + 2, close - open - 2);
}

/* Turn "  File "/srv/f.py", line 3 in spin" into "/srv/f.py:3:spin", in text. */
static bool faulthandler_take_frame(struct stack_builder *frames, struct text_span line, struct str *text)
{
	size_t quote, in;

	if (!span_skip(&line, "  File \""))
		return false;
	quote = span_find(line, "\", line ");
	str_clear(text);
	str_add(text, line.text, quote);
	line = span_after(line, quote < line.len ? quote + 8 : line.len);
	in = span_find(line, " in ");
	if (in == line.len) {
		text_wrong(frames->out, line.text, "no 'line N in name'");
		return true;
	}
	str_addc(text, ':');
	str_add(text, line.text, in);
	str_addc(text, ':');
	line = span_after(line, in + 4);
	str_add(text, line.text, line.len);
	stack_builder_add(frames, TEXT_PLAIN, (struct text_span){ text->buf, text->len });
	return true;
}

static void faulthandler_end_stack(struct stack_builder *frames, const struct text_labels *labels)
{
	if (frames->count)
		stack_builder_sample_once(frames, LEAF_FIRST, labels);
}

static void faulthandler_parse(const struct text_part *part)
{
	static const struct text_span truncated = { "[truncated]", 11 };
	struct stack_builder frames = { .out = part->out };
	struct text_labels labels = TEXT_NO_LABELS;
	struct str text = { 0 };
	const char *next = NULL;
	struct text_span line;

	while (span_line(part, &next, &line)) {
		if (span_is(line, "  ...") && frames.count)
			stack_builder_add(&frames, TEXT_PLAIN, truncated);
		if (faulthandler_take_frame(&frames, line, &text) || span_begins(line, "  "))
			continue;
		faulthandler_end_stack(&frames, &labels);
		if (faulthandler_is_thread(line))
			faulthandler_take_thread(part->out, line, &labels);
		else if (span_is(line, UNNAMED))
			labels = TEXT_NO_LABELS;
	}
	faulthandler_end_stack(&frames, &labels);
	stack_builder_free(&frames);
	str_free(&text);
}

static enum sniffed faulthandler_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL;
	struct text_span line;

	while (span_line(&part, &next, &line)) {
		if (faulthandler_is_thread(line) || span_is(line, UNNAMED))
			return SNIFF_SURE;
	}
	return SNIFF_NO;
}

const struct input_format faulthandler_format = {
	.name = "faulthandler",
	.holds = "stacks and names",
	.wanted = "'  File \"path\", line 1 in name'",
	.has = TEXT_HAS_STACKS | TEXT_HAS_LINES | TEXT_HAS_COMMS,
	.sniff = faulthandler_sniff,
	.starts = faulthandler_starts,
	.parse = faulthandler_parse,
};
