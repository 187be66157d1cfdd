/* pprof: the profiles of Go, gperftools, Parca, Pyroscope and others, protocol buffers of the message
 * perftools.profiles.Profile (github.com/google/pprof/blob/main/proto/profile.proto), mostly packed with gzip.  As text:
 *
 *     sample_type:  cpu/nanoseconds, samples/count       a value of each in every sample
 *     sample:       location 3 2 1 (leaf first), values 10000000 1, labels thread="main" tid=4711
 *     location:     1 in mapping 1, at 0x4011a0: line of function 7, line of function 5 (inlined first)
 *     function:     7 "main.work"
 *     mapping:      1 "/usr/bin/app", build-id
 *     string_table: "", "cpu", "nanoseconds", ...        all texts above are numbers in it
 *
 * The values of --event are used; without it, those of the default type, or else of the last type, as pprof does. */
#include <stdlib.h>
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/label_keys.h"
#include "collapse/wire/pprof_fields.h"
#include "core/memory.h"
#include "core/protobuf_reader.h"

enum { TYPES_MAX = 64 };

/* The tables of a profile.  Items are numbered by their place, from 1; 0: none. */
struct pprof {
	struct text_stacks *s;
	struct text_span *strings; /* [string_count] */
	size_t string_count, string_cap;
	struct {
		uint64_t name, unit; /* strings */
	} types[TYPES_MAX];
	size_t type_count;
	uint64_t default_type;          /* a string; 0: none */
	struct map functions, files;    /* by id of a function: the numbers + 1 of the strings with its name and file */
	struct map mappings, locations; /* by id: the number + 1 of the string with the file; the place + 1 */
	struct wire *location_bytes;    /* [location_count] */
	size_t location_count, location_cap;
	bool repeated; /* two locations have the same id */
	struct location_frames {
		size_t start, count; /* in frames: root first */
		bool made;
	} * location_frames; /* [location_count] */
	struct str frames;   /* uint32_t each */
	struct str stack;    /* of the current sample, leaf first */
	size_t room;         /* how many frames may be in it, ... */
	bool truncated;      /* ... and there were more */
	bool wanted[TYPES_MAX];
	uint32_t events[TYPES_MAX], units[TYPES_MAX];
};

static const struct text_span no_text = { "", 0 };

static struct text_span pprof_string_of(const struct pprof *p, uint64_t number)
{
	return number < p->string_count ? p->strings[number] : no_text;
}

/* --- tables ------------------------------------------------------------------------- */

/* Add an item of which two fields are wanted: its id, and a text.  If there are two texts, the first that is not empty
 * counts. */
static void read_named(struct map *to, struct wire fields, uint32_t id_field, uint32_t text_field, uint32_t other_field)
{
	uint64_t id = 0, text = 0, other = 0;
	struct wire_field f;

	while (wire_next(&fields, &f)) {
		if (f.type != PB_VARINT)
			continue;
		if (f.number == id_field)
			id = f.value;
		else if (f.number == text_field)
			text = f.value;
		else if (f.number == other_field)
			other = f.value;
	}
	text = text ? text : other;
	if (text < UINT32_MAX)
		*map_at(to, id, 0) = (uint32_t)text + 1;
}

static void pprof_read_type(struct pprof *p, struct wire fields)
{
	struct wire_field f;

	if (p->type_count == TYPES_MAX)
		return;
	p->types[p->type_count].name = p->types[p->type_count].unit = 0;
	while (wire_next(&fields, &f)) {
		if (f.type == PB_VARINT && f.number == PPROF_TYPE_TYPE)
			p->types[p->type_count].name = f.value;
		else if (f.type == PB_VARINT && f.number == PPROF_TYPE_UNIT)
			p->types[p->type_count].unit = f.value;
	}
	p->type_count++;
}

static void read_location(struct pprof *p, struct wire bytes)
{
	struct wire fields = bytes;
	struct wire_field f;
	uint64_t id = 0;

	while (wire_next(&fields, &f)) {
		if (f.type == PB_VARINT && f.number == PPROF_LOCATION_ID)
			id = f.value;
	}
	p->location_bytes =
		xgrow(p->location_bytes, &p->location_cap, p->location_count + 1, sizeof(*p->location_bytes));
	p->location_bytes[p->location_count++] = bytes;
	p->repeated |= id && map_get(&p->locations, id, 0);
	*map_at(&p->locations, id, 0) = (uint32_t)p->location_count;
}

