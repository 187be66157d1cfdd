#include "collect/jvm/metadata.h"

#include <stddef.h>
#include <string.h>

enum {
	UTF8_TAG = 1 /* JVMS, 4.4: CONSTANT_Utf8 */,
	USER_BITS = 48,
	TRUSTED_BITS = 3,
	CONST_METHOD_MAX = 256,
	KLASS_MAX = 1024
};

/* ---- fields ---------------------------------------------------------------------------- */

#define AT(field) offsetof(struct metadata, field)

/* A field that has moved between versions has several rows; the last row that exists in this JVM counts. */
static const struct {
	const char *type, *name;
	size_t to;
	bool is_optional;
} fields[] = {
	{ "Method", "_constMethod", AT(const_method), false },
	{ "ConstMethod", "_constants", AT(constants), false },
	{ "ConstMethod", "_constMethod_size", AT(method_size), false },
	{ "ConstMethod", "_flags", AT(flags), true },
	{ "ConstMethod", "_flags._flags", AT(flags), true }, /* from JDK 21 on */
	{ "ConstMethod", "_code_size", AT(code_size), false },
	{ "ConstMethod", "_name_index", AT(name_index), false },
	{ "ConstantPool", "_tags", AT(tags), false },
	{ "ConstantPool", "_pool_holder", AT(holder), false },
	{ "ConstantPool", "_length", AT(pool_length), false },
	{ "ConstantPool", "_source_file_name_index", AT(pool_source), true }, /* since JDK 17; before that: */
	{ "InstanceKlass", "_source_file_name_index", AT(class_source), true },
	{ "InstanceKlass", "_constants", AT(class_constants), false },
	{ "Klass", "_name", AT(class_name), false },
	{ "Klass", "_layout_helper", AT(layout_helper), false },
	{ "Symbol", "_length", AT(symbol_length), false },
	{ "Symbol", "_body", AT(symbol_body), false },
	{ "Array<int>", "_length", AT(tags_length), false }, /* the same in each Array<> */
	{ "Array<u1>", "_data", AT(tags_data), false },
};

/* JDK 8 calls itself version 25, as JDK 25 does; but the flags of JDK 8 are not JVMFlags. */
static bool is_from_20_on(const struct jvm *jvm)
{
	int32_t version;

	return vm_size(jvm->tables, "JVMFlag") &&
	       remote_i32(&jvm->remote, vm_static(jvm->tables, "Abstract_VM_Version", "_vm_major_version"), &version) &&
	       version >= 20;
}

/* Check the order and sizes that metadata_same() relies on. */
static bool jvm_metadata_makes_sense(const struct metadata *m)
{
	int64_t end = (int64_t)m->method_bytes, klass = m->class_constants - m->class_name;

	return m->pool_bytes && m->method_bytes && m->method_bytes <= CONST_METHOD_MAX && m->constants + 8 <= end &&
	       m->name_index + 2 <= end && m->code_size + 2 <= end && klass >= 0 && klass + 8 <= KLASS_MAX &&
	       m->symbol_length + 2 <= m->symbol_body && m->symbol_body <= KLASS_MAX;
}

bool metadata_init(struct metadata *m, const struct jvm *jvm)
{
	int64_t bit = 0;

	*m = (struct metadata){ .remote = &jvm->remote, .flags = -1, .pool_source = -1, .class_source = -1 };
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		int64_t offset = vm_offset(jvm->tables, fields[i].type, fields[i].name);

		if (offset < 0 && !fields[i].is_optional)
			return false;
		if (offset >= 0)
			memcpy((char *)m + fields[i].to, &offset, sizeof(offset));
	}
	m->pool_bytes = vm_size(jvm->tables, "ConstantPool");
	m->method_bytes = vm_size(jvm->tables, "ConstMethod");
	m->wide_flags = vm_offset(jvm->tables, "ConstMethod", "_flags._flags") >= 0;
	if (vm_constant(jvm->tables, "ConstMethod::_has_linenumber_table", &bit) ||
	    vm_constant(jvm->tables, "ConstMethodFlags::_misc_has_linenumber_table", &bit))
		m->has_lines = (uint32_t)bit;
	m->excluded = is_from_20_on(jvm);
	m->is_8 = !vm_size(jvm->tables, "JVMFlag");
	return jvm_metadata_makes_sense(m);
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Addresses of metadata are multiples of 8, in user memory. */
static bool may_be(uint64_t address)
{
	return address && !(address & ((1u << TRUSTED_BITS) - 1)) && !(address >> USER_BITS);
}

