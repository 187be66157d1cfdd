#include "collapse/output/otlp_dictionary.h"

#include <string.h>

#include "collapse/wire/otlp_fields.h"
#include "collapse/wire/protobuf.h"
#include "core/memory.h"

void otlp_flush(struct otlp *w, size_t limit)
{
	if (w->text.len <= limit)
		return;
	if (w->counting)
		w->counted += w->text.len;
	else
		fwrite(w->text.buf, 1, w->text.len, w->out);
	str_clear(&w->text);
}

uint32_t otlp_string(struct otlp *w, const char *text)
{
	return intern_add(&w->strings, text, strlen(text));
}

uint32_t otlp_own_string(struct otlp *w, uint32_t number)
{
	const struct line_view *v = &w->tables.view;
	size_t before = w->of_view_cap;

	w->of_view = xgrow(w->of_view, &w->of_view_cap, (size_t)number + 1, sizeof(*w->of_view));
	memset(w->of_view + before, 0, (w->of_view_cap - before) * sizeof(*w->of_view));
	if (!w->of_view[number])
		w->of_view[number] = intern_add(&w->strings, view_text(v, number), view_len(v, number));
	return w->of_view[number];
}

uint32_t otlp_attribute(struct otlp *w, uint32_t key, const char *text, uint64_t number)
{
	struct otlp_attribute a;

	memset(&a, 0, sizeof(a));
	a.key = key;
	a.text = text ? intern_add(&w->texts, text, strlen(text)) + 1 : 0;
	a.number = number;
	return intern_add(&w->attributes, (const char *)&a, sizeof(a)) + 1;
}

void otlp_add_packed(struct str *out, unsigned field, struct str *packed)
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
	} else { /* one of several kinds: a zero is written, too */
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

void otlp_add_dictionary(struct otlp *w)
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