/* The strings of each profile begin with an empty one.  In a second profile, ids begin again. */
static void pprof_add_string(struct pprof *p, struct wire bytes)
{
	if (p->string_count && bytes.at == bytes.end && p->repeated)
		text_refuse(p->s, (const char *)bytes.at, "tables of its own");
	p->strings = xgrow(p->strings, &p->string_cap, p->string_count + 1, sizeof(*p->strings));
	p->strings[p->string_count++] = (struct text_span){ (const char *)bytes.at, wire_len(&bytes) };
}

static void pprof_read_table(struct pprof *p, const struct wire_field *f)
{
	if (f->type == PB_VARINT && f->number == PPROF_PROFILE_DEFAULT_TYPE)
		p->default_type = f->value;
	if (f->type != PB_BYTES)
		return;
	switch (f->number) {
	case PPROF_PROFILE_SAMPLE_TYPE: pprof_read_type(p, f->bytes); break;
	case PPROF_PROFILE_MAPPING: read_named(&p->mappings, f->bytes, PPROF_MAPPING_ID, PPROF_MAPPING_FILE, 0); break;
	case PPROF_PROFILE_FUNCTION:
		read_named(&p->functions, f->bytes, PPROF_FUNCTION_ID, PPROF_FUNCTION_NAME, PPROF_FUNCTION_SYSTEM_NAME);
		read_named(&p->files, f->bytes, PPROF_FUNCTION_ID, PPROF_FUNCTION_FILE, 0);
		break;
	case PPROF_PROFILE_LOCATION: read_location(p, f->bytes); break;
	case PPROF_PROFILE_STRING: pprof_add_string(p, f->bytes); break;
	default: break;
	}
}

static bool pprof_is_event(struct text_span name, const char *event)
{
	return !strcmp(event, "all") || (strlen(event) == name.len && !memcmp(event, name.text, name.len));
}

/* Which types' values are used? */
static void choose_types(struct pprof *p)
{
	const char *event = p->s->setup->event;
	size_t chosen = p->type_count - 1;

	for (size_t i = 0; i < p->type_count; i++) {
		struct text_span name = pprof_string_of(p, p->types[i].name),
				 unit = pprof_string_of(p, p->types[i].unit);

		p->events[i] = text_name(p->s, name.text, name.len);
		p->units[i] = unit_name(p->s, unit, name);
		p->wanted[i] = event && pprof_is_event(name, event);
		if (p->default_type && p->types[i].name == p->default_type)
			chosen = i;
	}
	if (!event)
		p->wanted[chosen] = true;
}

/* --- frames ------------------------------------------------------------------------- */

static struct text_span string_by_id(const struct pprof *p, const struct map *strings, uint64_t id)
{
	uint32_t string = map_get(strings, id, 0);

	return string ? pprof_string_of(p, string - 1) : no_text;
}

/* The frame of a line: its function, with the function's file or else that of the mapping, module. */
static uint32_t pprof_frame_of_line(const struct pprof *p, struct wire line, enum text_kind kind,
				    struct text_span module)
{
	struct wire_field f;
	uint64_t function = 0, number = 0;
	struct text_span name, file;

	while (wire_next(&line, &f)) {
		if (f.type == PB_VARINT && f.number == PPROF_LINE_FUNCTION)
			function = f.value;
		else if (f.type == PB_VARINT && f.number == PPROF_LINE_LINE)
			number = f.value;
	}
	name = string_by_id(p, &p->functions, function);
	file = string_by_id(p, &p->files, function);
	return function_frame(p->s, kind, name, file, number, module);
}

static void pprof_add_frame(struct pprof *p, uint32_t frame)
{
	str_add(&p->frames, (const char *)&frame, sizeof(frame));
}

