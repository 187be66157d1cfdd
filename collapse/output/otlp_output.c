/* otlp: OTLP profiles (collapse/wire/otlp_fields.h), as a message ProfilesData.
 *
 * A profile has values of one type, so each type gets its own profile.  A message begins with its length, so there are
 * two passes over the samples: the first one computes the lengths and the dictionary, the second one writes.  In a
 * timed profile, all samples of a line become one sample, with many values and times. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/output/facts.h"
#include "collapse/output/output_formats.h"
#include "collapse/output/tables.h"
#include "collapse/output/value_types.h"
#include "collapse/wire/otlp_fields.h"
#include "collapse/wire/protobuf.h"
#include "core/format/folded.h"
#include "core/memory.h"

/* ---- the dictionary -------------------------------------------------------------------- */

/* The dictionary holds once everything that samples refer to: mappings, locations, functions, strings, attributes,
 * stacks (collapse/wire/otlp_fields.h). */

enum { OTLP_FLUSH_BYTES = 256 * 1024 };

struct otlp_attribute {
	uint32_t key;  /* number of a string */
	uint32_t text; /* number in texts + 1; 0: the value is a number */
	uint64_t number;
};

/* What a line is in the dictionary; set in the first pass. */
struct otlp_line {
	uint32_t stack;
	uint32_t first, count; /* of its attributes, in attribute_numbers */
};

struct otlp {
	FILE *out;
	const struct product *p;
	struct header_facts facts;
	struct value_types types;
	struct location_tables tables;
	struct intern texts;   /* values of attributes, which are written in place and not into the dictionary */
	struct intern strings; /* those that are used, from "" */
	uint32_t *of_view;     /* for each text of tables.view.strings, its number in strings; 0: not added yet */
	size_t of_view_cap;
	struct intern stacks, attributes; /* from 0; their numbers begin at 1 */
	struct otlp_line *lines;          /* [fold->count] */
	uint32_t *attribute_numbers;
	size_t attribute_count, attribute_cap;
	size_t *times_of;      /* [fold->count + 1]: by line, where the line's samples begin in by_line */
	uint32_t *by_line;     /* timed samples, line by line */
	uint64_t *build_id_of; /* by module: number of its attribute; 0: none */
	uint64_t start_ns, end_ns;
	struct str text, message, values, stamps, inner;
	size_t counted;
	bool counting;
};

/* If w->text is longer than limit, write it, or, in the first pass, count its bytes. */
static void otlp_flush(struct otlp *w, size_t limit)
{
	if (w->text.len <= limit)
		return;
	if (w->counting)
		w->counted += w->text.len;
	else
		fwrite(w->text.buf, 1, w->text.len, w->out);
	str_clear(&w->text);
}

/* The number of a string in the dictionary; and the same for a string of w->tables.view.strings. */
static uint32_t otlp_string(struct otlp *w, const char *text)
{
	return intern_add(&w->strings, text, strlen(text));
}

static uint32_t otlp_own_string(struct otlp *w, uint32_t number)
{
	const struct line_view *v = &w->tables.view;
	size_t before = w->of_view_cap;

	w->of_view = xgrow(w->of_view, &w->of_view_cap, (size_t)number + 1, sizeof(*w->of_view));
	memset(w->of_view + before, 0, (w->of_view_cap - before) * sizeof(*w->of_view));
	if (!w->of_view[number])
		w->of_view[number] = intern_add(&w->strings, view_text(v, number), view_len(v, number));
	return w->of_view[number];
}

/* The number of an attribute; key is the number of a string; text NULL: the value is a number. */
static uint32_t otlp_attribute(struct otlp *w, uint32_t key, const char *text, uint64_t number)
{
	struct otlp_attribute a;

	memset(&a, 0, sizeof(a));
	a.key = key;
	a.text = text ? intern_add(&w->texts, text, strlen(text)) + 1 : 0;
	a.number = number;
	return intern_add(&w->attributes, (const char *)&a, sizeof(a)) + 1;
}

/* Append packed numbers as a field, unless there are none, and clear them. */
static void otlp_add_packed(struct str *out, unsigned field, struct str *packed)
{
	if (packed->len)
		pb_message(out, field, packed);
	str_clear(packed);
}

/* ---- tables ---------------------------------------------------------------------- */

static void add_any(struct otlp *w, struct str *out, unsigned field, const struct otlp_attribute *a)
{
	str_clear(&w->inner);
	if (a->text) {
		pb_text(&w->inner, OTLP_ANY_STRING, intern_text(&w->texts, a->text - 1),
			intern_len(&w->texts, a->text - 1));
	} else { /* a oneof field: a zero is written, too */
		pb_tag(&w->inner, OTLP_ANY_INT, PB_VARINT);
		pb_varint(&w->inner, a->number);
	}
	pb_message(out, field, &w->inner);
}

