/* otlp: profiles of OpenTelemetry, protocol buffers of the message ProfilesData or ExportProfilesServiceRequest, which have
 * the same fields, of version 1.9 of the protocol or later
 * (github.com/open-telemetry/opentelemetry-proto, profiles/v1development/profiles.proto).  As text:
 *
 *     resource_profiles: scope_profiles: profiles:
 *         sample_type cpu/nanoseconds, time 1795342502.000000000
 *         sample: stack 2, attributes 1, values 10000000, at 1795342502.014325678
 *     dictionary: stack 2: location 3, 1 (leaf first); location 3: in mapping 1, line of function 7, of function 5 (inlined
 *         first); function 7: "main.work"; attribute 1: "thread.name" = "main"; all texts are numbers of strings
 *
 * Numbers count from 0; item 0 of each table stands for none. */
#include <stdlib.h>
#include <string.h>

#include "collapse/fold/times.h"
#include "collapse/parse/format.h"
#include "collapse/parse/label_keys.h"
#include "collapse/text/otlp_input.h"
#include "collapse/wire/otlp_fields.h"
#include "core/memory.h"
#include "core/protobuf_reader.h"

enum { TABLES = OTLP_DICTIONARY_STACK + 1 };

struct otlp_input {
	struct text_stacks *s;
	bool told; /* see otlp_read() */
	bool has_dictionary;
	struct {
		struct wire *items; /* [count] */
		size_t count, cap;
	} tables[TABLES];
	uint32_t *stacks;  /* [count of OTLP_DICTIONARY_STACK]: numbers of text_stack(), ... */
	bool *made;        /* ... if made */
	struct str frames; /* of the current stack, leaf first */
	size_t room;       /* how many frames may be in it, ... */
	bool truncated;    /* ... and there were more */
	struct text_labels of_resource;
	uint32_t event, unit;
	uint64_t time_ns; /* of the profile; TIMES_NONE: unknown */
};

static void otlp_wrong(struct otlp_input *p, const char *at, const char *what)
{
	if (!p->told)
		text_wrong(p->s, at, what);
}

static struct wire item(const struct otlp_input *p, unsigned table, uint64_t number)
{
	return number < p->tables[table].count ? p->tables[table].items[number] : (struct wire){ 0 };
}

static struct text_span otlp_string_of(const struct otlp_input *p, uint64_t number)
{
	struct wire text = item(p, OTLP_DICTIONARY_STRING, number);

	return (struct text_span){ text.at ? (const char *)text.at : "", wire_len(&text) };
}

/* The value of a numeric field of a message; 0: the message does not have the field. */
static uint64_t number_in(struct wire message, uint32_t field)
{
	struct wire_field f;
	uint64_t n = 0;

	while (wire_next(&message, &f)) {
		if (f.number == field && f.type != PB_BYTES)
			n = f.value;
	}
	return n;
}

/* The last field of bytes with this number; its at is NULL if there is none. */
static struct wire wire_part(struct wire message, uint32_t field)
{
	struct wire part = { 0 };
	struct wire_field f;

	while (message.at && wire_next(&message, &f)) {
		if (f.number == field && f.type == PB_BYTES)
			part = f.bytes;
	}
	return part;
}

static void read_dictionary(struct otlp_input *p, struct wire dictionary)
{
	struct wire_field f;

	while (wire_next(&dictionary, &f)) {
		if (f.number >= TABLES || f.type != PB_BYTES)
			continue;
		p->tables[f.number].items = xgrow(p->tables[f.number].items, &p->tables[f.number].cap,
						  p->tables[f.number].count + 1, sizeof(struct wire));
		p->tables[f.number].items[p->tables[f.number].count++] = f.bytes;
	}
	if (dictionary.wrong)
		otlp_wrong(p, (const char *)dictionary.at, "a damaged dictionary");
}

/* --- stacks ------------------------------------------------------------------------- */

static void otlp_add_frame(struct otlp_input *p, uint32_t frame)
{
	p->truncated |= p->frames.len / sizeof(frame) >= p->room;
	if (!p->truncated)
		str_add(&p->frames, (const char *)&frame, sizeof(frame));
}

/* The frame of a line: its function, with the function's file or else that of the mapping, module. */
static uint32_t otlp_frame_of_line(const struct otlp_input *p, struct wire line, enum text_kind kind,
				   struct text_span module)
{
	struct wire function = item(p, OTLP_DICTIONARY_FUNCTION, number_in(line, OTLP_LINE_FUNCTION));
	struct text_span name = otlp_string_of(p, number_in(function, OTLP_FUNCTION_NAME));
	struct text_span file = otlp_string_of(p, number_in(function, OTLP_FUNCTION_FILE));
	uint64_t number = number_in(line, OTLP_LINE_LINE);