/* Append the frames of a location, root first; in the message, its lines begin with the inlined functions. */
static void pprof_make_frames(struct pprof *p, struct wire fields, struct location_frames *made)
{
	struct wire_field f;
	struct wire lines[256];
	size_t count = 0;
	uint64_t mapping = 0;
	struct text_span module;
	bool deeper = false; /* than we keep */

	while (wire_next(&fields, &f)) {
		if (f.type == PB_VARINT && f.number == PPROF_LOCATION_MAPPING)
			mapping = f.value;
		else if (f.type == PB_BYTES && f.number == PPROF_LOCATION_LINE &&
			 count < sizeof(lines) / sizeof(*lines))
			lines[count++] = f.bytes;
		else if (f.type == PB_BYTES && f.number == PPROF_LOCATION_LINE)
			deeper = true;
	}
	module = string_by_id(p, &p->mappings, mapping);
	if (deeper)
		text_lose(p->s, TEXT_TRUNCATED, 0);
	made->start = p->frames.len / sizeof(uint32_t);
	for (size_t i = count; i-- > 0;) {
		enum text_kind kind = i + 1 < count              ? TEXT_INLINED
				      : module_is_kernel(module) ? TEXT_KERNEL
								 : TEXT_PLAIN;

		pprof_add_frame(p, pprof_frame_of_line(p, lines[i], kind, module));
	}
	if (!count)
		pprof_add_frame(p, module_frame(p->s, module));
	made->count = p->frames.len / sizeof(uint32_t) - made->start;
	made->made = true;
}

static void add_to_stack(struct pprof *p, uint32_t frame)
{
	p->truncated |= p->stack.len / sizeof(frame) >= p->room;
	if (!p->truncated)
		str_add(&p->stack, (const char *)&frame, sizeof(frame));
}

static void pprof_add_location(struct pprof *p, uint64_t id)
{
	uint32_t number = map_get(&p->locations, id, 0), frame;
	struct location_frames *made;

	if (!number) {
		add_to_stack(p, text_frame(p->s, TEXT_PLAIN, "[unknown]", strlen("[unknown]")));
		return;
	}
	made = &p->location_frames[number - 1];
	if (!made->made)
		pprof_make_frames(p, p->location_bytes[number - 1], made);
	/* Stacks are collected leaf first, and reversed at the end. */
	for (size_t i = made->count; i-- > 0 && !p->truncated;) {
		memcpy(&frame, p->frames.buf + (made->start + i) * sizeof(frame), sizeof(frame));
		add_to_stack(p, frame);
	}
}

/* --- samples ------------------------------------------------------------------------ */

/* The locations of a sample, if they are all in one packed field; at NULL: they are not. */
static struct wire packed_locations(struct wire sample)
{
	struct wire_field f;
	struct wire packed = { 0 };
	size_t count = 0;

	while (wire_next(&sample, &f)) {
		if (f.number != PPROF_SAMPLE_LOCATION)
			continue;
		if (f.type == PB_BYTES)
			packed = f.bytes;
		count += f.type == PB_BYTES ? 1 : 2;
	}
	return count == 1 ? packed : (struct wire){ 0 };
}

/* The number of the stack of a sample's locations, which are separate fields, or packed. */
static uint32_t pprof_make_stack(struct pprof *p, struct wire sample)
{
	struct wire_field f;
	size_t count;
	uint64_t id;
	uint32_t outermost;

	str_clear(&p->stack);
	p->room = text_stack_room(p->s);
	p->truncated = false;
	while (wire_next(&sample, &f)) {
		struct wire rest = { 0 };
		bool first = true;

		while (f.number == PPROF_SAMPLE_LOCATION && wire_number(&f, &rest, &first, &id))
			pprof_add_location(p, id);
	}
	if (p->truncated) {
		outermost = text_truncated(p->s);
		str_add(&p->stack, (const char *)&outermost, sizeof(outermost));
	}
	count = p->stack.len / sizeof(uint32_t);
	return text_stack_leaf_first(p->s, (uint32_t *)(void *)p->stack.buf, count);
}

/* Most stacks repeat, byte for byte. */
static uint32_t pprof_stack_of(struct pprof *p, struct wire sample)
{
	struct wire packed = packed_locations(sample);
	uint32_t stack, known;

	if (!packed.at)
		return pprof_make_stack(p, sample);
	if (!text_known(p->s, (const char *)packed.at, wire_len(&packed), &stack, &known)) {
		stack = pprof_make_stack(p, sample);
		text_is(p->s, known, stack);
	}
	return stack;
}

static void pprof_read_label(struct pprof *p, struct wire label, struct text_labels *labels)
{
	struct text_span key = no_text, text = no_text;
	struct wire_field f;
	uint64_t number = 0;

	while (wire_next(&label, &f)) {
		if (f.type != PB_VARINT)
			continue;
		if (f.number == PPROF_LABEL_KEY)
			key = pprof_string_of(p, f.value);
		else if (f.number == PPROF_LABEL_TEXT)
			text = pprof_string_of(p, f.value);
		else if (f.number == PPROF_LABEL_NUMBER)
			number = f.value;
	}
	label_set(p->s, labels, key, text, number);
}

