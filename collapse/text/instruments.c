/* instruments: a call tree copied from Xcode's Instruments (Edit > Deep Copy).
 *
 *     Running Time	Self (ms)		Symbol Name
 *     6145.0ms  100.0%	0.0	 	main  0x1f3a                        older versions: no unit, ms
 *     1.20 min  100.0%	1.5 s	 	 -[App run]                        newer ones
 *
 *     Weight	Self Weight	Symbol Names                               since Xcode 15: a column less
 *     4.93 s  100.0%	0 s	   start                                   the outermost one is indented, too
 *     96.08 Gc  99.9%	-	    main                                   cycles; "-" is none
 *
 *     Running Time,Self,,Symbol Name                                     CSV of the first versions
 *     6145.0ms  100.0%,0.0,,"main  0x1f3a"
 *
 * The symbol is indented by a blank for each caller.  The self time is added, in ns, or in cycles:
 *
 *     main  0x1f3a;-[App run] 1500000000 */
#include <string.h>

#include "collapse/parse/call_tree.h"
#include "collapse/parse/format.h"

struct amount {
	uint64_t value; /* in unit */
	const char *unit;
};

/* Read "1.5 s", "1.5ms", "1.5" (ms), "2.50 Gc", "-".  Returns false if it is none of these. */
static bool read_amount(struct text_span text, struct amount *amount)
{
	static const struct {
		const char *name;
		int power, factor;
		const char *unit;
	} units[] = {
		{ "min", 9, 60, "ns" },   { "s", 9, 1, "ns" },          { "ms", 6, 1, "ns" },
		{ "us", 3, 1, "ns" },     { "\xc2\xb5s", 3, 1, "ns" },  { "ns", 0, 1, "ns" },
		{ "", 6, 1, "ns" },       { "cycles", 0, 1, "cycles" }, { "Kc", 3, 1, "cycles" },
		{ "Mc", 6, 1, "cycles" }, { "Gc", 9, 1, "cycles" },     { "Tc", 12, 1, "cycles" },
	};
	struct decimal number;

	*amount = (struct amount){ 0 };
	text = span_trim(text);
	if (span_is(text, "-"))
		return true;
	if (!decimal_read(&text.text, &text.len, &number))
		return false;
	text = span_trim(text);
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (!span_is(text, units[i].name) || !decimal_scale(&number, units[i].power, &amount->value))
			continue;
		amount->unit = units[i].unit;
		return !__builtin_mul_overflow(amount->value, (uint64_t)units[i].factor, &amount->value);
	}
	return false;
}

struct columns_of_line {
	struct text_span total, self, symbol;
};

/* Split "0.0,, main  0x1f3a"; a symbol with a comma has quotes. */
static bool take_csv_columns(struct text_span line, struct columns_of_line *c)
{
	size_t comma = span_find(line, ",");

	c->self = (struct text_span){ line.text, comma };
	line = span_after(line, comma);
	if (!span_skip(&line, ","))
		return false;
	line = span_after(line, span_find(line, ","));
	if (!span_skip(&line, ","))
		return false;
	if (span_begins(line, "\"") && span_ends(line, "\"") && line.len > 1)
		line = (struct text_span){ line.text + 1, line.len - 2 };
	c->symbol = line;
	return span_trim(line).len > 0;
}

/* Split "1.20 min  100.0%\t1.5 s\t \t -[App run]" at the tabs; the symbol keeps its indentation. */
static bool instruments_take_columns(struct text_span line, struct columns_of_line *c)
{
	size_t percent, tab;

	span_skip(&line, "\"");
	percent = span_find(line, "%");

	if (percent == line.len)
		return false;
	c->total = (struct text_span){ line.text, percent };
	line = span_after(line, percent + 1);
	span_skip(&line, "\"");
	if (span_skip(&line, ","))
		return take_csv_columns(line, c);
	line = span_after(line, span_indent(line));
	tab = span_find(line, "\t");
	c->self = (struct text_span){ line.text, tab };
	line = span_after(line, tab);
	if (!span_skip(&line, "\t \t") && !span_skip(&line, "\t\t") && !span_skip(&line, "\t"))
		return false;
	c->symbol = line;
	return span_trim(line).len > 0;
}

/* base: the indentation of the outermost symbols; SIZE_MAX if this is the first symbol. */
static void instruments_take_line(struct call_tree *t, struct text_span line, size_t *base)
{
	struct text_labels labels = TEXT_NO_LABELS;
	struct text_value value = { 0 };
	struct text_sample sample = { .values = &value };
	struct call_row row = { .at = line.text };
	struct columns_of_line c;
	struct amount self;
	size_t indent;

	if (!instruments_take_columns(line, &c) || !read_amount(c.self, &self)) {
		text_wrong(t->out, line.text, "no self time and symbol");
		return;
	}
	row.at = c.symbol.text;
	indent = span_indent(c.symbol);
	if (indent < *base)
		*base = indent;
	line = span_trim(c.symbol);
	value.whole = self.value;
	if (!call_tree_row(t, indent - *base, text_frame(t->out, TEXT_PLAIN, line.text, line.len), &row) ||
	    !value.whole)
		return;
	labels.unit = text_name(t->out, self.unit, strlen(self.unit));
	sample.stack = call_tree_stack(t);
	sample.labels = text_label(t->out, &labels);
	fold_add_text(t->out, &sample);
}

static bool instruments_is_heading(struct text_span line)
{
	return span_begins(line, "Running Time") || (span_has(line, "Self") && span_has(line, "Symbol Name"));
}

static void instruments_parse(const struct text_part *part)
{
	struct call_tree t = { .out = part->out };
	const char *next = NULL;
	struct text_span line;
	size_t base = SIZE_MAX;

	while (span_line(part, &next, &line)) {
		if (span_trim(line).len && !instruments_is_heading(line))
			instruments_take_line(&t, line, &base);
	}
	call_tree_free(&t);
}

/* Is it a heading, or a line with these columns? */
static enum sniffed instruments_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	struct columns_of_line c;
	const char *next = NULL;
	struct text_span line;
	struct amount self;

	if (!span_line(&part, &next, &line) || !instruments_is_heading(line) || !span_line(&part, &next, &line))
		return SNIFF_NO;
	return instruments_take_columns(line, &c) && read_amount(c.self, &self) ? SNIFF_SURE : SNIFF_NO;
}

const struct input_format instruments_format = {
	.name = "instruments",
	.holds = "stacks",
	.wanted = "'1.2 s  50.0%\\t1.0 s\\t \\t  symbol'",
	.has = TEXT_HAS_STACKS,
	.sniff = instruments_sniff,
	.parse = instruments_parse,
};
