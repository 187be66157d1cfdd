/* memleak: what bcc's memleak prints, as a Python script or as one of the libbpf-tools, and bcc's mallocstacks.
 *
 *     Attaching to pid 5193, Ctrl+C to quit.
 *     [11:16:33] Top 2 stacks with outstanding allocations:
 *     	addr = 948cd0 size = 16                           -a: skipped
 *     	80 bytes in 5 allocations from stack
 *     		0x000055b6a7ad31a2	main+0x6d [allocs]         from the leaf; older versions have no address
 *     		[unknown] [libc.so.6]
 *
 *     1024 bytes in 2 allocations from stack            libbpf-tools
 *     	0 [<0000564f6395d20a>] main+0x6d [allocs]
 *     	1 [<ffffffff8178ae2e>] vfs_read+0xbe               the kernel's
 *     	2 [<00007f34e58d44a3>] <null sym>
 *
 *     2904 bytes allocated at:                          mallocstacks
 *     	__libc_malloc+0x0
 *
 * becomes
 *
 *     [libc.so.6];main 80
 *
 * Each report of memleak lists everything that is outstanding at that time, so only the last report with stacks is
 * read. Events: bytes, allocations. */
#include <string.h>

#include "collapse/parse/event_values.h"
#include "collapse/parse/format.h"
#include "collapse/parse/stack_builder.h"

enum { BYTES, ALLOCATIONS };

struct allocations {
	struct stack_builder frames;
	struct event_values values;
	struct text_labels labels;
	struct text_value bytes, count; /* of the open stack */
	bool is_open;
};

/* "[11:16:33] Top 2 stacks with outstanding allocations:" */
static bool memleak_is_report(struct text_span line)
{
	return span_begins(line, "[") && span_has(line, "] Top ") && span_ends(line, "outstanding allocations:");
}

/* Take digits off the front of line; they may be too many for a number. */
static bool memleak_take_digits(struct text_span *line, struct text_span *digits)
{
	*digits = (struct text_span){ line->text, 0 };
	while (digits->len < line->len && is_digit(line->text[digits->len]))
		digits->len++;
	*line = span_after(*line, digits->len);
	return digits->len > 0;
}

/* Read "80 bytes in 5 allocations from stack", or "2904 bytes allocated at:" of mallocstacks, which has no count
 * (empty). */
static bool take_amount(struct text_span line, struct text_span *bytes, struct text_span *count)
{
	*count = (struct text_span){ line.text, 0 };
	line = span_after(line, span_indent(line));
	if (!memleak_take_digits(&line, bytes))
		return false;
	if (span_is(line, " bytes allocated at:"))
		return true;
	return span_skip(&line, " bytes in ") && memleak_take_digits(&line, count) &&
	       span_begins(line, " allocations from stack");
}

static void end_allocation(struct allocations *a)
{
	static const struct text_span unknown = { "[unknown]", 9 };
	uint32_t stack;

	if (!a->is_open)
		return;
	if (!a->frames.count)
		stack_builder_add(&a->frames, TEXT_PLAIN, unknown);
	stack = stack_builder_end(&a->frames, LEAF_FIRST);
	event_values_add(&a->values, BYTES, &a->bytes, stack, &a->labels);
	event_values_add(&a->values, ALLOCATIONS, &a->count, stack, &a->labels);
	a->is_open = false;
}

/* Remove the number and address from "0x000055b6a7ad31a2 main", "0 [<0000564f6395d20a>] main".  Returns whether the
 * address is the kernel's. */
static bool memleak_skip_address(struct text_span *frame)
{
	struct text_span rest = *frame, address;
	uint64_t number;
	size_t hex;

	if (span_number(&rest, UINT32_MAX, &number) && span_skip(&rest, " [<") && (hex = span_hex(rest)) &&
	    span_begins(span_after(rest, hex), ">]")) {
		address = (struct text_span){ rest.text, hex };
		*frame = span_trim(span_after(rest, hex + 2));
		return hex == 16 && span_begins(address, "ffff");
	}
	hex = span_begins(*frame, "0x") ? span_hex(*frame) : 0;
	if (!hex || (hex < frame->len && !is_blank(frame->text[hex])))
		return false;
	rest = *frame;
	*frame = span_trim(span_after(rest, hex));
	return hex == 18 && span_begins(rest, "0xffff");
}

/* Take the module, "allocs", off the end of "main+0x6d [allocs]"; empty: there is none. */
static struct text_span memleak_take_module(struct text_span *frame)
{
	size_t open = span_last(*frame, '[');
	struct text_span module = { frame->text, 0 };

