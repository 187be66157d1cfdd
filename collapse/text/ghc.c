/* ghc: profiles that Haskell programs write with +RTS -p (PROGRAM.prof), or -P, which adds the last two
 * columns.
 *
 *                                                             individual      inherited
 *     COST CENTRE  MODULE  SRC           no.     entries  %time %alloc   %time %alloc  ticks     bytes
 *
 *     MAIN         MAIN    <built-in>    128           0    0.0    0.0   100.0  100.0      0       832
 *      main        Main    m.hs:6:1-100  256           1    0.6    0.3   100.0  100.0      1   2854256
 *       slow       Main    m.hs:4:1-49   258         101   99.4   99.7    99.4   99.7    167 889248440
 *
 * becomes
 *
 *     MAIN.MAIN;Main.main 1
 *     MAIN.MAIN;Main.main;Main.slow 167
 *
 * With -pj, the file is JSON (ghc_json.h).  Events: ticks (without -P, time), bytes, time (in %), alloc (in %), entries. */
#include <string.h>

#include "collapse/parse/call_tree.h"
#include "collapse/parse/event_values.h"
#include "collapse/parse/format.h"
#include "collapse/parse/stack_builder.h"
#include "collapse/text/ghc_json.h"

/* numbers at the end of a line */
enum { NUMBERS = 6, NUMBERS_OF_P = 8 };

struct prof_column {
	const char *name, *unit;
	size_t number; /* from the left, of those at the end of a line */
};

static const struct prof_column columns[] = {
	{ "ticks", "ticks", 6 }, { "bytes", "bytes", 7 },     { "time", "%", 2 },
	{ "alloc", "%", 3 },     { "entries", "entries", 1 },
};

enum { COLUMNS = sizeof(columns) / sizeof(*columns), COLUMNS_OF_P = 2 };

struct table {
	struct call_tree tree;
	struct event_values values;
	size_t numbers; /* 0: the table was not there yet */
	struct str frame;
};

/* The second table has the tree. */
static bool ghc_is_heading(struct text_span line)
{
	return span_begins(line, "COST CENTRE") && span_has(line, " entries ");
}

static size_t first_column(const struct table *t)
{
	return t->numbers == NUMBERS_OF_P ? 0 : COLUMNS_OF_P;
}

static void ghc_take_heading(struct table *t, struct text_span line)
{
	t->numbers = span_has(line, " ticks ") ? NUMBERS_OF_P : NUMBERS;
	for (size_t i = first_column(t); i < COLUMNS; i++)
		event_values_name(&t->values, (struct text_span){ columns[i].name, strlen(columns[i].name) },
				  (struct text_span){ columns[i].unit, strlen(columns[i].unit) });
}

/* Take the last word off line. */
static struct text_span ghc_last_word(struct text_span *line)
{
	struct text_span word = { line->text, 0 };

	*line = span_trim_end(*line);
	while (line->len && !is_blank(line->text[line->len - 1])) {
		line->len--;
		word.len++;
	}
	word.text = line->text + line->len;
	return word;
}

static void ghc_take_row(struct table *t, struct text_span line)
{
	struct text_span words[NUMBERS_OF_P], rest = span_trim(line), centre, module;
	struct call_row row = { .at = line.text };
	struct text_value value;
	uint32_t stack;

	for (size_t i = t->numbers; i-- > 0;)
		words[i] = ghc_last_word(&rest);
	centre = span_word(&rest);
	module = span_word(&rest);
	if (!module.len) {
		text_wrong(t->tree.out, line.text, "too few columns");
		return;
	}
	str_clear(&t->frame);
	str_add(&t->frame, module.text, module.len);
	str_addc(&t->frame, '.');
	str_add(&t->frame, centre.text, centre.len);
	if (!call_tree_row(&t->tree, span_indent(line), text_frame(t->tree.out, TEXT_PLAIN, t->frame.buf, t->frame.len),
			   &row))
		return;
	stack = call_tree_stack(&t->tree);
	for (size_t i = first_column(t); i < COLUMNS; i++) {
		if (!stack_value(t->tree.out, words[columns[i].number], &value))
			return;
		event_values_add(&t->values, i - first_column(t), &value, stack, &TEXT_NO_LABELS);
	}
}

static void ghc_parse(const struct text_part *part)
{
	struct table t = { .tree = { .out = part->out }, .values = { .out = part->out } };
	const char *next = NULL;
	struct text_span line;

	if (ghc_json_is(part->text, part->len)) {
		ghc_json_parse(part);
		return;
	}
	while (span_line(part, &next, &line)) {
		if (!t.numbers && ghc_is_heading(line))
			ghc_take_heading(&t, line);
		else if (t.numbers && span_trim(line).len)
			ghc_take_row(&t, line);
	}
	event_values_end(&t.values);
	call_tree_free(&t.tree);
	str_free(&t.frame);
}

static enum sniffed ghc_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL;
	struct text_span line;

	if (ghc_json_is(text, len))
		return SNIFF_SURE;
	return span_line(&part, &next, &line) && span_has(line, "Time and Allocation Profiling Report") ? SNIFF_SURE
													: SNIFF_NO;
}

const struct input_format ghc_format = {
	.name = "ghc",
	.holds = "stacks and events",
	.wanted = "'COST CENTRE MODULE ... no. entries ...', then a line for each cost centre",
	.has = TEXT_HAS_STACKS | TEXT_HAS_EVENTS,
	.sniff = ghc_sniff,
	.parse = ghc_parse,
};