static bool jvm_metadata_read_pointer(const struct metadata *m, uint64_t object, int64_t field, uint64_t *to)
{
	return remote_u64(m->remote, object + (uint64_t)field, to) && may_be(*to);
}

bool metadata_symbol(const struct metadata *m, uint64_t symbol, struct str *to)
{
	size_t before = to->len;
	uint16_t len;

	if (!may_be(symbol) || !remote_u16(m->remote, symbol + (uint64_t)m->symbol_length, &len) || !len)
		return false;
	str_reserve(to, len);
	if (!remote_read(m->remote, symbol + (uint64_t)m->symbol_body, to->buf + before, len))
		return false;
	to->len += len;
	to->buf[to->len] = '\0';
	return true;
}

static uint64_t slot(const struct metadata *m, uint64_t pool, uint16_t index)
{
	return pool + m->pool_bytes + 8 * (uint64_t)index;
}

/* The Symbol at an index of a constant pool; 0 if there is none. */
static uint64_t metadata_pool_symbol(const struct metadata *m, uint64_t pool, uint16_t index)
{
	uint64_t tags, symbol;
	int32_t length, tag_count;
	uint8_t tag;

	if (!index || !remote_i32(m->remote, pool + (uint64_t)m->pool_length, &length) || index >= length ||
	    !jvm_metadata_read_pointer(m, pool, m->tags, &tags) ||
	    !remote_i32(m->remote, tags + (uint64_t)m->tags_length, &tag_count) || tag_count != length ||
	    !remote_u8(m->remote, tags + (uint64_t)m->tags_data + index, &tag) || tag != UTF8_TAG)
		return 0;
	return remote_u64(m->remote, slot(m, pool, index), &symbol) && may_be(symbol) ? symbol : 0;
}

static bool closes(const struct metadata *m, const struct method_parts *p)
{
	uint64_t pool;

	return jvm_metadata_read_pointer(m, p->holder, m->class_constants, &pool) && pool == p->pool;
}

static bool jvm_metadata_read_texts(const struct metadata *m, struct method_parts *to, struct str *text)
{
	str_clear(text);
	if (!metadata_symbol(m, to->name, text))
		return false;
	to->name_len = (uint16_t)text->len;
	if (!metadata_symbol(m, to->class_name, text))
		return false;
	to->class_len = (uint16_t)(text->len - to->name_len);
	return true;
}

bool metadata_method(const struct metadata *m, uint64_t method, struct method_parts *to, struct str *text)
{
	if (!may_be(method) || !jvm_metadata_read_pointer(m, method, m->const_method, &to->const_method) ||
	    !jvm_metadata_read_pointer(m, to->const_method, m->constants, &to->pool) ||
	    !remote_u16(m->remote, to->const_method + (uint64_t)m->name_index, &to->name_index) ||
	    !remote_u16(m->remote, to->const_method + (uint64_t)m->code_size, &to->code_size) ||
	    !jvm_metadata_read_pointer(m, to->pool, m->holder, &to->holder) || !closes(m, to) ||
	    !jvm_metadata_read_pointer(m, to->holder, m->class_name, &to->class_name))
		return false;
	to->name = metadata_pool_symbol(m, to->pool, to->name_index);
	return to->name && jvm_metadata_read_texts(m, to, text);
}

static bool jvm_metadata_is_equal(const struct method_parts *a, const struct method_parts *b)
{
	return a->const_method == b->const_method && a->pool == b->pool && a->holder == b->holder &&
	       a->name == b->name && a->class_name == b->class_name && a->name_len == b->name_len &&
	       a->class_len == b->class_len && a->name_index == b->name_index && a->code_size == b->code_size;
}

/* Data that metadata_same() reads; adjacent data is read in one piece, since each piece costs time in the
 * kernel. */