	if (!name.len)
		name = otlp_string_of(p, number_in(function, OTLP_FUNCTION_SYSTEM_NAME));
	return function_frame(p->s, kind, name, file, number, module);
}

enum { LINES_MAX = 256 };

/* Append the frames of a location, leaf first, in the order of its lines; all but the last line are inlined.  Frames
 * above LINES_MAX are dropped. */
static void otlp_add_location(struct otlp_input *p, struct wire location)
{
	struct text_span file = otlp_string_of(
		p, number_in(item(p, OTLP_DICTIONARY_MAPPING, number_in(location, OTLP_LOCATION_MAPPING)),
			     OTLP_MAPPING_FILE));
	struct wire_field f;
	size_t lines = 0, left;
	struct wire fields = location;

	while (lines <= LINES_MAX && wire_next(&fields, &f))
		lines += f.number == OTLP_LOCATION_LINES && f.type == PB_BYTES;
	left = lines;
	while (left && !p->truncated && wire_next(&location, &f)) {
		if (f.number != OTLP_LOCATION_LINES || f.type != PB_BYTES)
			continue;
		left--;
		otlp_add_frame(p, otlp_frame_of_line(p, f.bytes,
						     left                     ? TEXT_INLINED
						     : module_is_kernel(file) ? TEXT_KERNEL
									      : TEXT_PLAIN,
						     file));
	}
	if (!lines)
		otlp_add_frame(p, module_frame(p->s, file));
	p->truncated |= lines > LINES_MAX;
}

static uint32_t otlp_stack_of(struct otlp_input *p, uint64_t number)
{
	struct wire stack = item(p, OTLP_DICTIONARY_STACK, number);
	struct wire_field f;
	uint32_t *items, outermost;
	uint64_t at;
	size_t count;

	if (number < p->tables[OTLP_DICTIONARY_STACK].count && p->made[number])
		return p->stacks[number];
	str_clear(&p->frames);
	p->room = text_stack_room(p->s);
	p->truncated = false;
	while (wire_next(&stack, &f)) {
		struct wire rest = { 0 };
		bool first = true;

		while (f.number == OTLP_STACK_LOCATIONS && !p->truncated && wire_number(&f, &rest, &first, &at))
			otlp_add_location(p, item(p, OTLP_DICTIONARY_LOCATION, at));
	}
	if (p->truncated) {
		outermost = text_truncated(p->s);
		str_add(&p->frames, (const char *)&outermost, sizeof(outermost));
	}
	items = (uint32_t *)(void *)p->frames.buf;
	count = p->frames.len / sizeof(*items);
	at = text_stack_leaf_first(p->s, items, count);
	if (number < p->tables[OTLP_DICTIONARY_STACK].count) {
		p->stacks[number] = (uint32_t)at;
		p->made[number] = true;
	}
	return (uint32_t)at;
}

/* --- samples ------------------------------------------------------------------------ */

static void read_attribute(struct otlp_input *p, uint64_t number, struct text_labels *labels)
{
	struct wire attribute = item(p, OTLP_DICTIONARY_ATTRIBUTE, number);
	struct wire value = wire_part(attribute, OTLP_ATTRIBUTE_VALUE), text = wire_part(value, OTLP_ANY_STRING);

	label_set(p->s, labels, otlp_string_of(p, number_in(attribute, OTLP_ATTRIBUTE_KEY)),
		  text.at ? (struct text_span){ (const char *)text.at, wire_len(&text) } : (struct text_span){ "", 0 },
		  number_in(value, OTLP_ANY_INT));
}

static void otlp_add(struct otlp_input *p, uint64_t time_ns, uint64_t amount, uint32_t stack, uint32_t labels)
{
	struct text_value value = text_value_of((int64_t)amount);

	fold_add_text(p->s,
		      &(struct text_sample){ .time_ns = time_ns, .values = &value, .stack = stack, .labels = labels });
}

/* The next number of a repeated field of fixed64, whether packed or not. */
static bool otlp_next_time(const struct wire_field *f, struct wire *rest, bool *first, uint64_t *ns)
{
	if (f->type != PB_BYTES)
		return wire_number(f, rest, first, ns);
	if (*first)
		*rest = f->bytes;
	*first = false;
	return wire_fixed(rest, sizeof(*ns), ns);
}

struct numbers {
	uint64_t *items;
	size_t count, cap;
};

