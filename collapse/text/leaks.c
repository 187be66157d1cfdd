/* leaks: memory that a program lost, as Valgrind's Memcheck (--leak-check=full) and LeakSanitizer print it.
 *
 *     ==29139== 1,384 (1,000 direct, 384 indirect) bytes in 1 blocks are definitely lost in loss record 2 of 6
 *     ==29139==    at 0x48417B4: malloc (in /usr/libexec/valgrind/vgpreload_memcheck-amd64-linux.so)
 *     ==29139==    by 0x109189: ns::grab(int) (w.cc:5)
 *     ==29139==    by 0x1091BF: ??? (in /srv/w)
 *     ==29139==
 *
 *     Direct leak of 40 byte(s) in 4 object(s) allocated from:
 *         #0 0x7f4bf8eb89cf in __interceptor_malloc ../../asan_malloc_linux.cpp:69
 *         #1 0x56480d39c180 in ns::grab(int) /srv/l.cc:2:7
 *         #2 0x56480d39c209  (/srv/l+0x1209) (BuildId: 7ebc65e5)
 *
 * becomes
 *
 *     [l];ns::grab;__interceptor_malloc 40
 *     [w];ns::grab;malloc 1000
 *
 * Memory that is lost indirectly has its own records.  Events: bytes, blocks.  The kind of a leak counts as its
 * state. */
#include <string.h>

#include "collapse/parse/event_values.h"
#include "collapse/parse/format.h"
#include "collapse/parse/function_name.h"
#include "collapse/parse/stack_builder.h"

enum { BYTES, BLOCKS };

struct leaks {
	struct stack_builder frames;
	struct event_values values;
	struct text_labels labels;
	struct text_value bytes, blocks;
	struct str scratch;
	bool is_open;
};

struct leak {
	uint64_t bytes, blocks;
	struct text_span state; /* "definitely lost", "Direct leak" */
};

/* Read "1,384" at the front of text; false: there is no number, or it is too large. */
static bool leaks_take_number(struct text_span *text, uint64_t *number)
{
	*number = 0;
	if (!text->len || !is_digit(text->text[0]))
		return false;
	while (text->len && (is_digit(text->text[0]) || text->text[0] == ',')) {
		uint64_t digit = (uint64_t)(text->text[0] - '0');

		if (text->text[0] == ',' && (text->len < 2 || !is_digit(text->text[1])))
			break;
		if (text->text[0] != ',' &&
		    (*number > UINT64_MAX / 10 || __builtin_add_overflow(*number * 10, digit, number)))
			return false;
		*text = span_after(*text, 1);
	}
	return true;
}

/* "==29139== " at the front of line */
static bool leaks_skip_mark(struct text_span *line, uint64_t *pid)
{
	struct text_span rest = *line;

	if (!span_skip(&rest, "==") || !span_number(&rest, INT32_MAX, pid) || !span_skip(&rest, "=="))
		return false;
	span_skip(&rest, " ");
	*line = rest;
	return true;
}

/* "1,384 (1,000 direct, 384 indirect) bytes in 1 blocks are definitely lost in loss record 2 of 6" */
static bool take_memcheck(struct text_span line, struct leak *leak)
{
	size_t end;

	if (!leaks_take_number(&line, &leak->bytes))
		return false;
	if (span_skip(&line, " (")) {
		if (!leaks_take_number(&line, &leak->bytes) || !span_skip(&line, " direct, "))
			return false;
		line = span_after(line, span_find(line, ")"));
		span_skip(&line, ")");
	}
	if (!span_skip(&line, " bytes in ") || !leaks_take_number(&line, &leak->blocks) ||
	    !span_skip(&line, " blocks are "))
		return false;
	end = span_find(line, " in loss record ");
	leak->state = (struct text_span){ line.text, end };
	return end < line.len;
}

/* "Direct leak of 40 byte(s) in 4 object(s) allocated from:" */
static bool take_sanitizer(struct text_span line, struct leak *leak)
{
	size_t of = span_find(line, " of ");

	leak->state = (struct text_span){ line.text, of };
	if (!span_ends(leak->state, " leak"))
		return false;
	line = span_after(line, of + strlen(" of "));
	return leaks_take_number(&line, &leak->bytes) && span_skip(&line, " byte(s) in ") &&
	       leaks_take_number(&line, &leak->blocks) && span_begins(line, " object(s) allocated from:");
}

static void end_leak(struct leaks *l)
{
	uint32_t stack;

	if (l->is_open && l->frames.count) {
		stack = stack_builder_end(&l->frames, LEAF_FIRST);
		event_values_add(&l->values, BYTES, &l->bytes, stack, &l->labels);
		event_values_add(&l->values, BLOCKS, &l->blocks, stack, &l->labels);
	}
	l->frames.count = 0;
	l->is_open = false;
}

static void begin_leak(struct leaks *l, const struct leak *leak)
{
	end_leak(l);
	l->bytes = (struct text_value){ .whole = leak->bytes };
	l->blocks = (struct text_value){ .whole = leak->blocks };
	l->labels.state = text_name(l->frames.out, leak->state.text, leak->state.len);
	l->is_open = true;
}

