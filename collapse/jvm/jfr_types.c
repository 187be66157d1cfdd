#include "collapse/jvm/jfr_types.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/utf8.h"

enum { OP_NUMBER, OP_BYTES, OP_STRING, OP_ARRAY }; /* OP_BYTES: width bytes, big-endian */

enum {
	ELEMENT_DEPTH_MAX = 16, /* of the tree */
	TYPE_DEPTH_MAX = 16,    /* of types in types */
	OPS_MAX = 1 << 18,      /* limit on the operations of all types: some hundred KB of metadata make some
				 * thousand */
	STEPS_MAX = 1 << 20,    /* fields looked at for that */
};

/* --- strings ------------------------------------------------------------------------ */

static void add_chars(struct str *out, struct jfr_input *in)
{
	uint32_t high = 0;

	for (uint64_t count = jfr_count(in); count && !in->bad; count--) {
		uint32_t c = (uint32_t)jfr_number(in, 2) & 0xffff;

		if (c >= 0xd800 && c < 0xdc00) {
			high = c;
			continue;
		}
		if (high && c >= 0xdc00 && c < 0xe000)
			c = 0x10000 + ((high - 0xd800) << 10 | (c - 0xdc00));
		high = 0;
		utf8_add(out, c);
	}
}

void jfr_string_add(struct str *out, struct jfr_input *in)
{
	uint64_t kind = jfr_big_endian(in, 1), len;
	const uint8_t *text;

	if (kind == JFR_CHARS)
		add_chars(out, in);
	if (kind != JFR_UTF8 && kind != JFR_LATIN1)
		return;
	len = jfr_count(in);
	text = in->at;
	jfr_skip(in, len);
	for (uint64_t i = 0; kind == JFR_LATIN1 && i < len; i++)
		utf8_add(out, text[i]);
	if (kind == JFR_UTF8 && len)
		str_add(out, (const char *)text, len);
}

/* --- the tree ----------------------------------------------------------------------- */

struct reader {
	struct jfr_types *types;
	struct jfr_input *in;
	uint32_t *strings; /* [string_count]: in types->names */
	size_t string_count;
};

static bool jfr_types_read_strings(struct reader *r)
{
	struct str text = { 0 };

	r->string_count = jfr_count(r->in);
	r->strings = xcalloc(r->string_count + 1, sizeof(*r->strings));
	for (size_t i = 0; i < r->string_count && !r->in->bad; i++) {
		const uint8_t *kind = r->in->at;

		str_clear(&text);
		if (kind < r->in->end && *kind == JFR_POOLED)
			jfr_skip_string(r->in);
		else
			jfr_string_add(&text, r->in);
		r->strings[i] = intern_add(&r->types->names, str_text(&text), text.len);
	}
	str_free(&text);
	return !r->in->bad;
}

static const char *jfr_types_read_string(struct reader *r, uint32_t *name)
{
	uint64_t number = jfr_number(r->in, 4);

	*name = number < r->string_count ? r->strings[number] : UINT32_MAX;
	return *name == UINT32_MAX ? "" : intern_text(&r->types->names, *name);
}

/* The attributes that we know of an element. */
struct element {
	const char *kind;
	uint32_t name;
	uint64_t id, type;
	bool pooled, array;
};

static void read_element(struct reader *r, struct element *e)
{
	uint32_t number;

	*e = (struct element){ .name = UINT32_MAX };
	e->kind = jfr_types_read_string(r, &number);
	for (uint64_t count = jfr_count(r->in); count && !r->in->bad; count--) {
		const char *key = jfr_types_read_string(r, &number), *value = jfr_types_read_string(r, &number);

		if (!strcmp(key, "name"))
			e->name = number;
		else if (!strcmp(key, "id"))
			e->id = strtoull(value, NULL, 10);
		else if (!strcmp(key, "class"))
			e->type = strtoull(value, NULL, 10);
		else if (!strcmp(key, "constantPool"))
			e->pooled = !strcmp(value, "true");
		else if (!strcmp(key, "dimension"))
			e->array = strcmp(value, "0") != 0;
	}
}

