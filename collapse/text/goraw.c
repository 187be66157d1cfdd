/* goraw: what "go tool pprof -raw" prints.
 *
 *     PeriodType: cpu nanoseconds
 *     Samples:
 *     samples/count cpu/nanoseconds[dflt]       an event for each column, with its unit
 *               6   60000000: 6 7
 *                     thread:[my worker]        labels
 *     Locations
 *          6: 0x40ab99 M=1 runtime.lock2 /usr/lib/go/src/lock_futex.go:61 s=0
 *          7: 0x422f7d M=1 runtime.lock /usr/lib/go/src/lock_futex.go:48 s=0
 *                  runtime.bgsweep /usr/lib/go/src/mgcsweep.go:288 s=0     runtime.lock is inlined into it
 *          8: 0x4b1000 M=1
 *     Mappings
 *     1: 0x400000/0x4b2000/0x0 /srv/prog [FN]
 *
 * becomes
 *
 *     runtime.bgsweep;runtime.lock;runtime.lock2 60000000
 *
 * The default event is the one marked [dflt], or else the first one. */
#include <stdlib.h>
#include <string.h>

#include "collapse/parse/event_values.h"
#include "collapse/parse/format.h"
#include "collapse/parse/function_name.h"
#include "collapse/parse/label_keys.h"
#include "collapse/parse/stack_builder.h"
#include "core/memory.h"

#define NO_STACK UINT32_MAX

struct location {
	size_t first, count; /* of its frames, leaf first */
};

struct raw_profile {
	struct text_stacks *out;
	struct map location_of, mapping_of; /* id -> number + 1 */
	struct location *locations;
	size_t location_count, location_cap;
	struct text_span *mappings; /* paths */
	size_t mapping_count, mapping_cap;
	struct stack_builder frames; /* of all locations */
	struct stack_builder stack;
	struct event_values values;
	size_t column[EVENTS_MAX]; /* by column: the number of its event */
};

/* --- mappings and locations ----------------------------------------------------------- */

/* "1: 0x400000/0x4b2000/0x0 /srv/my prog build-id [FN]" */
static void take_mapping(struct raw_profile *p, struct text_span line)
{
	uint64_t id;

	line = span_trim(line);
	if (!span_number(&line, UINT64_MAX, &id) || !span_skip(&line, ": "))
		return;
	span_word(&line);
	line = span_trim(line);
	if (span_ends(line, "]"))
		line.len = span_last(line, '[');
	line = span_trim_end(line);
	p->mappings = xgrow(p->mappings, &p->mapping_cap, p->mapping_count + 1, sizeof(*p->mappings));
	p->mappings[p->mapping_count++] = line;
	*map_at(&p->mapping_of, id, 0) = (uint32_t)p->mapping_count;
}

/* The beginning of the file at the end of "f /srv/my app/a.c:12": it is at the last " /".  In "f /srv/a.js:7 b.c:12",
 * however, the slash belongs to the name, and the file is the last word. */
static size_t goraw_file_at(struct text_span line)
{
	size_t slash = span_find_last(line, " /"), blank = span_last(line, ' '), digits = blank;

	while (digits > slash && digits < line.len && is_digit(line.text[digits - 1]))
		digits--;
	return digits && digits < blank && line.text[digits - 1] == ':' ? blank : slash < line.len ? slash : blank;
}

/* Split "runtime.lock /usr/lib/go/src/lock_futex.go:48 s=0(mangled)", or ":48:0", into the function and its file, which
 * is before " s=". */
static struct text_span goraw_function_of(struct text_span line, struct text_source *at)
{
	size_t end = line.len, blank, colon;
	struct text_span file, rest;
	uint64_t number;

	while (end && !span_begins(span_after(line, end), " s="))
		end--;
	line.len = end ? end : line.len;
	line = span_trim_end(line);
	blank = end ? goraw_file_at(line) : line.len;
	file = span_after(line, blank + (blank < line.len));
	colon = span_find(file, ":");
	rest = span_after(file, colon + (colon < file.len));
	*at = (struct text_source){ file.text, colon, 0 };
	if (span_number(&rest, UINT32_MAX, &number))
		at->line = (uint32_t)number;
	return span_trim_end((struct text_span){ line.text, blank });
}

static void goraw_add_line(struct raw_profile *p, struct text_span line)
{
	struct text_source at;
	struct text_span name = goraw_function_of(line, &at);

	name = function_name_clean(name, &p->frames.name);
	stack_builder_add_number(&p->frames, text_frame_at(p->out, TEXT_INLINED, name.text, name.len, at));
	p->locations[p->location_count - 1].count++;
}

