/* vsprof: call trees that Visual Studio's profiler exports as CSV (CallTreeSummary).
 *
 *     Level,Function Name,Inclusive Samples,Exclusive Samples,Inclusive Samples %,...,Module Name,
 *     1,"main","8,735",0,100.00,0.00,"an_executable.exe",
 *     2,"trim_end<std::is_classifiedF>(char const*)",306,"1,016",3.50,0.18,"an_executable.exe",
 *
 * becomes
 *
 *     main;trim_end<std::is_classifiedF> 1016
 *
 * A process, with level 0, is the comm.  The value is Exclusive Samples or, in tables of instrumented programs, "Number
 * of Calls", which counts calls of the function itself. */
#include <string.h>

#include "collapse/parse/call_tree.h"
#include "collapse/parse/csv.h"
#include "collapse/parse/event_values.h"
#include "collapse/parse/format.h"
#include "collapse/parse/function_name.h"

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

static const char heading[] = "Level,Function Name,";

enum { COLUMNS = 32, NO_COLUMN = COLUMNS };

struct table {
	struct call_tree tree;
	struct event_values values;
	size_t samples, calls; /* columns */
	struct text_labels labels;
	bool begun;
	struct str buffer, name;
};

static bool vsprof_is_heading(struct text_span line)
{
	span_skip(&line, BYTE_ORDER_MARK);
	return span_begins(line, heading);
}

static void vsprof_take_heading(struct table *t, struct text_span line)
{
	struct text_span field;

	t->samples = t->calls = NO_COLUMN;
	t->begun = true;
	t->labels = TEXT_NO_LABELS;
	for (size_t column = 0; column < COLUMNS && csv_field(&line, &field, &t->buffer); column++) {
		if (span_is(field, "Exclusive Samples"))
			t->samples = column;
		else if (span_is(field, "Number of Calls"))
			t->calls = column;
	}
	if (t->samples < COLUMNS)
		event_values_name(&t->values, (struct text_span){ "samples", 7 }, (struct text_span){ "samples", 7 });
	if (t->calls < COLUMNS)
		event_values_name(&t->values, (struct text_span){ "calls", 5 }, (struct text_span){ "calls", 5 });
}

static void vsprof_add_values(struct table *t, struct text_span line, uint32_t stack)
{
	struct text_span rest = line, field;
	struct text_value value;
	size_t event = 0;

	for (size_t column = 0; column < COLUMNS && csv_field(&rest, &field, &t->buffer); column++) {
		if (column != t->samples && column != t->calls)
			continue;
		if (!csv_value(t->tree.out, field, line.text, &value))
			return;
		event_values_add(&t->values, event++, &value, stack, &t->labels);
	}
}

static void vsprof_take_row(struct table *t, struct text_span line)
{
	struct call_row row = { .at = line.text };
	struct text_span rest = line, field = { "", 0 };
	uint64_t level;

	csv_field(&rest, &field, &t->buffer);
	field = span_trim(field);
	if (!span_number(&field, UINT32_MAX, &level) || field.len) {
		text_wrong(t->tree.out, line.text, "no level");
		return;
	}
	field.len = 0;
	csv_field(&rest, &field, &t->buffer);
	field = span_trim(field);
	if (!field.len) {
		text_wrong(t->tree.out, line.text, "no function");
		return;
	}
	if (!level) {
		t->labels.comm = text_name(t->tree.out, field.text, field.len);
		t->tree.depth = 0;
		return;
	}
	field = function_name_clean(field, &t->name);
	if (call_tree_row(&t->tree, level - 1, text_frame(t->tree.out, TEXT_PLAIN, field.text, field.len), &row))
		vsprof_add_values(t, line, call_tree_stack(&t->tree));
}

static void vsprof_parse(const struct text_part *part)
{
	struct table t = { .tree = { .out = part->out }, .values = { .out = part->out } };
	const char *next = NULL;
	struct text_span line;

	while (span_line(part, &next, &line)) {
		if (!t.begun && vsprof_is_heading(line))
			vsprof_take_heading(&t, line);
		else if (t.begun && span_trim(line).len)
			vsprof_take_row(&t, line);
	}
	event_values_end(&t.values);
	call_tree_free(&t.tree);
	str_free(&t.buffer);
	str_free(&t.name);
}

static enum sniffed vsprof_sniff(const char *text, size_t len)
{
	return vsprof_is_heading((struct text_span){ text, len }) ? SNIFF_SURE : SNIFF_NO;
}

const struct input_format vsprof_format = {
	.name = "vsprof",
	.holds = "stacks, names and events",
	.wanted = "'Level,Function Name,...', then '1,\"function\",...'",
	.has = TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_EVENTS,
	.sniff = vsprof_sniff,
	.parse = vsprof_parse,
};