static void otlp_collect(struct numbers *n, const struct wire_field *f, bool is_time)
{
	struct wire rest = { 0 };
	bool first = true;
	uint64_t number;

	while (is_time ? otlp_next_time(f, &rest, &first, &number) : wire_number(f, &rest, &first, &number)) {
		n->items = xgrow(n->items, &n->cap, n->count + 1, sizeof(*n->items));
		n->items[n->count++] = number;
	}
}

/* There are as many values as times; or values is a single sum; or there are no values, and each time counts 1. */
static void otlp_add_all(struct otlp_input *p, const struct numbers *values, const struct numbers *times,
			 uint32_t stack, uint32_t labels)
{
	uint64_t first = times->count ? times->items[0] : p->time_ns;

	if (values->count == times->count || values->count <= 1) {
		for (size_t i = 0; i < times->count && values->count != 1; i++)
			otlp_add(p, times->items[i], values->count ? values->items[i] : 1, stack, labels);
		if (values->count == 1)
			otlp_add(p, first, values->items[0], stack, labels);
		return;
	}
	for (size_t i = 0; i < values->count; i++)
		otlp_add(p, first, values->items[i], stack, labels);
}

static void otlp_read_sample(struct otlp_input *p, struct wire sample)
{
	struct text_labels labels = p->of_resource;
	struct numbers values = { 0 }, times = { 0 };
	struct wire fields = sample;
	struct wire_field f;
	uint64_t stack = 0, number;

	labels.event = p->event;
	labels.unit = p->unit;
	while (wire_next(&fields, &f)) {
		struct wire rest = { 0 };
		bool first = true;

		if (f.number == OTLP_SAMPLE_STACK && f.type == PB_VARINT)
			stack = f.value;
		else if (f.number == OTLP_SAMPLE_VALUES)
			otlp_collect(&values, &f, false);
		else if (f.number == OTLP_SAMPLE_TIMESTAMPS)
			otlp_collect(&times, &f, true);
		while (f.number == OTLP_SAMPLE_ATTRIBUTES && wire_number(&f, &rest, &first, &number))
			read_attribute(p, number, &labels);
	}
	labels_complete(&labels);
	if (fields.wrong)
		otlp_wrong(p, (const char *)fields.at, "a damaged sample");
	else
		otlp_add_all(p, &values, &times, otlp_stack_of(p, stack), text_label(p->s, &labels));
	free(values.items);
	free(times.items);
}

static void otlp_read_profile(struct otlp_input *p, struct wire profile)
{
	struct wire fields = profile;
	struct wire_field f;
	struct text_span name = { "", 0 };

	p->event = p->unit = TEXT_NO_NAME;
	p->time_ns = number_in(profile, OTLP_PROFILE_TIME) ?: TIMES_NONE;
	while (wire_next(&fields, &f)) {
		if (f.number != OTLP_PROFILE_SAMPLE_TYPE || f.type != PB_BYTES)
			continue;
		name = otlp_string_of(p, number_in(f.bytes, OTLP_VALUE_TYPE_TYPE));
		p->event = name.len ? text_name(p->s, name.text, name.len) : TEXT_NO_NAME;
		p->unit = unit_name(p->s, otlp_string_of(p, number_in(f.bytes, OTLP_VALUE_TYPE_UNIT)), name);
	}
	while (wire_next(&profile, &f)) {
		if (f.number == OTLP_PROFILE_SAMPLES && f.type == PB_BYTES)
			otlp_read_sample(p, f.bytes);
	}
}

/* Call read() for each field with this number in a message. */
static void each(struct otlp_input *p, struct wire message, uint32_t field,
		 void (*read)(struct otlp_input *p, struct wire bytes))
{
	struct wire_field f;

	while (wire_next(&message, &f)) {
		if (f.number == field && f.type == PB_BYTES)
			read(p, f.bytes);
	}
	if (message.wrong)
		otlp_wrong(p, (const char *)message.at, "a damaged field");
}

static void read_scope(struct otlp_input *p, struct wire scope)
{
	each(p, scope, OTLP_SCOPE_PROFILES_PROFILES, otlp_read_profile);
}

/* {key: "container.id", value: {string_value: "5f.."}} */
static void read_pair(struct otlp_input *p, struct wire pair)
{
	struct wire key = wire_part(pair, OTLP_KEY_VALUE_KEY);
	struct wire text = wire_part(wire_part(pair, OTLP_KEY_VALUE_VALUE), OTLP_ANY_STRING);

	if (key.at && text.at)
		label_set_owner(p->s, &p->of_resource, (struct text_span){ (const char *)key.at, wire_len(&key) },
				(struct text_span){ (const char *)text.at, wire_len(&text) });
}