static void otlp_dictionary_begin_table(struct otlp *w, unsigned field)
{
	pb_begin(&w->text, field, 0);
}

static void otlp_dictionary_add_mappings(struct otlp *w)
{
	otlp_dictionary_begin_table(w, OTLP_DICTIONARY_MAPPING);
	for (size_t i = 0; i < w->tables.module_count; i++) {
		str_clear(&w->message);
		pb_number(&w->message, OTLP_MAPPING_FILE, otlp_string(w, w->tables.modules[i]->path));
		if (w->build_id_of[i]) {
			pb_varint(&w->values, w->build_id_of[i]);
			otlp_add_packed(&w->message, OTLP_MAPPING_ATTRIBUTES, &w->values);
		}
		pb_message(&w->text, OTLP_DICTIONARY_MAPPING, &w->message);
	}
}

static void otlp_dictionary_add_locations(struct otlp *w)
{
	otlp_dictionary_begin_table(w, OTLP_DICTIONARY_LOCATION);
	for (size_t i = 0; i < w->tables.locations.count; i++) {
		struct table_line lines[TABLE_DEPTH_MAX];
		uint32_t module;
		size_t count = tables_location(&w->tables, i, &module, lines);

		str_clear(&w->message);
		pb_number(&w->message, OTLP_LOCATION_MAPPING, module);
		for (size_t n = 0; n < count; n++) {
			str_clear(&w->inner);
			pb_number(&w->inner, OTLP_LINE_FUNCTION, lines[n].function);
			pb_number(&w->inner, OTLP_LINE_LINE, lines[n].line);
			pb_message(&w->message, OTLP_LOCATION_LINES, &w->inner);
		}
		pb_message(&w->text, OTLP_DICTIONARY_LOCATION, &w->message);
		otlp_flush(w, OTLP_FLUSH_BYTES);
	}
}

static void otlp_dictionary_add_functions(struct otlp *w)
{
	otlp_dictionary_begin_table(w, OTLP_DICTIONARY_FUNCTION);
	for (size_t i = 0; i < w->tables.function_count; i++) {
		const struct table_function *f = &w->tables.functions[i];

		str_clear(&w->message);
		pb_number(&w->message, OTLP_FUNCTION_NAME, otlp_own_string(w, f->name));
		pb_number(&w->message, OTLP_FUNCTION_SYSTEM_NAME, otlp_own_string(w, f->name));
		pb_number(&w->message, OTLP_FUNCTION_FILE, otlp_own_string(w, f->file));
		pb_message(&w->text, OTLP_DICTIONARY_FUNCTION, &w->message);
		otlp_flush(w, OTLP_FLUSH_BYTES);
	}
}

static void otlp_dictionary_add_attributes(struct otlp *w)
{
	otlp_dictionary_begin_table(w, OTLP_DICTIONARY_ATTRIBUTE);
	for (uint32_t i = 0; i < w->attributes.count; i++) {
		struct otlp_attribute a;

		memcpy(&a, intern_text(&w->attributes, i), sizeof(a));
		str_clear(&w->message);
		pb_number(&w->message, OTLP_ATTRIBUTE_KEY, a.key);
		add_any(w, &w->message, OTLP_ATTRIBUTE_VALUE, &a);
		pb_message(&w->text, OTLP_DICTIONARY_ATTRIBUTE, &w->message);
		otlp_flush(w, OTLP_FLUSH_BYTES);
	}
}

static void otlp_dictionary_add_stacks(struct otlp *w)
{
	otlp_dictionary_begin_table(w, OTLP_DICTIONARY_STACK);
	for (uint32_t i = 0; i < w->stacks.count; i++) {
		size_t count = intern_len(&w->stacks, i) / sizeof(uint32_t);

		str_clear(&w->message);
		for (size_t n = count; n-- > 0;) {
			uint32_t location;

			memcpy(&location, intern_text(&w->stacks, i) + n * sizeof(location), sizeof(location));
			pb_varint(&w->values, location);
		}
		otlp_add_packed(&w->message, OTLP_STACK_LOCATIONS, &w->values);
		pb_message(&w->text, OTLP_DICTIONARY_STACK, &w->message);
		otlp_flush(w, OTLP_FLUSH_BYTES);
	}
}