static void jfr_types_add_type(struct jfr_types *t, const struct element *e)
{
	t->items = xgrow(t->items, &t->cap, t->count + 1, sizeof(*t->items));
	t->items[t->count] = (struct jfr_type){ .id = e->id, .name = e->name, .field_start = t->field_count };
	*map_at(&t->by_id, e->id, 0) = (uint32_t)++t->count;
}

static void jfr_types_add_field(struct jfr_types *t, const struct element *e)
{
	t->fields = xgrow(t->fields, &t->field_cap, t->field_count + 1, sizeof(*t->fields));
	t->fields[t->field_count++] = (struct jfr_field){ e->name, e->type, e->pooled, e->array };
	t->items[t->count - 1].field_count++;
}

/* in_class: the parent element is a class. */
static void read_tree(struct reader *r, int depth, bool in_class)
{
	struct element e;
	bool is_class;

	read_element(r, &e);
	is_class = !strcmp(e.kind, "class");
	if (r->in->bad)
		return;
	if (is_class)
		jfr_types_add_type(r->types, &e);
	else if (in_class && !strcmp(e.kind, "field"))
		jfr_types_add_field(r->types, &e);
	for (uint64_t count = jfr_count(r->in); count && !r->in->bad; count--) {
		if (depth == ELEMENT_DEPTH_MAX)
			jfr_fail(r->in);
		else
			read_tree(r, depth + 1, is_class);
	}
}

bool jfr_types_read(struct jfr_types *t, struct jfr_input *in)
{
	struct reader r = { .types = t, .in = in };

	jfr_types_free(t);
	jfr_number(in, 8); /* start */
	jfr_number(in, 8); /* duration */
	jfr_number(in, 8); /* the number of this metadata */
	if (jfr_types_read_strings(&r))
		read_tree(&r, 0, false);
	free(r.strings);
	return !in->bad;
}

uint32_t jfr_type_find(const struct jfr_types *t, uint64_t id)
{
	uint32_t found = map_get(&t->by_id, id, 0);

	return found ? found - 1 : JFR_NO_TYPE;
}

uint32_t jfr_type_named(const struct jfr_types *t, const char *name)
{
	uint32_t number = intern_find(&t->names, name, strlen(name));

	for (size_t i = 0; number != UINT32_MAX && i < t->count; i++) {
		if (t->items[i].name == number)
			return (uint32_t)i;
	}
	return JFR_NO_TYPE;
}

/* --- compiling ---------------------------------------------------------------------- */

/* The primitive types: their width, and whether they are never compressed. */
static const struct {
	const char *name;
	uint8_t kind, width;
} primitives[] = {
	{ "boolean", OP_BYTES, 1 }, { "byte", OP_BYTES, 1 },   { "char", OP_NUMBER, 2 },
	{ "short", OP_NUMBER, 2 },  { "int", OP_NUMBER, 4 },   { "long", OP_NUMBER, 8 },
	{ "float", OP_BYTES, 4 },   { "double", OP_BYTES, 8 }, { "java.lang.String", OP_STRING, 0 },
};

static uint8_t jfr_types_slot_of(const struct jfr_types *t, uint32_t name)
{
#define NAME(slot) #slot,
	static const char *const slots[] = { JFR_SLOTS(NAME) };
#undef NAME
	uint8_t slot = 0;

	while (slot < JFR_SLOT_COUNT && (name == UINT32_MAX || strcmp(slots[slot], intern_text(&t->names, name)) != 0))
		slot++;
	return slot;
}

static bool add_op(struct jfr_types *t, uint8_t kind, uint8_t width, uint8_t slot, uint32_t element)
{
	if (t->op_count == OPS_MAX)
		return false;
	t->ops = xgrow(t->ops, &t->op_cap, t->op_count + 1, sizeof(*t->ops));
	t->ops[t->op_count++] = (struct jfr_op){ kind, width, slot, element };
	return true;
}