static void read_attributes(struct otlp_input *p, struct wire resource)
{
	each(p, resource, OTLP_RESOURCE_ATTRIBUTES, read_pair);
}

static void read_resource(struct otlp_input *p, struct wire resource)
{
	p->of_resource = TEXT_NO_LABELS;
	each(p, resource, OTLP_RESOURCE_PROFILES_RESOURCE, read_attributes);
	each(p, resource, OTLP_RESOURCE_PROFILES_SCOPE_PROFILES, read_scope);
}

/* A message has only one dictionary, so a second one belongs to another file. */
static void take_dictionary(struct otlp_input *p, struct wire bytes)
{
	if (p->has_dictionary)
		text_refuse(p->s, (const char *)bytes.at, "tables of its own");
	else
		read_dictionary(p, bytes);
	p->has_dictionary = true;
}

void otlp_read(struct text_stacks *s, struct wire all, bool told)
{
	struct otlp_input p = { .s = s, .told = told };

	each(&p, all, OTLP_DATA_DICTIONARY, take_dictionary);
	p.stacks = xcalloc(p.tables[OTLP_DICTIONARY_STACK].count + 1, sizeof(*p.stacks));
	p.made = xcalloc(p.tables[OTLP_DICTIONARY_STACK].count + 1, sizeof(*p.made));
	each(&p, all, OTLP_DATA_RESOURCE_PROFILES, read_resource);
	for (int i = 0; i < TABLES; i++)
		free(p.tables[i].items);
	free(p.stacks);
	free(p.made);
	str_free(&p.frames);
}

static void otlp_parse(const struct text_part *part)
{
	otlp_read(part->out, wire_make(part->text, part->len), false);
}

const char otlp_nameless[] = "what sent the profile, or its collector, must look up the names";

void otlp_begin(const char *text, size_t len, struct text_setup *setup)
{
	(void)text, (void)len;
	setup->sums_untimed = true;
}

/* Step into the first field of a message if it is one of two, and not longer than the message, of which *room bytes are
 * left.  Returns the field's number; 0: it is some other field. */
static uint32_t step_into(struct wire *w, uint64_t *room, uint32_t one, uint32_t other)
{
	const uint8_t *start = w->at;
	uint64_t tag, size, head;

	if (!wire_varint(w, &tag) || (tag != (one << 3 | PB_BYTES) && tag != (other << 3 | PB_BYTES)) ||
	    !wire_varint(w, &size))
		return 0;
	head = (uint64_t)(w->at - start);
	if (head > *room || size > *room - head)
		return 0;
	*room = size;
	return (uint32_t)(tag >> 3);
}

/* Does the input begin with a dictionary whose first table begins with an empty item, or with nested messages down to
 * that of a profile, or to an attribute of the resource? */
static enum sniffed otlp_sniff(const char *text, size_t len)
{
	struct wire w = wire_make(text, len);
	uint64_t room = UINT64_MAX;
	bool sure = false;

	if (step_into(&w, &room, OTLP_DATA_RESOURCE_PROFILES, OTLP_DATA_DICTIONARY) == OTLP_DATA_DICTIONARY)
		sure = step_into(&w, &room, OTLP_DICTIONARY_MAPPING, OTLP_DICTIONARY_MAPPING) && !room;
	else if (room == UINT64_MAX)
		return SNIFF_NO;
	else if (step_into(&w, &room, OTLP_RESOURCE_PROFILES_RESOURCE, OTLP_RESOURCE_PROFILES_SCOPE_PROFILES) ==
		 OTLP_RESOURCE_PROFILES_SCOPE_PROFILES)
		sure = step_into(&w, &room, OTLP_SCOPE_PROFILES_SCOPE, OTLP_SCOPE_PROFILES_PROFILES);
	else
		sure = !room || (step_into(&w, &room, OTLP_RESOURCE_ATTRIBUTES, OTLP_RESOURCE_ATTRIBUTES) &&
				 step_into(&w, &room, OTLP_KEY_VALUE_KEY, OTLP_KEY_VALUE_KEY));
	return sure && !w.wrong ? SNIFF_SURE : SNIFF_NO;
}

const struct input_format otlp_format = {
	.name = "otlp",
	.holds = "stacks, times and values",
	.wanted = "samples",
	.has = OTLP_HAS | TEXT_IS_BINARY,
	.nameless = otlp_nameless,
	.sniff = otlp_sniff,
	.begin = otlp_begin,
	.parse = otlp_parse,
};