/* The frame of a location without a function: its mapping, or else its address. */
static void goraw_add_unnamed(struct raw_profile *p, struct text_span address, uint64_t mapping)
{
	uint32_t number = map_get(&p->mapping_of, mapping, 0);

	if (number && p->mappings[number - 1].len)
		stack_builder_add_module(&p->frames, TEXT_PLAIN, p->mappings[number - 1]);
	else
		stack_builder_add(&p->frames, TEXT_PLAIN, address);
	p->locations[p->location_count - 1].count++;
}

/* "     6: 0x40ab99 M=1 [F] runtime.lock2 /usr/lib/go/src/lock_futex.go:61 s=0", or a further line of the
 * location before */
static void take_location(struct raw_profile *p, struct text_span line)
{
	struct text_span rest = span_trim(line), address;
	uint64_t id, mapping = 0;

	if (!span_number(&rest, UINT64_MAX, &id) || !span_skip(&rest, ": 0x")) {
		if (p->location_count && span_trim(line).len)
			goraw_add_line(p, span_trim(line));
		return;
	}
	address = span_word(&rest);
	address = (struct text_span){ address.text - 2, address.len + 2 };
	rest = span_trim(rest);
	if (span_skip(&rest, "M="))
		span_number(&rest, UINT64_MAX, &mapping);
	rest = span_trim(rest);
	if (span_skip(&rest, "[F]"))
		rest = span_trim(rest);
	p->locations = xgrow(p->locations, &p->location_cap, p->location_count + 1, sizeof(*p->locations));
	p->locations[p->location_count++] = (struct location){ p->frames.count, 0 };
	*map_at(&p->location_of, id, 0) = (uint32_t)p->location_count;
	if (rest.len)
		goraw_add_line(p, rest);
	else
		goraw_add_unnamed(p, address, mapping);
}

/* The last line of each location is a function that was called; the functions before it are inlined. */
static void mark_callers(struct raw_profile *p)
{
	for (size_t i = 0; i < p->location_count; i++) {
		uint32_t *last = &p->frames.frames[p->locations[i].first + p->locations[i].count - 1];

		*last -= *last % TEXT_KINDS;
	}
}

/* --- samples -------------------------------------------------------------------------- */

/* "samples/count cpu/nanoseconds[dflt]" */
static void goraw_take_columns(struct raw_profile *p, struct text_span line)
{
	size_t marked = 0, count = 0;

	for (struct text_span rest = line, word; (word = span_word(&rest)).len && count < TEXT_VALUES_MAX; count++)
		marked = span_ends(word, "[dflt]") ? count : marked;
	for (size_t i = 0; i < count; i++) {
		/* the marked event first, then the others in their order */
		size_t column = !i ? marked : i <= marked ? i - 1 : i;
		struct text_span rest = line, word = span_word(&rest), unit;
		size_t slash;

		for (size_t n = 0; n < column; n++)
			word = span_word(&rest);
		word.len = span_find(word, "[dflt]");
		slash = span_last(word, '/');
		unit = span_after(word, slash + (slash < word.len));
		word.len = slash;
		if (span_is(unit, "nanoseconds"))
			unit = (struct text_span){ "ns", 2 };
		else if (span_is(unit, "microseconds"))
			unit = (struct text_span){ "us", 2 };
		else if (span_is(unit, "count"))
			unit = word;
		p->column[column] = p->values.count;
		event_values_name(&p->values, word, unit);
	}
}

/* "thread:[my worker] pid:[8513]": the labels that we know */
static void goraw_take_labels(struct raw_profile *p, struct text_span line, struct text_labels *labels)
{
	static const struct {
		const char *key;
		bool is_comm;
	} known[] = { { "thread:[", true }, { "comm:[", true }, { "thread_name:[", true }, { "pid:[", false } };

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		size_t at = span_find(line, known[i].key);
		struct text_span value = span_after(line, at + (at < line.len ? strlen(known[i].key) : 0));
		uint64_t number;

		if (at == line.len || (at && !is_blank(line.text[at - 1])))
			continue;
		value.len = span_find(value, "]");
		if (known[i].is_comm)
			labels->comm = text_name(p->out, value.text, value.len);
		else if (span_number(&value, INT32_MAX, &number))
			labels->pid = (int32_t)number;
	}
	labels_complete(labels);
}

/* Add the frames of a list of locations, "6 7 ".  Returns false if a location is unknown. */
static bool take_ids(struct raw_profile *p, struct text_span ids)
{
	struct text_span id;

	while ((id = span_word(&ids)).len) {
		struct text_span rest = id;
		uint32_t at = 0;
		uint64_t number;

		if (span_number(&rest, UINT64_MAX, &number) && !rest.len)
			at = map_get(&p->location_of, number, 0);
		if (!at) {
			p->stack.count = 0;
			return false;
		}
		for (size_t i = 0; i < p->locations[at - 1].count; i++)
			stack_builder_add_number(&p->stack, p->frames.frames[p->locations[at - 1].first + i]);
	}
	if (!p->stack.count)
		stack_builder_add(&p->stack, TEXT_PLAIN, (struct text_span){ "[unknown]", 9 });
	return true;
}