static void otlp_add_dictionary(struct otlp *w)
{
	otlp_dictionary_add_mappings(w);
	otlp_dictionary_add_locations(w);
	otlp_dictionary_add_functions(w);
	otlp_dictionary_begin_table(w, OTLP_DICTIONARY_LINK);
	otlp_dictionary_add_attributes(w);
	otlp_dictionary_add_stacks(w);
	for (uint32_t i = 0; i < w->strings.count; i++) {
		pb_text(&w->text, OTLP_DICTIONARY_STRING, intern_text(&w->strings, i), intern_len(&w->strings, i));
		otlp_flush(w, OTLP_FLUSH_BYTES);
	}
}

/* ---- the dictionary's numbers of each line ------------------------------------------ */

/* Names of labels according to OpenTelemetry's conventions. */
static const char *attribute_name(const char *root)
{
	static const struct {
		const char *root, *name;
	} names[] = {
		{ "pid", "process.pid" },
		{ "tid", "thread.id" },
		{ "thread", "thread.name" },
		{ "comm", "process.command" },
		{ "cpu", "cpu.logical_number" },
		{ "host", "host.name" },
		{ "cgroup", "process.linux.cgroup" },
		{ "container-id", "container.id" },
		{ "container", "container.name" },
		{ "pod-uid", "k8s.pod.uid" },
		{ "pod", "k8s.pod.name" },
		{ "namespace", "k8s.namespace.name" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!strcmp(names[i].root, root))
			return names[i].name;
	}
	return root;
}

static void know_line(struct otlp *w, size_t i)
{
	const struct line_view *v = &w->tables.view;
	struct otlp_line *known = &w->lines[i];

	tables_line(&w->tables, &w->p->fold->lines[i]);
	known->stack = intern_add(&w->stacks, (const char *)w->tables.stack,
				  w->tables.stack_count * sizeof(*w->tables.stack)) +
		       1;
	known->first = (uint32_t)w->attribute_count;
	known->count = (uint32_t)v->label_count;
	w->attribute_numbers = xgrow(w->attribute_numbers, &w->attribute_cap, w->attribute_count + v->label_count,
				     sizeof(*w->attribute_numbers));
	for (size_t n = 0; n < v->label_count; n++) {
		const struct view_label *l = &v->labels[n];

		w->attribute_numbers[w->attribute_count++] = otlp_attribute(
			w, otlp_string(w, attribute_name(l->key)), l->text ? view_text(v, l->text) : NULL, l->number);
	}
}

/* Sort the timed samples by line; samples of one line stay in order of time. */
static void group_times(struct otlp *w)
{
	const struct timed_samples *times = w->p->times;
	size_t lines = w->p->fold->count, *next;

	w->times_of = xcalloc(lines + 1, sizeof(*w->times_of));
	w->by_line = xmalloc((times->count + 1) * sizeof(*w->by_line));
	for (size_t i = 0; i < times->count; i++)
		w->times_of[times->items[i].stack + 1]++;
	for (size_t i = 0; i < lines; i++)
		w->times_of[i + 1] += w->times_of[i];
	next = xmalloc((lines + 1) * sizeof(*next));
	memcpy(next, w->times_of, (lines + 1) * sizeof(*next));
	for (size_t i = 0; i < times->count; i++)
		w->by_line[next[times->items[i].stack]++] = (uint32_t)i;
	free(next);
}

/* The time that the profile covers, which must include each timestamp. */
static void find_extent(struct otlp *w)
{
	const struct timed_samples *times = w->p->times;

	w->start_ns = facts_instant(&w->facts, FOLDED_START);
	w->end_ns = facts_instant(&w->facts, FOLDED_END);
	for (size_t i = 0; times && i < times->count; i++) {
		uint64_t ns = times->items[i].wall_ns;

		if (ns == TIMES_NONE)
			continue;
		w->start_ns = !w->start_ns || ns < w->start_ns ? ns : w->start_ns;
		w->end_ns = ns >= w->end_ns ? ns + 1 : w->end_ns;
	}
}

/* ---- samples --------------------------------------------------------------------- */

/* Write a sample of a line with w->values, and with w->stamps if the line has times. */
static void otlp_output_add_sample(struct otlp *w, size_t line)
{
	const struct otlp_line *known = &w->lines[line];

	if (!w->values.len)
		return;
	str_clear(&w->message);
	pb_number(&w->message, OTLP_SAMPLE_STACK, known->stack);
	str_clear(&w->inner);
	for (uint32_t i = 0; i < known->count; i++)
		pb_varint(&w->inner, w->attribute_numbers[known->first + i]);
	otlp_add_packed(&w->message, OTLP_SAMPLE_ATTRIBUTES, &w->inner);
	otlp_add_packed(&w->message, OTLP_SAMPLE_VALUES, &w->values);
	otlp_add_packed(&w->message, OTLP_SAMPLE_TIMESTAMPS, &w->stamps);
	pb_message(&w->text, OTLP_PROFILE_SAMPLES, &w->message);
	otlp_flush(w, OTLP_FLUSH_BYTES);
}

