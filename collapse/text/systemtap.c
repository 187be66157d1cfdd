/* systemtap: stacks with counts, from "foreach (s in stacks) { print_stack(s); printf("%d\n", stacks[s]) }".
 *
 *      0xffffffff8107f9d4 : default_idle+0x24/0x100 [kernel]
 *      0x7f3c1a2445 [/lib/libc-2.17.so+0x21445/0x3c8000]         no symbol, ...
 *      0x7f3c1a2b00                                              ... nor module
 *      0x4005d6 : main+0x9/0x20 [/usr/bin/my worker] (inexact)
 *             13
 *
 * becomes
 *
 *     main;0x7f3c1a2b00;[libc-2.17.so];default_idle 13 */
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/stack_builder.h"

/* The text after a frame's address: "default_idle+0x24/0x100 [kernel]", "[/lib/libc-2.17.so+0x21445/0x3c8000]", or the
 * address itself; empty if the line is not a frame.  *named is set if there is a name before the module. */
static struct text_span after_address(struct text_span line, bool *named)
{
	struct text_span address = span_trim(line), rest;
	size_t hex = span_begins(address, "0x") ? span_hex(address) : 0;

	rest = span_after(address, hex);
	*named = !span_begins(rest, " [");
	if (hex <= 2)
		return (struct text_span){ line.text, 0 };
	if (span_begins(rest, " : "))
		return span_trim(span_after(rest, 3));
	if (span_begins(rest, " ["))
		return span_after(rest, 1);
	return (struct text_span){ address.text, !rest.len || span_begins(rest, " (") ? hex : 0 };
}

static bool systemtap_is_value(struct text_span line)
{
	return span_is_digits(span_trim(line));
}

static struct text_span systemtap_without_offset(struct text_span name)
{
	size_t plus = span_last(name, '+');

	if (plus < name.len && span_begins(span_after(name, plus + 1), "0x"))
		name.len = plus;
	return name;
}

static void systemtap_take_frame(struct stack_builder *frames, struct text_span text, bool named)
{
	enum text_kind kind = TEXT_PLAIN;
	struct text_span module = { "", 0 };
	size_t open = named ? span_find_last(text, " [") : 0;

	if (open < text.len) {
		module = span_after(text, open + 1 + (open > 0));
		module.len = span_last(module, ']');
		module = systemtap_without_offset(module);
		text.len = open;
		kind = module.len && module.text[0] != '/' ? TEXT_KERNEL : TEXT_PLAIN;
	}
	text = systemtap_without_offset(text);
	if (module.len && (!text.len || span_begins(text, "0x")))
		stack_builder_add_module(frames, kind, module);
	else
		stack_builder_add_function(frames, kind, text);
}

static void systemtap_parse(const struct text_part *part)
{
	struct stack_builder frames = { .out = part->out };
	const char *next = NULL;
	struct text_value value;
	struct text_span line;

	while (span_line(part, &next, &line)) {
		bool named;
		struct text_span frame = after_address(line, &named);

		if (frame.len) {
			systemtap_take_frame(&frames, frame, named);
		} else if (systemtap_is_value(line)) {
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

static enum sniffed systemtap_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL;
	struct text_span line, frame;
	bool frames = false, named;

	while (span_line(&part, &next, &line)) {
		if (frames && systemtap_is_value(line))
			return SNIFF_SURE;
		frame = after_address(line, &named);
		frames |= frame.len && (span_has(frame, "[") || !span_begins(frame, "0x"));
	}
	return frames ? SNIFF_MAYBE : SNIFF_NO;
}

const struct input_format systemtap_format = {
	.name = "systemtap",
	.holds = "stacks",
	.wanted = "frames '0xADDRESS : name+0x1/0x2 [module]', then a value",
	.has = TEXT_HAS_STACKS,
	.sniff = systemtap_sniff,
	.ends = systemtap_is_value,
	.parse = systemtap_parse,
};
