/* bcc: the stacks that bcc's profile, offcputime and wakeup tools print without -f; what they print with
 * -f is folded text.
 *
 *     Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to end.
 *
 *         filemap_map_pages                  from the leaf
 *         entry_SYSCALL_64_after_hwframe
 *         --                                 with -d, between kernel and user space
 *         main
 *         -                my worker (9036)
 *             13
 *
 * becomes
 *
 *     my worker;main;entry_SYSCALL_64_after_hwframe;filemap_map_pages 13
 *
 * Values are samples, or us below "Tracing off-CPU time (us) of ...". */
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/stack_builder.h"

/* setup.own: which tool it was */
enum { OFF_CPU = 1 };

struct parsing {
	struct stack_builder frames;
	struct text_labels labels;
	bool is_ended; /* the line with the name was there, the value comes */
};

/* "    -                my worker (9036)": the columns before the name, else 0 */
static size_t name_start(struct text_span line)
{
	size_t indent = span_indent(line);
	struct text_span name = span_after(line, indent);

	if (indent != 4 || !span_skip(&name, "-               "))
		return 0;
	return span_ends(span_trim_end(name), ")") ? (size_t)(name.text - line.text) + 1 : 0;
}

static void mark_kernel(struct parsing *t)
{
	for (size_t i = 0; i < t->frames.count; i++) {
		if (t->frames.frames[i] % TEXT_KINDS == TEXT_PLAIN)
			t->frames.frames[i] += TEXT_KERNEL;
	}
}

/* "my worker (9036)" */
static void take_name(struct parsing *t, struct text_span name)
{
	size_t open = span_last(name, '(');
	struct text_span pid = span_after(name, open + (open < name.len));
	uint64_t number;

	if (open == name.len || !span_number(&pid, INT32_MAX, &number) || !span_is(span_trim_end(pid), ")")) {
		text_wrong(t->frames.out, name.text, "no 'name (pid)'");
		t->frames.count = 0;
		return;
	}
	name = span_trim_end((struct text_span){ name.text, open });
	t->labels.comm = text_name(t->frames.out, name.text, name.len);
	t->labels.pid = t->labels.tid = (int32_t)number;
	t->is_ended = true;
}

/* Old versions of the tools print "b'main'". */
static void take_frame(struct parsing *t, struct text_span frame)
{
	if (span_is(frame, "--")) {
		mark_kernel(t);
		return;
	}
	if (span_begins(frame, "b'") && span_ends(frame, "'") && frame.len > 3)
		frame = (struct text_span){ frame.text + 2, frame.len - 3 };
	stack_builder_add_function(&t->frames, TEXT_PLAIN, frame);
	if (is_kernel_entry(frame))
		mark_kernel(t);
}

static void take_line(struct parsing *t, struct text_span line)
{
	struct text_value value;
	size_t name;

	span_skip(&line, "^C");
	name = name_start(line);
	if (name) {
		take_name(t, span_after(line, name));
	} else if (t->is_ended) {
		t->is_ended = false;
		if (stack_value(t->frames.out, span_trim(line), &value))
			stack_builder_sample(&t->frames, LEAF_FIRST, &value, &t->labels);
		t->frames.count = 0;
	} else if (span_indent(line) && span_trim(line).len) {
		take_frame(t, span_trim(line));
	}
}

/* Only the first part has the heading; the others know by the setup. */
static void parse(const struct text_part *part)
{
	static const char event[] = "off-CPU";
	struct parsing t = { .frames = { .out = part->out }, .labels = TEXT_NO_LABELS };
	const char *next = NULL;
	struct text_span line;

	if (part->out->setup->own & OFF_CPU) {
		t.labels.event = text_name(part->out, event, strlen(event));
		t.labels.unit = text_name(part->out, "us", 2);
	}
	while (span_line(part, &next, &line))
		take_line(&t, line);
	if (t.frames.count)
		text_wrong(part->out, part->text + part->len, "a stack without a name and a value");
	stack_builder_free(&t.frames);
}

static bool starts(struct text_span line)
{
	return line.len && (line.text[0] == '\n' || line.text[0] == '\r');
}

/* A blank line is behind each value. */
static size_t split(const char *text, size_t len)
{
	return split_before(text, len, starts);
}

static void begin(const char *text, size_t len, struct text_setup *setup)
{
	static const char heading[] = "Tracing off-CPU time (us) of ";

	if (len && memmem(text, len, heading, strlen(heading)))
		setup->own = OFF_CPU;
}

static enum sniffed sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL;
	struct text_span line, below;

	while (span_line(&part, &next, &line)) {
		const char *after = next;

		if (name_start(line) && span_line(&part, &after, &below) && span_is_digits(span_trim(below)))
			return SNIFF_SURE;
	}
	return SNIFF_NO;
}

const struct input_format bcc_format = {
	.name = "bcc",
	.holds = "stacks, names and pids",
	.wanted = "stacks, then '- name (pid)', then a value",
	.has = TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_EVENTS,
	.sniff = sniff,
	.begin = begin,
	.split = split,
	.parse = parse,
};
