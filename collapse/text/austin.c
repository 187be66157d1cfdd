/* austin: samples of Python programs, by Austin.
 *
 *     # austin: 3.4.1
 *     # mode: wall                                 this is the only comment that is used
 *
 *     P8513;T8520;f.py:<module>:12;f.py:spin:3 10012           us; with mode memory: bytes
 *     P8513;T0:8520;f.py:<module>:12;f.py:spin:3 10012,1,-40   mode full: us, is it idle?, bytes
 *
 * becomes
 *
 *     f.py:<module>:12;f.py:spin:3 10012
 *
 * Events are time, cpu (time while not idle), memory, and memory-freed. */
#include "collapse/text/austin.h"

#include <string.h>

#include "collapse/parse/event_values.h"
#include "collapse/parse/format.h"
#include "collapse/parse/stack_builder.h"

enum austin_event { TIME, CPU, MEMORY, FREED, AUSTIN_EVENTS };

struct parsing {
	struct stack_builder frames;
	struct event_values values;
	bool is_memory;
};

static enum austin_event first_event(const struct parsing *l)
{
	return l->is_memory ? MEMORY : TIME;
}

bool austin_is_line(const char *line, size_t len)
{
	struct text_span rest = { line, len };
	uint64_t pid;

	return span_skip(&rest, "P") && span_number(&rest, INT32_MAX, &pid) && span_skip(&rest, ";T");
}

/* Austin numbers interpreters before threads, and has numbers for threads without a name: "0:8520" */
static void austin_take_thread(struct text_stacks *s, struct text_span thread, struct text_labels *labels)
{
	size_t colon = span_find(thread, ":");
	struct text_span id = colon < thread.len ? span_after(thread, colon + 1) : thread, rest = id;
	uint64_t tid;

	if (span_number(&rest, INT32_MAX, &tid) && !rest.len)
		labels->tid = (int32_t)tid;
	else
		labels->comm = text_name(s, id.text, id.len);
}

static void austin_take_stack(struct parsing *l, struct text_span stack)
{
	while (stack.len) {
		size_t n = span_find(stack, ";");

		stack_builder_add(&l->frames, TEXT_PLAIN, (struct text_span){ stack.text, n });
		stack = span_after(stack, n + (n < stack.len));
	}
}

/* Read "10012,1,-40", or one number.  Returns false after text_wrong(). */
static bool austin_take_values(struct parsing *l, struct text_span text, struct text_value *values)
{
	struct text_span list[3];
	size_t count = 0;
	bool idle, freed;

	memset(values, 0, AUSTIN_EVENTS * sizeof(*values));
	while (count < 3) {
		size_t n = span_find(text, ",");

		list[count++] = (struct text_span){ text.text, n };
		if (n == text.len)
			break;
		text = span_after(text, n + 1);
	}
	if (count == 2)
		text_wrong(l->frames.out, text.text, "two values: expected one or three");
	if (count == 2 || ((count == 3 || !l->is_memory) && !stack_value(l->frames.out, list[0], &values[TIME])))
		return false;
	idle = count == 3 && !span_is(list[1], "0");
	if (count == 3 && !idle)
		values[CPU] = values[TIME];
	if (count == 1 && !l->is_memory)
		return true;
	freed = span_skip(&list[count - 1], "-");
	return stack_value(l->frames.out, list[count - 1], &values[freed ? FREED : MEMORY]);
}

static void austin_take_line(struct parsing *l, struct text_span line)
{
	struct text_labels labels = TEXT_NO_LABELS;
	struct text_value values[AUSTIN_EVENTS];
	size_t blank = span_last(line, ' '), end;
	struct text_span rest = span_after(line, 1);
	uint32_t stack;
	uint64_t pid;

	if (!austin_is_line(line.text, line.len) || blank == line.len) {
		text_wrong(l->frames.out, line.text, blank == line.len ? "no value" : "no process and thread");
		return;
	}
	if (!austin_take_values(l, span_after(line, blank + 1), values))
		return;
	span_number(&rest, INT32_MAX, &pid);
	rest = span_after(rest, 2);
	rest.len = (size_t)(line.text + blank - rest.text);
	end = span_find(rest, ";");
	labels.pid = (int32_t)pid;
	austin_take_thread(l->frames.out, (struct text_span){ rest.text, end }, &labels);
	austin_take_stack(l, span_after(rest, end + (end < rest.len)));
	if (!l->frames.count)
		stack_builder_add(&l->frames, TEXT_PLAIN, (struct text_span){ "[unknown]", 9 });
	stack = stack_builder_end(&l->frames, ROOT_FIRST);
	for (size_t i = first_event(l); i < AUSTIN_EVENTS; i++)
		event_values_add(&l->values, i - first_event(l), &values[i], stack, &labels);
}

static void austin_parse(const struct text_part *part)
{
	static const struct {
		struct text_span name, unit;
	} events[AUSTIN_EVENTS] = {
		[TIME] = { { "time", 4 }, { "us", 2 } },
		[CPU] = { { "cpu", 3 }, { "us", 2 } },
		[MEMORY] = { { "memory", 6 }, { "bytes", 5 } },
		[FREED] = { { "memory-freed", 12 }, { "bytes", 5 } },
	};
	struct parsing l = { .frames = { .out = part->out },
			     .values = { .out = part->out },
			     .is_memory = part->out->setup->own };
	const char *next = NULL;
	struct text_span line;

	for (size_t i = first_event(&l); i < AUSTIN_EVENTS; i++)
		event_values_name(&l.values, events[i].name, events[i].unit);
	while (span_line(part, &next, &line)) {
		line = span_trim(line);
		if (line.len && line.text[0] != '#')
			austin_take_line(&l, line);
	}
	event_values_end(&l.values);
	stack_builder_free(&l.frames);
}

static void austin_begin(const char *text, size_t len, struct text_setup *setup)
{
	setup->own = len && memmem(text, len, "# mode: memory", 14) != NULL;
}

static bool has_value(struct text_span line)
{
	size_t blank = span_last(line, ' ');

	return austin_is_line(line.text, line.len) && blank + 1 < line.len &&
	       (is_digit(line.text[blank + 1]) || line.text[blank + 1] == '-');
}

/* All lines that are not comments have the form of a sample. */
static enum sniffed austin_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL;
	struct text_span line;

	while (span_line(&part, &next, &line)) {
		if (span_trim(line).len && line.text[0] != '#')
			return has_value(line) ? SNIFF_SURE : SNIFF_NO;
	}
	return SNIFF_NO;
}

const struct input_format austin_format = {
	.name = "austin",
	.holds = "stacks, pids, tids and events",
	.wanted = "'P1;T2;file:function:line value'",
	.has = TEXT_HAS_STACKS | TEXT_HAS_LINES | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS | TEXT_HAS_EVENTS,
	.sniff = austin_sniff,
	.begin = austin_begin,
	.split = text_split_lines,
	.parse = austin_parse,
};
