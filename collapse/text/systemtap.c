/* systemtap: stacks with counts, from "foreach (s in stacks) { print_stack(s); printf("%d\n", stacks[s]) }".
 *
 *      0xffffffff8107f9d4 : default_idle+0x24/0x100 [kernel]
 *      0x4005d6 : main+0x9/0x20 [/usr/bin/my worker] (inexact)
 *             13
 *
 * becomes
 *
 *     main;default_idle 13 */
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/stack_builder.h"

/* " 0xffffffff8107f9d4 : " at the front of a line: its length, else 0 */
static size_t address_length(struct text_span line)
{
	size_t indent = span_indent(line), hex;
	struct text_span rest = span_after(line, indent);

	hex = span_begins(rest, "0x") ? span_hex(rest) : 0;
	rest = span_after(rest, hex);
	return hex > 2 && span_begins(rest, " : ") ? indent + hex + 3 : 0;
}

static bool is_value(struct text_span line)
{
	return span_is_digits(span_trim(line));
}

/* "default_idle+0x24/0x100 [kernel]"; without a name, there is the address again. */
static void take_frame(struct stack_builder *frames, struct text_span text)
{
	enum text_kind kind = TEXT_PLAIN;
	struct text_span module = { "", 0 };
	size_t open = span_find(text, " ["), plus;

	if (open < text.len) {
		module = span_after(text, open + 2);
		module.len = span_last(module, ']');
		text.len = open;
		kind = module.len && module.text[0] != '/' ? TEXT_KERNEL : TEXT_PLAIN;
	}
	plus = span_last(text, '+');
	if (plus < text.len && span_begins(span_after(text, plus + 1), "0x"))
		text.len = plus;
	if (span_begins(text, "0x") && module.len)
		stack_builder_add_module(frames, kind, module);
	else
		stack_builder_add_function(frames, kind, text);
}

static void parse(const struct text_part *part)
{
	struct stack_builder frames = { .out = part->out };
	const char *next = NULL;
	struct text_value value;
	struct text_span line;

	while (span_line(part, &next, &line)) {
		size_t n = address_length(line);

		if (n) {
			take_frame(&frames, span_trim(span_after(line, n)));
		} else if (is_value(line)) {
			if (stack_value(part->out, span_trim(line), &value))
				stack_builder_sample(&frames, LEAF_FIRST, &value, &TEXT_NO_LABELS);
			frames.count = 0;
		} else if (span_trim(line).len && frames.count) {
			text_wrong(part->out, line.text, "neither a frame nor a value");
		}
	}
	if (frames.count)
		text_wrong(part->out, part->text + part->len, "a stack without a value");
	stack_builder_free(&frames);
}

static size_t split(const char *text, size_t len)
{
	return split_after(text, len, is_value);
}

static enum sniffed sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL;
	struct text_span line;
	bool frames = false;

	while (span_line(&part, &next, &line)) {
		if (frames && is_value(line))
			return SNIFF_SURE;
		frames |= address_length(line) > 0;
	}
	return frames ? SNIFF_MAYBE : SNIFF_NO;
}

const struct input_format systemtap_format = {
	.name = "systemtap",
	.holds = "stacks",
	.wanted = "frames '0xADDRESS : name+0x1/0x2 [module]', then a value",
	.has = TEXT_HAS_STACKS,
	.sniff = sniff,
	.split = split,
	.parse = parse,
};
