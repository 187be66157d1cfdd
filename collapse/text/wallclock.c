/* wallclock: what wallClockProfiler prints.
 *
 *     Full stacks
 *
 *     99.79% ===================================== (17194 samples)
 *           1: poll__YNjd8fE6   (at /srv/asyncloop.nim:343)
 *           2: NimMain   (at /srv/main.nim:12)
 *
 * becomes
 *
 *     NimMain;poll__YNjd8fE6 17194 */
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/stack_builder.h"

struct parsing {
	struct stack_builder frames;
	struct text_value samples;
	bool has_samples;
};

static bool text_wallclock_is_heading(struct text_span line)
{
	return span_begins(span_trim(line), "Full stacks");
}

static void text_wallclock_end_stack(struct parsing *t)
{
	if (t->frames.count && t->has_samples)
		stack_builder_sample(&t->frames, LEAF_FIRST, &t->samples, &TEXT_NO_LABELS);
	else if (t->frames.count)
		t->frames.count = 0;
	t->has_samples = false;
}

/* "99.79% ==== (17194 samples)": the number */
static bool text_wallclock_take_samples(struct text_span line, struct text_span *number)
{
	size_t open = span_find(line, "% ");

	if (!line.len || !is_digit(line.text[0]) || open == line.len || !span_ends(line, " samples)"))
		return false;
	open = span_last(line, '(');
	*number = span_after(line, open + (open < line.len));
	number->len = span_find(*number, " samples)");
	return true;
}

/* "1: poll__YNjd8fE6   (at /srv/asyncloop.nim:343)" */
static bool text_wallclock_take_frame(struct stack_builder *frames, struct text_span line)
{
	uint64_t number;

	if (!span_number(&line, UINT64_MAX, &number) || !span_skip(&line, ": "))
		return false;
	line.len = span_find_last(line, " (at ");
	stack_builder_add_function(frames, TEXT_PLAIN, span_trim(line));
	return true;
}

static void text_wallclock_parse(const struct text_part *part)
{
	struct parsing t = { .frames = { .out = part->out } };
	const char *next = NULL;
	bool begun = false;
	struct text_span line, number;

	while (span_line(part, &next, &line)) {
		line = span_trim(line);
		if (text_wallclock_is_heading(line)) {
			begun = true;
		} else if (!begun) {
			continue;
		} else if (text_wallclock_take_samples(line, &number)) {
			text_wallclock_end_stack(&t);
			t.has_samples = stack_value(part->out, number, &t.samples);
		} else if (!text_wallclock_take_frame(&t.frames, line)) {
			text_wallclock_end_stack(&t);
		}
	}
	text_wallclock_end_stack(&t);
	stack_builder_free(&t.frames);
}

static enum sniffed text_wallclock_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL;
	struct text_span line, number;
	bool begun = false;

	while (span_line(&part, &next, &line)) {
		begun |= text_wallclock_is_heading(line);
		if (begun && text_wallclock_take_samples(span_trim(line), &number))
			return SNIFF_SURE;
	}
	return SNIFF_NO;
}

const struct input_format wallclock_format = {
	.name = "wallclock",
	.holds = "stacks",
	.wanted = "'50.0% === (12 samples)', then frames '1: function'",
	.has = TEXT_HAS_STACKS,
	.sniff = text_wallclock_sniff,
	.parse = text_wallclock_parse,
};
