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
 * With -pj, the file is JSON (below).  Events: ticks (without -P, time), bytes, time (in %), alloc (in %), entries. */
#include <stdlib.h>
#include <string.h>

#include "collapse/parse/call_tree.h"
#include "collapse/parse/event_values.h"
#include "collapse/parse/format.h"
#include "collapse/parse/json_input.h"
#include "collapse/parse/stack_builder.h"
#include "core/map.h"
#include "core/memory.h"

/* --- JSON ------------------------------------------------------------------------------- */

/* The JSON that +RTS -pj writes, also to PROGRAM.prof:
 *
 *     {"program": "a", "rts_arguments": ["-pj"], "total_ticks": 798, "cost_centres": [
 *         {"id": 7, "label": "work", "module": "Main", "src_loc": "a.hs:3:1-4", "is_caf": false}, ...],
 *      "profile": {"id": 144, "entries": 0, "alloc": 648, "ticks": 0, "children": [
 *         {"id": 7, "entries": 1, "alloc": 640, "ticks": 3, "children": []}]}}
 *
 * Values are those of a cost centre itself.  Events: ticks, bytes, entries, as in the text. */

static const struct {
	const char *key, *event, *unit;
} values[] = {
	{ "ticks", "ticks", "ticks" },
	{ "alloc", "bytes", "bytes" },
	{ "entries", "entries", "entries" },
};

enum { VALUES = sizeof(values) / sizeof(*values) };

/* A node on the path to the current one. */
struct level {
	struct json rest; /* of its children */
	uint32_t frame;
};

struct cost_tree {
	struct text_stacks *s;
	struct map centres; /* id: frame + 1 */
	struct event_values events;
	struct level *levels; /* [depth] */
	size_t depth, cap;
	struct str frames; /* uint32_t each, for the current stack */
};

/* "Main.work" */
static void read_centre(struct cost_tree *t, struct json centre)
{
	struct str module = { 0 }, label = { 0 };
	uint64_t id;

	json_text(json_member(centre, "module"), &module);
	if (json_u64(json_member(centre, "id"), &id) && json_text(json_member(centre, "label"), &label)) {
		str_addc(&module, '.');
		str_add(&module, str_text(&label), label.len);
		*map_at(&t->centres, id, 0) = text_frame(t->s, TEXT_PLAIN, module.buf, module.len) + 1;
	} else {
		text_wrong(t->s, centre.at, "a cost centre without an id and a label");
	}
	str_free(&module);
	str_free(&label);
}

static uint32_t ghc_json_frame_of(struct cost_tree *t, struct json node)
{
	uint64_t id;
	uint32_t frame = json_u64(json_member(node, "id"), &id) ? map_get(&t->centres, id, 0) : 0;

	if (frame)
		return frame - 1;
	text_wrong(t->s, node.at, "a node of a cost centre that is not in the table");
	return text_frame(t->s, TEXT_PLAIN, "[unknown]", strlen("[unknown]"));
}

static void ghc_json_add_values(struct cost_tree *t, struct json node)
{
	uint32_t stack;

	str_clear(&t->frames);
	for (size_t i = 0; i < t->depth; i++)
		str_add(&t->frames, (const char *)&t->levels[i].frame, sizeof(t->levels[i].frame));
	stack = text_stack(t->s, (const uint32_t *)(const void *)t->frames.buf, t->depth);
	for (size_t i = 0; i < VALUES; i++) {
		struct json member = json_member(node, values[i].key);
		struct text_value value;

		if (json_value(t->s, member, 0, &value))
			event_values_add(&t->events, i, &value, stack, &TEXT_NO_LABELS);
		else
			text_wrong(t->s, member.at ? member.at : node.at, "no value");
	}
}

/* Returns false if node is too deep, and everything below it is skipped. */
static bool ghc_json_enter(struct cost_tree *t, struct json node)
{
	if (t->depth == TREE_DEPTH_MAX) {
		text_wrong(t->s, node.at, "a stack that is too deep");
		return false;
	}
	t->levels = xgrow(t->levels, &t->cap, t->depth + 1, sizeof(*t->levels));
	t->levels[t->depth++] = (struct level){ json_member(node, "children"), ghc_json_frame_of(t, node) };
	ghc_json_add_values(t, node);
	return true;
}

static void ghc_json_parse(const struct text_part *part)
{
	struct cost_tree t = { .s = part->out, .events = { .out = part->out } };
	struct json_index index = { 0 };
	struct json all = json_make(part->text, part->len), centre, centres = json_member(all, "cost_centres");
	struct json node = json_input_indexed(part->out, json_member(all, "profile"), &index);

	for (size_t i = 0; i < VALUES; i++)
		event_values_name(&t.events, (struct text_span){ values[i].event, strlen(values[i].event) },
				  (struct text_span){ values[i].unit, strlen(values[i].unit) });
	while (json_next_item(&centres, &centre))
		read_centre(&t, centre);
	json_check_end(t.s, centres, ']');
	if (node.at)
		ghc_json_enter(&t, node);
	while (t.depth) {
		if (json_next_item(&t.levels[t.depth - 1].rest, &node)) {
			ghc_json_enter(&t, node);
			continue;
		}
		if (t.levels[t.depth - 1].rest.at)
			json_check_end(t.s, t.levels[t.depth - 1].rest, ']');
		t.depth--;
	}
	event_values_end(&t.events);
	json_index_free(&index);
	map_free(&t.centres);
	free(t.levels);
	str_free(&t.frames);
}

static bool ghc_json_is(const char *text, size_t len)
{
	return json_begins(text, len, "rts_arguments") && json_begins(text, len, "cost_centres");
}

/* --- text ------------------------------------------------------------------------------- */

/* numbers at the end of a line */
enum { NUMBERS = 6, NUMBERS_OF_P = 8 };

struct prof_column {
	const char *name, *unit;
	size_t number; /* index of the column among those at the end of a line, from the left */
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