/* Write the timed samples of a line; those without a time come last. */
static void otlp_output_add_timed(struct otlp *w, size_t line, size_t column)
{
	const struct timed_samples *times = w->p->times;
	bool timeless = false;

	for (size_t i = w->times_of[line]; i < w->times_of[line + 1]; i++) {
		const struct timed_sample *s = &times->items[w->by_line[i]];

		if (s->wall_ns == TIMES_NONE && !timeless) {
			otlp_output_add_sample(w, line);
			timeless = true;
		}
		pb_varint(&w->values, value_rounded(&w->types, w->p, column, s->value, times_more(times, s)));
		if (!timeless)
			pb_fixed64_bare(&w->stamps, s->wall_ns);
	}
	otlp_output_add_sample(w, line);
}

static void otlp_output_add_samples(struct otlp *w, size_t column)
{
	const struct fold *fold = w->p->fold;

	w->types.carry[column] = COLUMN_ONE / 2;
	for (size_t i = 0; i < fold->count; i++) {
		const struct fold_line *line = &fold->lines[i];

		if (!line->kept)
			continue;
		if (w->p->times) {
			otlp_output_add_timed(w, i, column);
			continue;
		}
		pb_varint(&w->values, value_rounded(&w->types, w->p, column, line->value, fold_more(fold, line)));
		otlp_output_add_sample(w, i);
	}
}

/* ---- a profile ------------------------------------------------------------------- */

static void otlp_output_add_type(struct otlp *w, unsigned field, const char *type, const char *unit)
{
	str_clear(&w->inner);
	pb_number(&w->inner, OTLP_VALUE_TYPE_TYPE, otlp_string(w, type));
	pb_number(&w->inner, OTLP_VALUE_TYPE_UNIT, otlp_string(w, unit));
	pb_message(&w->text, field, &w->inner);
}

/* "pyrograph.lost": each fact is an attribute of the profile. */
static void otlp_output_add_facts(struct otlp *w)
{
	struct str name = { 0 };

	str_clear(&w->inner);
	for (size_t i = 0; i < w->facts.count; i++) {
		str_clear(&name);
		str_addf(&name, "pyrograph.%s", w->facts.items[i].key);
		pb_varint(&w->inner, otlp_attribute(w, otlp_string(w, name.buf), w->facts.items[i].value, 0));
	}
	for (size_t i = 0; i < w->facts.note_count; i++) {
		str_clear(&name);
		str_addf(&name, "pyrograph.note.%zu", i + 1);
		pb_varint(&w->inner, otlp_attribute(w, otlp_string(w, name.buf), w->facts.notes[i], 0));
	}
	otlp_add_packed(&w->text, OTLP_PROFILE_ATTRIBUTES, &w->inner);
	str_free(&name);
}

static void otlp_output_add_profile(struct otlp *w, const struct value_type *type)
{
	uint64_t period_ns = value_period(&w->facts);

	otlp_output_add_type(w, OTLP_PROFILE_SAMPLE_TYPE, type->type, type->unit);
	pb_fixed64(&w->text, OTLP_PROFILE_TIME, w->start_ns);
	pb_number(&w->text, OTLP_PROFILE_DURATION, w->end_ns > w->start_ns ? w->end_ns - w->start_ns : 0);
	if (period_ns) {
		otlp_output_add_type(w, OTLP_PROFILE_PERIOD_TYPE, "cpu", "nanoseconds");
		pb_number(&w->text, OTLP_PROFILE_PERIOD, period_ns);
	}
	otlp_output_add_facts(w);
	otlp_output_add_samples(w, type->column);
}

/* ---- the whole ------------------------------------------------------------------- */

static void add_key_value(struct str *out, const char *key, const char *value)
{
	struct str pair = { 0 }, any = { 0 };

	pb_puts(&any, OTLP_ANY_STRING, value);
	pb_puts(&pair, OTLP_KEY_VALUE_KEY, key);
	pb_message(&pair, OTLP_KEY_VALUE_VALUE, &any);
	pb_message(out, OTLP_RESOURCE_ATTRIBUTES, &pair);
	str_free(&pair);
	str_free(&any);
}

