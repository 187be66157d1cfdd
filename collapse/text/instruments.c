/* instruments: a call tree copied from Xcode's Instruments (Edit > Deep Copy).
 *
 *     Running Time	Self (ms)		Symbol Name
 *     6145.0ms  100.0%	0.0	 	main  0x1f3a                        older versions: no unit, ms
 *     1.20 min  100.0%	1.5 s	 	 -[App run]                        newer ones
 *
 * The symbol is indented by a blank for each caller.  The self time is added, in ns:
 *
 *     main  0x1f3a;-[App run] 1500000000 */
#include <string.h>

#include "collapse/parse/call_tree.h"
#include "collapse/parse/format.h"

/* "1.5 s", "1.5ms", "1.5": the number of ns.  Returns false if it is none. */
static bool read_time(struct text_span text, uint64_t *ns)
{
	static const struct {
		const char *name;
		int power, factor;
	} units[] = { { "min", 9, 60 },      { "s", 9, 1 },  { "ms", 6, 1 }, { "us", 3, 1 },
		      { "\xc2\xb5s", 3, 1 }, { "ns", 0, 1 }, { "", 6, 1 } };
	struct decimal number;

	text = span_trim(text);
	if (!decimal_read(&text.text, &text.len, &number))
		return false;
	text = span_trim(text);
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (!span_is(text, units[i].name) || !decimal_scale(&number, units[i].power, ns))
			continue;
		if (*ns > UINT64_MAX / (uint64_t)units[i].factor)
			return false;
		*ns *= (uint64_t)units[i].factor;
		return true;
	}
	return false;
}

struct columns_of_line {
	struct text_span total, self, symbol;
};

/* "1.20 min  100.0%\t1.5 s\t \t -[App run]": split at the tabs; the symbol with its indentation */
static bool take_columns(struct text_span line, struct columns_of_line *c)
{
	size_t percent = span_find(line, "%"), tab;

	if (percent == line.len)
		return false;
	c->total = (struct text_span){ line.text, percent };
	line = span_after(line, percent + 1);
	line = span_after(line, span_indent(line));
	tab = span_find(line, "\t");
	c->self = (struct text_span){ line.text, tab };
	line = span_after(line, tab);
	if (!span_skip(&line, "\t \t") && !span_skip(&line, "\t\t"))
		return false;
	c->symbol = line;
	return span_trim(line).len > 0;
}

static void take_line(struct call_tree *t, struct text_span line)
{
	static const struct text_span ns = { "ns", 2 };
	struct text_labels labels = TEXT_NO_LABELS;
	struct text_value value = { 0 };
	struct text_sample sample = { .values = &value };
	struct call_row row = { .at = line.text };
	struct columns_of_line c;

	if (!take_columns(line, &c) || !read_time(c.self, &value.whole)) {
		text_wrong(t->out, line.text, "no self time and symbol");
		return;
	}
	row.at = c.symbol.text;
	labels.unit = text_name(t->out, ns.text, ns.len);
	line = span_trim(c.symbol);
	if (!call_tree_row(t, span_indent(c.symbol), text_frame(t->out, TEXT_PLAIN, line.text, line.len), &row) ||
	    !value.whole)
		return;
	sample.stack = call_tree_stack(t);
	sample.labels = text_label(t->out, &labels);
	fold_add_text(t->out, &sample);
}

static bool is_heading(struct text_span line)
{
	return span_begins(line, "Running Time") || (span_has(line, "Self") && span_has(line, "Symbol Name"));
}

static void parse(const struct text_part *part)
{
	struct call_tree t = { .out = part->out };
	const char *next = NULL;
	struct text_span line;

	while (span_line(part, &next, &line)) {
		if (span_trim(line).len && !is_heading(line))
			take_line(&t, line);
	}
	call_tree_free(&t);
}

/* A heading, or a line with these columns */
static enum sniffed sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	struct columns_of_line c;
	const char *next = NULL;
	struct text_span line;
	uint64_t ns;

	if (!span_line(&part, &next, &line) || !is_heading(line) || !span_line(&part, &next, &line))
		return SNIFF_NO;
	return take_columns(line, &c) && read_time(c.self, &ns) ? SNIFF_SURE : SNIFF_NO;
}

const struct input_format instruments_format = {
	.name = "instruments",
	.holds = "stacks",
	.wanted = "'1.2 s  50.0%\\t1.0 s\\t \\t  symbol'",
	.has = TEXT_HAS_STACKS,
	.sniff = sniff,
	.parse = parse,
};
