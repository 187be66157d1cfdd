/* eu-stack: what eu-stack of elfutils prints of a process; several dumps are several samples.
 *
 *     PID 9035 - process
 *     TID 9037:
 *     #0  0x0000564f6395d20a inl - /opt/my app/t                    -i, -m: the address of the
 *         /opt/my app/t.cc:8:237                                       next frame: inlined into it
 *     #1  0x0000564f6395d20a void run<Work>(Work, char const*) - /opt/my app/t
 *     #2  0x00007f34e58d44a3 - 1 start_thread                       -v
 *     #3  0x00007f34e57278ec                                        no name
 *
 * becomes
 *
 *     [unknown];start_thread;void run<Work>;inl 1 */
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/function_name.h"
#include "collapse/parse/stack_builder.h"

struct parsing {
	struct stack_builder frames;
	struct text_labels labels;
	int32_t pid;
	struct text_span address; /* of the last frame */
};

/* "PID 9035", "TID 9037:" */
static bool eustack_take_id(struct text_span line, const char *word, int32_t *id)
{
	uint64_t number;

	if (!span_skip(&line, word) || !span_number(&line, INT32_MAX, &number))
		return false;
	*id = (int32_t)number;
	return true;
}

/* Read "#12  0x0000564f6395d20a" at the front of line: the address; line moves behind it. */
static bool eustack_take_address(struct text_span *line, struct text_span *address)
{
	uint64_t number;

	if (!span_skip(line, "#") || !span_number(line, UINT32_MAX, &number))
		return false;
	*address = span_word(line);
	return span_begins(*address, "0x") && span_hex(*address) == address->len;
}

/* " - 1 void run<Work>(Work, char const*) - /opt/my app/t": the name and the module, which may be empty */
static struct text_span eustack_take_module(struct text_span *rest)
{
	struct text_span module = { "", 0 };
	size_t dash = rest->len;

	if (span_is(span_trim(*rest), "- 1"))
		*rest = module;
	span_skip(rest, " - 1");
	while (dash-- > 0) {
		if (!span_begins(span_after(*rest, dash), " - /") && !span_begins(span_after(*rest, dash), " - ["))
			continue;
		module = span_after(*rest, dash + 3);
		rest->len = dash;
		break;
	}
	*rest = span_trim(*rest);
	return module;
}

/* Is it "    /opt/my app/t.cc:8:237", which follows a frame with -s?  The column is not kept. */
static struct text_source source_below(const struct text_part *lines, const char *next)
{
	struct text_span line;
	struct text_source source, file;

	if (!span_line(lines, &next, &line) || !span_indent(line))
		return (struct text_source){ 0 };
	source = source_line_of(span_trim(line));
	file = source_line_of((struct text_span){ source.file, source.len });
	return file.line ? file : source;
}

static void eustack_take_frame(struct parsing *t, struct text_span address, struct text_span rest,
			       struct text_source source)
{
	static const struct text_span unknown = { "[unknown]", 9 };
	struct stack_builder *b = &t->frames;
	struct text_span module = eustack_take_module(&rest);

	if (b->count && address.len == t->address.len && !memcmp(address.text, t->address.text, address.len) &&
	    b->frames[b->count - 1] % TEXT_KINDS == TEXT_PLAIN)
		b->frames[b->count - 1] += TEXT_INLINED;
	t->address = address;
	if (rest.len && source.line && b->out->setup->lines)
		source_line_add(b, TEXT_PLAIN, function_name_clean(function_name_without_version(rest), &b->name),
				source);
	else if (rest.len)
		stack_builder_add_function(b, TEXT_PLAIN, function_name_without_version(rest));
	else if (module.len)
		stack_builder_add_module(b, TEXT_PLAIN, module);
	else
		stack_builder_add(b, TEXT_PLAIN, unknown);
}

/* Parse the frames in these lines. */
static uint32_t eustack_parse_stack(void *parsing, const struct text_part *lines)
{
	struct parsing *t = parsing;
	struct text_span line, address;
	const char *next = NULL;

	t->address.len = 0;
	while (span_line(lines, &next, &line)) {
		if (eustack_take_address(&line, &address))
			eustack_take_frame(t, address, line, source_below(lines, next));
	}
	return stack_builder_end(&t->frames, LEAF_FIRST);
}

static bool eustack_is_end(struct text_span line)
{
	return span_begins(line, "TID ") || span_begins(line, "PID ");
}

static void eustack_parse(const struct text_part *part)
{
	const struct text_value once = { .whole = 1 };
	struct parsing t = { .frames = { .out = part->out }, .labels = TEXT_NO_LABELS, .pid = -1 };
	struct text_span line, address;
	const char *next = NULL;

	while (span_line(part, &next, &line)) {
		struct text_span rest = line;
		int32_t id;

		if (eustack_take_address(&rest, &address)) {
			stack_sample(part->out,
				     stack_of_lines(part, line.text, &next, eustack_is_end, eustack_parse_stack, &t),
				     &once, &t.labels);
		} else if (eustack_take_id(line, "PID ", &id)) {
			t.pid = id;
		} else if (eustack_take_id(line, "TID ", &id)) {
			t.labels.tid = id;
			t.labels.pid = t.pid < 0 ? id : t.pid;
		}
	}
	stack_builder_free(&t.frames);
}

static bool eustack_starts(struct text_span line)
{
	return span_begins(line, "PID ");
}

static enum sniffed eustack_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	struct text_span line, address;
	const char *next = NULL;
	bool thread = false;
	int32_t id;

	while (span_line(&part, &next, &line)) {
		if (thread && eustack_take_address(&line, &address))
			return SNIFF_SURE;
		thread = eustack_take_id(line, "TID ", &id) && span_ends(line, ":");
	}
	return SNIFF_NO;
}

const struct input_format eustack_format = {
	.name = "eu-stack",
	.holds = "stacks, pids and tids",
	.wanted = "'TID 123:', then frames '#0 0xADDRESS name'",
	.has = TEXT_HAS_STACKS | TEXT_HAS_LINES | TEXT_HAS_PIDS | TEXT_HAS_TIDS,
	.sniff = eustack_sniff,
	.starts = eustack_starts,
	.parse = eustack_parse,
};