/* Append the operations for a type's fields.  Only fields of the outermost type have slots. */
static bool add_ops(struct jfr_types *t, const struct jfr_type *type, int depth)
{
	bool fine = depth < TYPE_DEPTH_MAX;

	for (size_t i = 0; fine && i < type->field_count && t->steps++ < STEPS_MAX; i++) {
		const struct jfr_field *f = &t->fields[type->field_start + i];
		uint32_t inner = jfr_type_find(t, f->type);
		const char *name = inner == JFR_NO_TYPE || t->items[inner].name == UINT32_MAX
					   ? ""
					   : intern_text(&t->names, t->items[inner].name);
		uint8_t slot = depth ? JFR_SLOT_COUNT : jfr_types_slot_of(t, f->name);
		size_t row = 0, rows = sizeof(primitives) / sizeof(*primitives);

		while (row < rows && strcmp(primitives[row].name, name) != 0)
			row++;
		if (f->array)
			fine = inner != JFR_NO_TYPE && add_op(t, OP_ARRAY, f->pooled, slot, inner);
		else if (f->pooled)
			fine = add_op(t, OP_NUMBER, 8, slot, 0);
		else if (row < rows)
			fine = add_op(t, primitives[row].kind, primitives[row].width, slot, 0);
		else
			fine = inner != JFR_NO_TYPE && add_ops(t, &t->items[inner], depth + 1);
	}
	return fine && t->steps < STEPS_MAX;
}

/* A primitive type has no fields: its value is a single number. */
static bool add_primitive(struct jfr_types *t, const struct jfr_type *type)
{
	for (size_t row = 0; type->name != UINT32_MAX && row < sizeof(primitives) / sizeof(*primitives); row++) {
		if (!strcmp(primitives[row].name, intern_text(&t->names, type->name)))
			return add_op(t, primitives[row].kind, primitives[row].width, JFR_SLOT_COUNT, 0);
	}
	return add_ops(t, type, 0);
}

bool jfr_type_ready(struct jfr_types *t, uint32_t index)
{
	struct jfr_type *type = &t->items[index];

	if (type->status != JFR_TYPE_NEW)
		return type->status == JFR_TYPE_COMPILED;
	type->op_start = t->op_count;
	type->status = add_primitive(t, type) ? JFR_TYPE_COMPILED : JFR_TYPE_BAD;
	type->op_count = t->op_count - type->op_start;
	for (size_t i = 0; i < type->op_count; i++) {
		if (t->ops[type->op_start + i].slot < JFR_SLOT_COUNT)
			type->slots |= UINT64_C(1) << t->ops[type->op_start + i].slot;
	}
	return type->status == JFR_TYPE_COMPILED;
}

/* --- reading ------------------------------------------------------------------------ */

static void read_at_depth(struct jfr_types *t, uint32_t type, struct jfr_input *in, struct jfr_value *values,
			  int depth);

static void skip_array(struct jfr_types *t, const struct jfr_op *op, uint64_t count, struct jfr_input *in, int depth)
{
	bool pooled = op->width;
	uint32_t element = op->element;

	if (!pooled && (depth == TYPE_DEPTH_MAX || !jfr_type_ready(t, element))) {
		jfr_fail(in);
		return;
	}
	if (!pooled && !t->items[element].op_count)
		return;
	for (; count && !in->bad; count--) {
		if (pooled)
			jfr_number(in, 8);
		else
			read_at_depth(t, element, in, NULL, depth + 1);
	}
}

static void read_at_depth(struct jfr_types *t, uint32_t type, struct jfr_input *in, struct jfr_value *values, int depth)
{
	size_t start = t->items[type].op_start, count = t->items[type].op_count;

	for (size_t i = 0; i < count && !in->bad; i++) {
		struct jfr_op op = t->ops[start + i];
		struct jfr_value value = { 0, in->at };

		switch (op.kind) {
		case OP_NUMBER: value.number = jfr_number(in, op.width); break;
		case OP_BYTES: value.number = jfr_big_endian(in, op.width); break;
		case OP_STRING: jfr_skip_string(in); break;
		default:
			value.number = jfr_count(in);
			value.at = in->at;
			skip_array(t, &op, value.number, in, depth);
		}
		if (values && op.slot < JFR_SLOT_COUNT)
			values[op.slot] = value;
	}
}

void jfr_value_read(struct jfr_types *t, uint32_t type, struct jfr_input *in, struct jfr_value *values)
{
	read_at_depth(t, type, in, values, 0);
}

void jfr_types_free(struct jfr_types *t)
{
	if (!t)
		return;
	intern_free(&t->names);
	map_free(&t->by_id);
	free(t->items);
	free(t->fields);
	free(t->ops);
	*t = (struct jfr_types){ 0 };
}