/* "          6   60000000: 6 7 " */
static void goraw_take_sample(struct raw_profile *p, struct text_span line, const struct text_labels *labels)
{
	struct text_value values[TEXT_VALUES_MAX];
	size_t colon = span_find(line, ":"), count = 0;
	struct text_span list = { line.text, colon }, ids = span_after(line, colon + (colon < line.len)), word;
	uint32_t stack, known;

	while ((word = span_word(&list)).len && count < p->values.count) {
		if (!stack_value(p->out, word, &values[count++]))
			return;
	}
	if (count < p->values.count || word.len) {
		text_wrong(p->out, line.text, "not a value for each of the columns");
		return;
	}
	if (!text_known(p->out, ids.text, ids.len, &stack, &known)) {
		stack = take_ids(p, ids) ? stack_builder_end(&p->stack, LEAF_FIRST) : NO_STACK;
		text_is(p->out, known, stack);
	}
	if (stack == NO_STACK) {
		text_wrong(p->out, line.text, "a location that is not listed");
		return;
	}
	for (size_t i = 0; i < count; i++)
		event_values_add(&p->values, p->column[i], &values[i], stack, labels);
}

/* --- the input ------------------------------------------------------------------------ */

/* "                thread:[my worker]" */
static bool is_label_line(struct text_span line)
{
	const char *bracket = line.len ? memchr(line.text, '[', line.len) : NULL;

	return bracket && bracket > line.text && bracket[-1] == ':' && !is_digit(line.text[span_indent(line)]);
}

static void goraw_take_samples(struct raw_profile *p, const struct text_part *part)
{
	struct text_span line, below;
	const char *next = part->text;
	bool columns = true;

	if (!span_line(part, &next, &line)) /* "Samples:" */
		return;
	while (span_line(part, &next, &line)) {
		struct text_labels labels = TEXT_NO_LABELS;
		const char *after = next;

		if (columns)
			goraw_take_columns(p, line);
		for (; !columns && span_line(part, &after, &below) && is_label_line(below); next = after)
			goraw_take_labels(p, below, &labels);
		if (!columns && span_trim(line).len && !is_label_line(line))
			goraw_take_sample(p, line, &labels);
		columns = false;
	}
}

/* The lines from a heading up to the next heading (NULL: the end), including the first heading. */
static struct text_part section(const struct text_part *part, const char *from, const char *to)
{
	struct text_span all = { part->text, part->len };
	size_t start = span_begins(all, from + 1) ? 0 : span_find(all, from);
	struct text_part found = *part;

	start += start < all.len && all.text[start] == '\n';
	all = span_after(all, start);
	found.text = all.text;
	found.len = to ? span_find(all, to) : all.len;
	return found;
}

static void goraw_take_all(struct raw_profile *p, const struct text_part *lines,
			   void (*take)(struct raw_profile *p, struct text_span line))
{
	const char *next = NULL;
	struct text_span line;

	if (!span_line(lines, &next, &line)) /* the heading */
		return;
	while (span_line(lines, &next, &line))
		take(p, line);
}

static void goraw_parse(const struct text_part *part)
{
	struct raw_profile p = { .out = part->out,
				 .frames = { .out = part->out },
				 .stack = { .out = part->out },
				 .values = { .out = part->out } };
	struct text_part samples = section(part, "\nSamples:", "\nLocations");
	struct text_part locations = section(part, "\nLocations", "\nMappings");
	struct text_part mappings = section(part, "\nMappings", NULL);

	goraw_take_all(&p, &mappings, take_mapping);
	goraw_take_all(&p, &locations, take_location);
	mark_callers(&p);
	goraw_take_samples(&p, &samples);
	event_values_end(&p.values);
	map_free(&p.location_of);
	map_free(&p.mapping_of);
	free(p.locations);
	free(p.mappings);
	stack_builder_free(&p.frames);
	stack_builder_free(&p.stack);
}

static enum sniffed goraw_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL;
	struct text_span line;

	while (span_line(&part, &next, &line)) {
		if (span_is(line, "Samples:"))
			return span_line(&part, &next, &line) && span_has(line, "/") ? SNIFF_SURE : SNIFF_NO;
	}
	return SNIFF_NO;
}

const struct input_format goraw_format = {
	.name = "go-raw",
	.holds = "stacks and events",
	.wanted = "'Samples:', 'event/unit', and lines 'value: location ...'",
	.has = TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_EVENTS | TEXT_HAS_FILES | TEXT_HAS_LINES,
	.nameless = "go tool pprof -raw PROGRAM FILE writes it with those of the program",
	.sniff = goraw_sniff,
	.parse = goraw_parse,
};
