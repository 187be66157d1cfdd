/* xdebug: traces of PHP's Xdebug, with xdebug.trace_format=1.
 *
 *     Version: 3.2.0
 *     File format: 4
 *     TRACE START [2026-11-24 19:30:06.836175]
 *     1	0	0	0.000254	394192	{main}	1		/srv/x.php	0	0
 *     2	1	0	0.000278	394192	work	1		/srv/x.php	4	1	'a'
 *     2	1	1	0.000299	394192                  level, number, exit, time, memory
 *     2	1	R			3                       a returned value: skipped
 *     			0.000395	389616                  the end
 *     TRACE END   [2026-11-24 19:30:06.836340]
 *
 * becomes, in ns
 *
 *     {main} 120000
 *     {main};work 21000
 *
 * Event time counts how long each function was the innermost one; event calls counts its calls. */
#include <stdlib.h>
#include <string.h>

#include "collapse/parse/call_tree.h"
#include "collapse/parse/event_values.h"
#include "collapse/parse/format.h"
#include "core/memory.h"

enum { TIME, CALLS };

enum { LEVEL, NUMBER, IS_EXIT, SECONDS, MEMORY, NAME, FIELDS };

struct trace {
	struct call_tree tree;
	struct event_values values;
	uint64_t time_ns;
	uint32_t *stacks; /* by depth */
	size_t cap;
	bool begun;
};

/* Split a line at tabs; old versions write several in a row.  Returns how many fields there are. */
static size_t xdebug_take_fields(struct text_span line, struct text_span *fields)
{
	size_t count = 0;

	while (line.len && count < FIELDS) {
		size_t n = span_find(line, "\t");

		fields[count++] = (struct text_span){ line.text, n };
		while (n < line.len && line.text[n] == '\t')
			n++;
		line = span_after(line, n);
	}
	return count;
}

/* Add the time since the last line to the innermost function. */
static bool pass_time(struct trace *t, struct text_span seconds)
{
	struct text_value value = { 0 };
	struct decimal time;
	struct text_span rest = seconds;
	uint64_t ns;

	if (!decimal_read(&rest.text, &rest.len, &time) || rest.len || !decimal_scale(&time, 9, &ns)) {
		text_wrong(t->tree.out, seconds.text, "no time");
		return false;
	}
	if (ns < t->time_ns) {
		text_wrong(t->tree.out, seconds.text, "a time before that of the line above");
		return false;
	}
	value.whole = ns - t->time_ns;
	if (t->tree.depth)
		event_values_add(&t->values, TIME, &value, t->stacks[t->tree.depth - 1], &TEXT_NO_LABELS);
	t->time_ns = ns;
	return true;
}

static void xdebug_enter(struct trace *t, uint64_t level, struct text_span name)
{
	struct call_row row = { .at = name.text };
	struct text_value once = { .whole = 1 };

	if (!call_tree_row(&t->tree, level - 1, text_frame(t->tree.out, TEXT_PLAIN, name.text, name.len), &row))
		return;
	t->stacks = xgrow(t->stacks, &t->cap, t->tree.depth, sizeof(*t->stacks));
	t->stacks[t->tree.depth - 1] = call_tree_stack(&t->tree);
	event_values_add(&t->values, CALLS, &once, t->stacks[t->tree.depth - 1], &TEXT_NO_LABELS);
}

static void xdebug_take_line(struct trace *t, struct text_span line)
{
	struct text_span fields[FIELDS], rest;
	size_t count = xdebug_take_fields(line, fields);
	uint64_t level;

	if (!count)
		return;
	rest = fields[LEVEL];
	if (!span_number(&rest, UINT32_MAX, &level) || rest.len || !level || count <= IS_EXIT) {
		text_wrong(t->tree.out, line.text, "no level");
		return;
	}
	if (span_is(fields[IS_EXIT], "R"))
		return;
	if (count <= SECONDS || !pass_time(t, fields[SECONDS]))
		return;
	if (span_is(fields[IS_EXIT], "0") && count == FIELDS)
		xdebug_enter(t, level, fields[NAME]);
	else if (span_is(fields[IS_EXIT], "1") && level <= t->tree.depth)
		t->tree.depth = level - 1;
	else
		text_wrong(t->tree.out, line.text, "neither a call nor the end of one");
}

/* Is it the end, "\t\t\t0.000395\t389616"?  Functions that call exit(), and in Xdebug 2 {main}, have no lines of their
 * own for their ends. */
static void take_end(struct trace *t, struct text_span line)
{
	struct text_span fields[FIELDS];

	if (t->begun && t->tree.depth && xdebug_take_fields(line, fields) > 1)
		pass_time(t, fields[1]);
	t->begun = false;
}

static void xdebug_parse(const struct text_part *part)
{
	struct trace t = { .tree = { .out = part->out }, .values = { .out = part->out } };
	const char *next = NULL;
	struct text_span line;

	event_values_name(&t.values, (struct text_span){ "time", 4 }, (struct text_span){ "ns", 2 });
	event_values_name(&t.values, (struct text_span){ "calls", 5 }, (struct text_span){ "calls", 5 });
	while (span_line(part, &next, &line)) {
		if (span_begins(line, "TRACE START")) {
			t.begun = true;
			t.tree.depth = 0;
			t.time_ns = 0;
		} else if (span_begins(line, "\t")) {
			take_end(&t, line);
		} else if (span_begins(line, "TRACE END")) {
			t.begun = false;
		} else if (t.begun) {
			xdebug_take_line(&t, line);
		}
	}
	event_values_end(&t.values);
	call_tree_free(&t.tree);
	free(t.stacks);
}

static enum sniffed xdebug_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL;
	struct text_span line, fields[FIELDS];
	bool begun = false;

	while (span_line(&part, &next, &line)) {
		if (begun)
			return xdebug_take_fields(line, fields) == FIELDS && span_is(fields[IS_EXIT], "0") ? SNIFF_SURE
													   : SNIFF_NO;
		begun = span_begins(line, "TRACE START [");
	}
	return SNIFF_NO;
}

const struct input_format xdebug_format = {
	.name = "xdebug",
	.holds = "stacks and events",
	.wanted = "'level\\tnumber\\t0\\ttime\\tmemory\\tfunction' or 'level\\tnumber\\t1\\ttime'",
	.has = TEXT_HAS_STACKS | TEXT_HAS_EVENTS,
	.sniff = xdebug_sniff,
	.parse = xdebug_parse,
};