static void make_resource(struct otlp *w, struct str *resource)
{
	const char *host = facts_get(&w->facts, FOLDED_HOST), *kernel = facts_get(&w->facts, FOLDED_KERNEL);
	struct str attributes = { 0 };

	if (host)
		add_key_value(&attributes, "host.name", host);
	add_key_value(&attributes, "os.type", "linux");
	if (kernel)
		add_key_value(&attributes, "os.version", kernel);
	pb_message(resource, OTLP_RESOURCE_PROFILES_RESOURCE, &attributes);
	str_free(&attributes);
}

static void make_scope(struct str *scope)
{
	struct str inner = { 0 };

	pb_puts(&inner, OTLP_SCOPE_NAME, "pyrograph");
	pb_puts(&inner, OTLP_SCOPE_VERSION, PYROGRAPH_VERSION);
	pb_message(scope, OTLP_SCOPE_PROFILES_SCOPE, &inner);
	str_free(&inner);
}

static size_t count_bytes(struct otlp *w, const struct value_type *type)
{
	w->counting = true;
	w->counted = 0;
	if (type)
		otlp_output_add_profile(w, type);
	else
		otlp_add_dictionary(w);
	otlp_flush(w, 0);
	w->counting = false;
	return w->counted;
}

static size_t field_len(size_t len)
{
	return 1 + pb_varint_len(len) + len; /* all fields are below 16 */
}

static void otlp_output_write_all(struct otlp *w)
{
	struct str resource = { 0 }, scope = { 0 };
	size_t lens[COLUMNS_MAX], all;

	make_resource(w, &resource);
	make_scope(&scope);
	all = scope.len;
	for (size_t i = 0; i < w->types.count; i++) {
		lens[i] = count_bytes(w, &w->types.items[i]);
		all += field_len(lens[i]);
	}
	w->types.too_large = 0; /* they are counted once more */
	pb_begin(&w->text, OTLP_DATA_RESOURCE_PROFILES, resource.len + field_len(all));
	str_add(&w->text, resource.buf, resource.len);
	pb_begin(&w->text, OTLP_RESOURCE_PROFILES_SCOPE_PROFILES, all);
	str_add(&w->text, scope.buf, scope.len);
	for (size_t i = 0; i < w->types.count; i++) {
		pb_begin(&w->text, OTLP_SCOPE_PROFILES_PROFILES, lens[i]);
		otlp_output_add_profile(w, &w->types.items[i]);
	}
	otlp_flush(w, 0);
	all = count_bytes(w, NULL);
	pb_begin(&w->text, OTLP_DATA_DICTIONARY, all);
	otlp_add_dictionary(w);
	otlp_flush(w, 0);
	str_free(&resource);
	str_free(&scope);
}

static void know_modules(struct otlp *w)
{
	w->build_id_of = xcalloc(w->tables.module_count + 1, sizeof(*w->build_id_of));
	for (size_t i = 0; i < w->tables.module_count; i++) {
		const char *build_id = tables_build_id(&w->tables, w->tables.modules[i]);

		if (build_id)
			w->build_id_of[i] =
				otlp_attribute(w, otlp_string(w, "process.executable.build_id.gnu"), build_id, 0);
	}
}

static void otlp_output_free_all(struct otlp *w)
{
	tables_end(&w->tables);
	facts_free(&w->facts);
	intern_free(&w->texts);
	intern_free(&w->strings);
	free(w->of_view);
	intern_free(&w->stacks);
	intern_free(&w->attributes);
	free(w->lines);
	free(w->attribute_numbers);
	free(w->times_of);
	free(w->by_line);
	free(w->build_id_of);
	str_free(&w->text);
	str_free(&w->message);
	str_free(&w->values);
	str_free(&w->stamps);
	str_free(&w->inner);
}

static void write_otlp(FILE *out, const struct product *p)
{
	struct otlp w = { .out = out, .p = p };

	facts_read(&w.facts, str_text(&p->header));
	value_types_make(&w.types, p, &w.facts);
	tables_begin(&w.tables, p);
	otlp_string(&w, "");
	find_extent(&w);
	if (p->times)
		group_times(&w);
	w.lines = xcalloc(p->fold->count + 1, sizeof(*w.lines));
	for (size_t i = 0; i < p->fold->count; i++) {
		if (p->fold->lines[i].kept)
			know_line(&w, i);
	}
	know_modules(&w);
	otlp_output_write_all(&w);
	value_types_warn(&w.types, p);
	otlp_output_free_all(&w);
}

const struct output_format otlp_output = {
	.name = "otlp",
	.endings = ENDINGS(".otlp", ".otlp.pb"),
	.binary = true,
	.spans = true,
	.tables = true,
	.owners = true,
	.write = write_otlp,
};