	if (open < frame->len && span_ends(*frame, "]") && (!open || is_blank(frame->text[open - 1]))) {
		module = (struct text_span){ frame->text + open + 1, frame->len - open - 2 };
		frame->len = open;
		*frame = span_trim_end(*frame);
	}
	return module;
}

static void memleak_take_frame(struct stack_builder *b, struct text_span frame)
{
	static const struct text_span unknown = { "[unknown]", 9 };
	bool is_kernel = memleak_skip_address(&frame);
	struct text_span module = memleak_take_module(&frame);
	size_t plus;

	is_kernel |= span_begins(module, "kernel");
	plus = span_find(frame, "+0x"); /* behind it, some have "file:line" */
	if (plus && plus < frame.len)
		frame.len = plus;
	if (frame.len && !span_is(frame, "[unknown]") && !span_is(frame, "<null sym>"))
		stack_builder_add_function(b, is_kernel ? TEXT_KERNEL : TEXT_PLAIN, frame);
	else if (module.len && !span_is(module, "unknown"))
		stack_builder_add_module(b, is_kernel ? TEXT_KERNEL : TEXT_PLAIN, module);
	else
		stack_builder_add(b, TEXT_PLAIN, unknown);
}

/* "Attaching to pid 5193, Ctrl+C to quit.", "Attaching to malloc in pid 886, Ctrl+C to quit." */
static void memleak_take_pid(struct text_labels *labels, struct text_span line)
{
	size_t at = span_find(line, "pid ");
	uint64_t pid;

	line = span_after(line, at < line.len ? at + strlen("pid ") : at);
	if (span_number(&line, INT32_MAX, &pid))
		labels->pid = labels->tid = (int32_t)pid;
}

static void begin_allocation(struct allocations *a, struct text_span bytes, struct text_span count)
{
	end_allocation(a);
	a->count = (struct text_value){ 0 };
	a->is_open = stack_value(a->frames.out, bytes, &a->bytes) &&
		     (!count.len || stack_value(a->frames.out, count, &a->count));
}

static void memleak_take_line(struct allocations *a, struct text_span line)
{
	struct text_span bytes, count;

	span_skip(&line, "^C");
	if (take_amount(line, &bytes, &count))
		begin_allocation(a, bytes, count);
	else if (span_begins(line, "Attaching to "))
		memleak_take_pid(&a->labels, line);
	else if (a->is_open && span_indent(line) && !span_begins(span_trim(line), "addr = "))
		memleak_take_frame(&a->frames, span_trim(line));
	else if (!span_indent(line))
		end_allocation(a);
}

/* The beginning of the last report with stacks; part->text: there is none, or only one. */
static const char *last_report(const struct text_part *part)
{
	const char *next = NULL, *report = part->text, *last = part->text;
	struct text_span line, bytes, count;

	while (span_line(part, &next, &line)) {
		if (memleak_is_report(line))
			report = line.text;
		else if (take_amount(line, &bytes, &count))
			last = report;
	}
	return last;
}

static void memleak_parse(const struct text_part *part)
{
	const struct text_span bytes = { "bytes", 5 }, allocations = { "allocations", 11 };
	struct allocations a = { .frames = { .out = part->out },
				 .values = { .out = part->out },
				 .labels = TEXT_NO_LABELS };
	const char *last = last_report(part), *next = NULL;
	struct text_span line;

	event_values_name(&a.values, bytes, bytes);
	event_values_name(&a.values, allocations, allocations);
	while (span_line(part, &next, &line)) {
		if (line.text >= last || span_begins(line, "Attaching to "))
			memleak_take_line(&a, line);
	}
	end_allocation(&a);
	event_values_end(&a.values);
	stack_builder_free(&a.frames);
}

static enum sniffed memleak_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	struct text_span line, bytes, count;
	const char *next = NULL;

	while (span_line(&part, &next, &line)) {
		if (memleak_is_report(line))
			return SNIFF_SURE;
		if (take_amount(line, &bytes, &count) && span_line(&part, &next, &line) && span_begins(line, "\t"))
			return SNIFF_SURE;
	}
	return SNIFF_NO;
}

const struct input_format memleak_format = {
	.name = "memleak",
	.holds = "stacks with bytes and allocations",
	.wanted = "'80 bytes in 5 allocations from stack' or '80 bytes allocated at:', then frames",
	.has = TEXT_HAS_STACKS | TEXT_HAS_PIDS | TEXT_HAS_EVENTS,
	.sniff = memleak_sniff,
	.parse = memleak_parse,
};