static void pprof_add_values(struct pprof *p, uint32_t stack, struct text_labels *labels, const uint64_t *values,
			     size_t count)
{
	for (size_t i = 0; i < count && i < p->type_count; i++) {
		struct text_value value = text_value_of((int64_t)values[i]);

		if (!p->wanted[i] || !values[i])
			continue;
		labels->event = p->events[i];
		labels->unit = p->units[i];
		fold_add_text(p->s, &(struct text_sample){
					    .values = &value, .stack = stack, .labels = text_label(p->s, labels) });
	}
}

static void pprof_read_sample(struct pprof *p, struct wire sample)
{
	struct text_labels labels = TEXT_NO_LABELS;
	uint64_t values[TYPES_MAX], n;
	struct wire fields = sample;
	struct wire_field f;
	size_t count = 0;

	while (wire_next(&fields, &f)) {
		struct wire rest = { 0 };
		bool first = true;

		while (f.number == PPROF_SAMPLE_VALUE && wire_number(&f, &rest, &first, &n)) {
			if (count < TYPES_MAX)
				values[count++] = n;
		}
		if (f.number == PPROF_SAMPLE_LABEL && f.type == PB_BYTES)
			pprof_read_label(p, f.bytes, &labels);
	}
	if (fields.wrong) {
		text_wrong(p->s, (const char *)fields.at, "a damaged sample");
		return;
	}
	labels_complete(&labels);
	pprof_add_values(p, pprof_stack_of(p, sample), &labels, values, count);
}

static void pprof_free(struct pprof *p)
{
	free(p->strings);
	free(p->location_bytes);
	free(p->location_frames);
	map_free(&p->functions);
	map_free(&p->files);
	map_free(&p->mappings);
	map_free(&p->locations);
	str_free(&p->frames);
	str_free(&p->stack);
}

/* The string table usually comes last, so read all tables first, then all samples. */
static void pprof_parse(const struct text_part *part)
{
	struct pprof p = { .s = part->out };
	const struct wire all = wire_make(part->text, part->len);
	struct wire fields = all;
	struct wire_field f;

	while (wire_next(&fields, &f))
		pprof_read_table(&p, &f);
	if (fields.wrong)
		text_wrong(p.s, (const char *)fields.at, "a damaged field");
	p.location_frames = xcalloc(p.location_count + 1, sizeof(*p.location_frames));
	if (p.type_count)
		choose_types(&p);
	for (fields = all; p.type_count && wire_next(&fields, &f);) {
		if (f.number == PPROF_PROFILE_SAMPLE && f.type == PB_BYTES)
			pprof_read_sample(&p, f.bytes);
	}
	pprof_free(&p);
}

/* Is it a message that begins with fields of a profile, with a sample type of two small numbers? */
static enum sniffed pprof_sniff(const char *text, size_t len)
{
	enum { FIELDS_LOOKED_AT = 16, FIELD_MAX = 15 };
	struct wire fields = wire_make(text, len), type;
	struct wire_field f, part;
	bool has_type = false;

	for (int i = 0; i < FIELDS_LOOKED_AT && wire_next(&fields, &f); i++) {
		if (f.number > FIELD_MAX || (f.type != PB_VARINT && f.type != PB_BYTES))
			return SNIFF_NO;
		if (f.type == PB_VARINT && f.number <= PPROF_PROFILE_STRING)
			return SNIFF_NO;
		if (f.number != PPROF_PROFILE_SAMPLE_TYPE)
			continue;
		type = f.bytes;
		while (wire_next(&type, &part)) {
			if (part.type != PB_VARINT || part.number > PPROF_TYPE_UNIT)
				return SNIFF_NO;
			has_type = true;
		}
		if (type.wrong)
			return SNIFF_NO;
	}
	return has_type ? SNIFF_SURE : SNIFF_NO;
}

const struct input_format pprof_format = {
	.name = "pprof",
	.holds = "stacks and values",
	.wanted = "samples",
	.has = TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS | TEXT_HAS_CPUS | TEXT_HAS_EVENTS |
	       TEXT_HAS_STATES | TEXT_HAS_FILES | TEXT_HAS_LINES | TEXT_HAS_OWNERS | TEXT_IS_BINARY,
	.nameless = "go tool pprof -proto PROGRAM FILE writes it with those of the program",
	.sniff = pprof_sniff,
	.parse = pprof_parse,
};
