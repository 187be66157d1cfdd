/* vtune: call trees that VTune writes as CSV: vtune -R top-down -call-stack-mode all -format csv
 * -csv-delimiter comma -column="CPU Time:Self","Module", or another list of columns.
 *
 *     Function Stack,CPU Time:Self,Module
 *     Total,0.0,[Unknown]                       an indentation of one for each caller
 *      main,0.0,my app
 *       "std::map<int, int>::find",1.25,my app   quoted, if it has a comma
 *
 * becomes, in ns:
 *
 *     [Unknown]`Total;my app`main;my app`std::map<int, int>::find 1250000000
 *
 * Columns "NAME:Self" are events, as are those of memory consumption: Allocations (the default),
 * Allocation Size, Deallocation Size. */
#include <string.h>

#include "collapse/frames/columns.h"
#include "collapse/parse/call_tree.h"
#include "collapse/parse/csv.h"
#include "collapse/parse/event_values.h"
#include "collapse/parse/format.h"
#include "collapse/parse/function_name.h"

static const char heading[] = "Function Stack,";

enum { COLUMNS = 32, NO_COLUMN = COLUMNS };

struct table {
	struct call_tree tree;
	struct event_values values;
	size_t event[COLUMNS]; /* by column; EVENTS_MAX: the column is not an event */
	bool seconds[COLUMNS]; /* of each column: to be made ns */
	size_t module;         /* its column, or NO_COLUMN */
	struct str frame, function, buffer;
};

static void name_event(struct table *t, size_t column, struct text_span name)
{
	struct text_span unit = { "", 0 };

	t->seconds[column] = span_ends(name, "Time");
	if (t->seconds[column])
		unit = (struct text_span){ "ns", 2 };
	else if (span_ends(name, "Size"))
		unit = (struct text_span){ "bytes", 5 };
	else if (span_is(name, "Allocations"))
		unit = (struct text_span){ "allocations", 11 };
	t->event[column] = t->values.count;
	event_values_name(&t->values, name, unit);
}

/* Allocations come first, if they are there. */
static void vtune_take_heading(struct table *t, struct text_span line)
{
	struct text_span all = line, field;
	size_t column = 0;

	t->module = NO_COLUMN;
	for (int allocations = 1; allocations >= 0; allocations--) {
		line = all;
		for (column = 0; column < COLUMNS && csv_field(&line, &field, &t->buffer); column++) {
			bool is_self = span_ends(field, ":Self");

			if (allocations)
				t->event[column] = EVENTS_MAX;
			if (span_is(field, "Module"))
				t->module = column;
			field.len -= is_self ? strlen(":Self") : 0;
			if (is_self && span_is(field, "Allocations") == (bool)allocations)
				name_event(t, column, field);
		}
	}
}

static void to_ns(struct text_value *v)
{
	const uint64_t ns_per_s = 1000000000, each = COLUMN_ONE / ns_per_s;

	v->whole = v->whole > UINT64_MAX / ns_per_s - 1 ? UINT64_MAX : v->whole * ns_per_s + v->fraction / each;
	v->fraction = 0;
}

static void vtune_add_values(struct table *t, struct text_span line, uint32_t stack, const char *at)
{
	struct text_span field;
	struct text_value value;

	for (size_t column = 0; column < COLUMNS && csv_field(&line, &field, &t->buffer); column++) {
		if (t->event[column] == EVENTS_MAX || !span_trim(field).len)
			continue;
		/* older versions write the unit, too: "1.25s" */
		field = span_trim(field);
		if (t->seconds[column] && span_ends(field, "s"))
			field.len--;
		if (!csv_value(t->tree.out, field, at, &value))
			return;
		if (t->seconds[column])
			to_ns(&value);
		event_values_add(&t->values, t->event[column], &value, stack, &TEXT_NO_LABELS);
	}
}

/* "module`function"; "function" if there is no column for the module */
static uint32_t vtune_frame_of(struct table *t, struct text_span function, struct text_span rest)
{
	struct text_span field;

	function = function_name_clean(function, &t->frame);
	str_clear(&t->function);
	str_add(&t->function, function.text, function.len);
	str_clear(&t->frame);
	for (size_t column = 1; column <= t->module && csv_field(&rest, &field, &t->buffer); column++) {
		if (column != t->module || !span_trim(field).len)
			continue;
		str_add(&t->frame, field.text, field.len);
		str_addc(&t->frame, '`');
	}
	str_add(&t->frame, t->function.buf, t->function.len);
	return text_frame(t->tree.out, TEXT_PLAIN, t->frame.buf, t->frame.len);
}

static void vtune_take_row(struct table *t, struct text_span line)
{
	struct call_row row = { .at = line.text };
	struct text_span rest = line, function = { "", 0 };
	size_t depth;

	csv_field(&rest, &function, &t->buffer);
	depth = span_indent(function);
	function = span_trim(function);
	if (!function.len)
		text_wrong(t->tree.out, line.text, "no function");
	else if (call_tree_row(&t->tree, depth, vtune_frame_of(t, function, rest), &row))
		vtune_add_values(t, line, call_tree_stack(&t->tree), line.text);
}

static void vtune_parse(const struct text_part *part)
{
	struct table t = { .tree = { .out = part->out }, .values = { .out = part->out } };
	const char *next = NULL;
	bool begun = false;
	struct text_span line;

	while (span_line(part, &next, &line)) {
		if (!begun && span_begins(line, heading))
			vtune_take_heading(&t, line);
		else if (begun && line.len)
			vtune_take_row(&t, line);
		begun |= span_begins(line, heading);
	}
	event_values_end(&t.values);
	call_tree_free(&t.tree);
	str_free(&t.frame);
	str_free(&t.function);
	str_free(&t.buffer);
}

/* VTune may print warnings before the table: "war: ..." */
static enum sniffed vtune_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL;
	struct text_span line;

	while (span_line(&part, &next, &line) && span_begins(line, "war:"))
		;
	return len && span_begins(line, heading) && span_has(line, ":Self") ? SNIFF_SURE : SNIFF_NO;
}

const struct input_format vtune_format = {
	.name = "vtune",
	.holds = "stacks and events",
	.wanted = "'Function Stack,CPU Time:Self,Module', then '  function,1.5,module'",
	.has = TEXT_HAS_STACKS | TEXT_HAS_EVENTS,
	.sniff = vtune_sniff,
	.parse = vtune_parse,
};