struct image {
	uint8_t const_method[CONST_METHOD_MAX], klass[KLASS_MAX];
	char *name, *class_name; /* the Symbols */
};

static void jvm_metadata_load(void *to, const void *image, int64_t offset, size_t size)
{
	memcpy(to, (const char *)image + offset, size);
}

static bool is_same_text(const struct metadata *m, const char *symbol, const char *text, uint16_t len)
{
	uint16_t now;

	jvm_metadata_load(&now, symbol, m->symbol_length, sizeof(now));
	return now == len && !memcmp(symbol + m->symbol_body, text, len);
}

static size_t jvm_metadata_make_room(const struct metadata *m, const struct method_parts *was, struct str *scratch,
				     struct image *image)
{
	size_t name = (size_t)m->symbol_body + was->name_len, class = (size_t)m->symbol_body + was->class_len;

	str_clear(scratch);
	str_reserve(scratch, name + class);
	image->name = scratch->buf;
	image->class_name = scratch->buf + name;
	return name;
}

bool metadata_same(const struct metadata *m, uint64_t method, const struct method_parts *was, const char *text,
		   struct str *scratch)
{
	struct method_parts now = { .name_len = was->name_len, .class_len = was->class_len };
	struct image image;
	size_t name_size = jvm_metadata_make_room(m, was, scratch, &image);
	const struct remote_part parts[] = {
		{ method + (uint64_t)m->const_method, &now.const_method, 8 },
		{ was->const_method, image.const_method, m->method_bytes },
		{ was->pool + (uint64_t)m->holder, &now.holder, 8 },
		{ slot(m, was->pool, was->name_index), &now.name, 8 },
		{ was->holder + (uint64_t)m->class_name, image.klass,
		  (size_t)(m->class_constants - m->class_name) + 8 },
		{ was->name, image.name, name_size },
		{ was->class_name, image.class_name, (size_t)m->symbol_body + was->class_len },
	};
	size_t count = sizeof(parts) / sizeof(*parts);
	uint64_t pool;

	if (remote_read_parts(m->remote, parts, count) != count)
		return false;
	jvm_metadata_load(&now.pool, image.const_method, m->constants, 8);
	jvm_metadata_load(&now.name_index, image.const_method, m->name_index, 2);
	jvm_metadata_load(&now.code_size, image.const_method, m->code_size, 2);
	jvm_metadata_load(&now.class_name, image.klass, 0, 8);
	jvm_metadata_load(&pool, image.klass, m->class_constants - m->class_name, 8);
	return pool == was->pool && jvm_metadata_is_equal(&now, was) &&
	       is_same_text(m, image.name, text, was->name_len) &&
	       is_same_text(m, image.class_name, text + was->name_len, was->class_len);
}

uint64_t metadata_source(const struct metadata *m, const struct method_parts *parts)
{
	uint64_t at = m->pool_source >= 0 ? parts->pool + (uint64_t)m->pool_source
					  : parts->holder + (uint64_t)m->class_source;
	uint16_t index;

	if (m->pool_source < 0 && m->class_source < 0)
		return 0;
	return remote_u16(m->remote, at, &index) ? metadata_pool_symbol(m, parts->pool, index) : 0;
}

/* Only arrays have a negative layout helper, and a name that begins with '['.  Other classes have a constant pool that
 * refers back to the class (klass.hpp, layout_helper). */
uint64_t metadata_class(const struct metadata *m, uint64_t klass)
{
	uint64_t name, pool, holder;
	int32_t helper;
	uint8_t first;

	if (!may_be(klass) || !jvm_metadata_read_pointer(m, klass, m->class_name, &name) ||
	    !remote_i32(m->remote, klass + (uint64_t)m->layout_helper, &helper) ||
	    !remote_u8(m->remote, name + (uint64_t)m->symbol_body, &first) || (helper < 0) != (first == '['))
		return 0;
	if (helper < 0)
		return name;
	return jvm_metadata_read_pointer(m, klass, m->class_constants, &pool) &&
			       jvm_metadata_read_pointer(m, pool, m->holder, &holder) && holder == klass
		       ? name
		       : 0;
}