/* Read a function with "w.cc:5", "/srv/l.cc:2:7", "/srv/l+0x1209" or "in /srv/w" after it. */
static void leaks_add_frame(struct leaks *l, struct text_span name, struct text_span where)
{
	struct text_source at = source_line_of(where),
			   before = source_line_of((struct text_span){ where.text, at.len });
	size_t plus = span_last(where, '+');

	if (before.line) /* the last number was the column */
		at = before;
	if (name.len && !span_is(name, "???"))
		source_line_add(&l->frames, TEXT_PLAIN, function_name_clean(name, &l->scratch),
				at.line ? at : (struct text_source){ 0 });
	else if (span_skip(&where, "in ") || (plus && plus < where.len))
		stack_builder_add_module(&l->frames, TEXT_PLAIN,
					 (struct text_span){ where.text, plus < where.len ? plus : where.len });
	else
		stack_builder_add(&l->frames, TEXT_PLAIN, (struct text_span){ "[unknown]", 9 });
}

/* "   at 0x48417B4: malloc (in /usr/lib/x.so)", "   by 0x109189: ns::grab(int) (w.cc:5)" */
static bool take_memcheck_frame(struct leaks *l, struct text_span line)
{
	size_t colon, open;

	line = span_trim(line);
	colon = span_find(line, ": ");
	if ((!span_begins(line, "at 0x") && !span_begins(line, "by 0x")) || colon == line.len)
		return false;
	line = span_after(line, colon + 2);
	open = span_opening(line);
	if (!open || open == line.len)
		leaks_add_frame(l, line, (struct text_span){ "", 0 });
	else
		leaks_add_frame(l, span_trim_end((struct text_span){ line.text, open }),
				(struct text_span){ line.text + open + 1, line.len - open - 2 });
	return true;
}

/* The place where " /srv/l.cc:2:7", " ../l.cc:2" or " (/srv/l+0x1209)" begins after a name, which may contain a path,
 * too; text.len: nowhere. */
static size_t find_path(struct text_span text)
{
	static const char *const starts[] = { " /", " ./", " ../", " (/" };

	for (size_t at = text.len; at-- > 0;) {
		for (size_t i = 0; text.text[at] == ' ' && i < sizeof(starts) / sizeof(*starts); i++) {
			if (span_begins(span_after(text, at), starts[i]))
				return at;
		}
	}
	return text.len;
}

/* "    #1 0x56480d39c180 in ns::grab(int) /srv/l.cc:2:7", "    #2 0x56480d39c209  (/srv/l+0x1209) (BuildId: 7ebc)" */
static bool take_sanitizer_frame(struct leaks *l, struct text_span line)
{
	uint64_t number;
	size_t at;

	line = span_trim(line);
	if (!span_skip(&line, "#") || !span_number(&line, UINT32_MAX, &number) || !span_skip(&line, " 0x"))
		return false;
	line = span_after(line, span_hex(line));
	line.len = span_find(line, " (BuildId: ");
	if (!span_skip(&line, " in ")) {
		line = span_trim(line);
		if (span_skip(&line, "("))
			line.len -= span_ends(line, ")");
		leaks_add_frame(l, (struct text_span){ "", 0 }, line);
		return true;
	}
	at = find_path(line);
	if (at == line.len && source_line_of(line).line)
		at = span_last(line, ' ');
	leaks_add_frame(l, (struct text_span){ line.text, at }, span_trim(span_after(line, at)));
	return true;
}

static void leaks_take_line(struct leaks *l, struct text_span line)
{
	struct leak leak;
	uint64_t pid;
	bool is_marked = leaks_skip_mark(&line, &pid);

	if (is_marked)
		l->labels.pid = l->labels.tid = (int32_t)pid;
	if (is_marked ? take_memcheck(line, &leak) : take_sanitizer(line, &leak))
		begin_leak(l, &leak);
	else if (!l->is_open || !(is_marked ? take_memcheck_frame(l, line) : take_sanitizer_frame(l, line)))
		end_leak(l);
}

static void leaks_parse(const struct text_part *part)
{
	const struct text_span bytes = { "bytes", 5 }, blocks = { "blocks", 6 };
	struct leaks l = { .frames = { .out = part->out }, .values = { .out = part->out }, .labels = TEXT_NO_LABELS };
	const char *next = NULL;
	struct text_span line;

	event_values_name(&l.values, bytes, bytes);
	event_values_name(&l.values, blocks, blocks);
	while (span_line(part, &next, &line))
		leaks_take_line(&l, line);
	end_leak(&l);
	event_values_end(&l.values);
	stack_builder_free(&l.frames);
	str_free(&l.scratch);
}

static enum sniffed leaks_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL;
	struct text_span line;
	struct leak leak;
	uint64_t pid;

	while (span_line(&part, &next, &line)) {
		if (leaks_skip_mark(&line, &pid) ? take_memcheck(line, &leak) : take_sanitizer(line, &leak))
			return SNIFF_SURE;
	}
	return SNIFF_NO;
}

const struct input_format leaks_format = {
	.name = "leaks",
	.holds = "stacks with bytes and blocks, and kinds of leaks as states",
	.wanted = "'40 bytes in 4 blocks are definitely lost' or 'Direct leak of 40 byte(s)', then frames",
	.has = TEXT_HAS_STACKS | TEXT_HAS_PIDS | TEXT_HAS_STATES | TEXT_HAS_EVENTS | TEXT_HAS_FILES | TEXT_HAS_LINES,
	.sniff = leaks_sniff,
	.parse = leaks_parse,
};
