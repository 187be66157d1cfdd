#include "collect/jvm/oop_fields.h"

#include <stdio.h>
#include <string.h>

/* A class's description of its fields: Array<u2>, or Array<u1>. */
struct field_list {
	uint8_t bytes[16384];
	size_t len;
	uint64_t constants; /* ConstantPool::base() */
	size_t constant_count;
};

struct field {
	uint64_t name, signature; /* indices of constants */
	uint64_t offset, access;
};

enum { ACCESS_STATIC = 8 };

static unsigned oop_fields_constant(const struct oops *o, const char *name)
{
	int64_t value = 0;

	vm_constant(o->tables, name, &value);
	return (unsigned)value;
}

static bool oop_fields_read_array(const struct oops *o, uint64_t array, const char *type, size_t size,
				  struct field_list *list)
{
	int64_t data_at = vm_offset(o->tables, type, "_data"),
		length_at = vm_offset(o->tables, "Array<int>", "_length");
	uint32_t length;

	if (data_at < 0 || length_at < 0 || !remote_u32(o->remote, array + (uint64_t)length_at, &length) ||
	    length > sizeof(list->bytes) / size)
		return false;
	list->len = length * size;
	return remote_read(o->remote, array + (uint64_t)data_at, list->bytes, list->len);
}

/* A pointer in a Klass; 0: there is no such field. */
static uint64_t pointer_of(const struct oops *o, uint64_t address, const char *type, const char *field)
{
	int64_t at = vm_offset(o->tables, type, field);
	uint64_t pointer = 0;

	if (at >= 0)
		remote_u64(o->remote, address + (uint64_t)at, &pointer);
	return pointer;
}

static bool symbol_is(const struct oops *o, const struct field_list *list, uint64_t number, const char *text)
{
	int64_t length_at = vm_offset(o->tables, "Symbol", "_length"),
		body_at = vm_offset(o->tables, "Symbol", "_body");
	uint64_t symbol;
	uint16_t length;
	char body[64];

	return number && number < list->constant_count && length_at >= 0 && body_at >= 0 &&
	       remote_u64(o->remote, list->constants + 8 * number, &symbol) &&
	       remote_u16(o->remote, symbol + (uint64_t)length_at, &length) && length == strlen(text) &&
	       length <= sizeof(body) && remote_read(o->remote, symbol + (uint64_t)body_at, body, length) &&
	       !memcmp(body, text, length);
}

/* UNSIGNED5 as in JDK 20: digits of 6 bits, the lowest first; no byte is 0, and a byte of 192 or more is followed
 * by another.  Returns false at the end. */
static bool oop_fields_next_number(const struct field_list *list, size_t *at, uint64_t *number)
{
	enum { BASE = 1, CONTINUES = 192, DIGIT_BITS = 6, LONGEST = 5 };

	*number = 0;
	for (unsigned i = 0; i < LONGEST && *at < list->len && list->bytes[*at]; i++) {
		uint8_t byte = list->bytes[(*at)++];

		*number += (uint64_t)(byte - BASE) << DIGIT_BITS * i;
		if (byte < CONTINUES || i + 1 == LONGEST)
			return true;
	}
	return false;
}

/* A field is "name signature offset access flags"; depending on the flags, more follows. */
static bool next_field(const struct oops *o, const struct field_list *list, size_t *at, struct field *f)
{
	static const char *const more[] = { "_ff_initialized", "_ff_generic", "_ff_contended" };
	uint64_t flags, ignored;
	char name[64];

	if (!oop_fields_next_number(list, at, &f->name) || !oop_fields_next_number(list, at, &f->signature) ||
	    !oop_fields_next_number(list, at, &f->offset) || !oop_fields_next_number(list, at, &f->access) ||
	    !oop_fields_next_number(list, at, &flags))
		return false;
	for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++) {
		snprintf(name, sizeof(name), "FieldInfo::FieldFlags::%s", more[i]);
		if (flags >> (oop_fields_constant(o, name) & 63) & 1 && !oop_fields_next_number(list, at, &ignored))
			return false;
	}
	return true;
}

static int64_t offset_if(const struct oops *o, const struct field_list *list, const struct field *f, const char *name,
			 const char *signature)
{
	bool is_it = !(f->access & ACCESS_STATIC) && symbol_is(o, list, f->name, name) &&
		     symbol_is(o, list, f->signature, signature);

	return is_it && f->offset && f->offset < UINT16_MAX ? (int64_t)f->offset : -1;
}

static int64_t field_of_stream(const struct oops *o, const struct field_list *list, const char *name,
			       const char *signature)
{
	uint64_t fields, injected;
	int64_t offset = -1;
	struct field f;
	size_t at = 0;

	if (!oop_fields_next_number(list, &at, &fields) || !oop_fields_next_number(list, &at, &injected))
		return -1;
	for (uint64_t i = 0; i < fields && offset < 0 && next_field(o, list, &at, &f); i++)
		offset = offset_if(o, list, &f, name, signature);
	return offset;
}

/* Up to JDK 20, each field is u2[field_slots].  The two lowest bits of the offset are a tag: 1 marks an offset.
 * Fields injected by the JVM (internal) have names that are not constants. */
static int64_t field_of_slots(const struct oops *o, const struct field_list *list, const char *name,
			      const char *signature)
{
	enum { TAG_BITS = 2, TAG_MASK = 3, TAG_OFFSET = 1, INTERNAL = 0x400 };
	unsigned slots = oop_fields_constant(o, "FieldInfo::field_slots"),
		 low = oop_fields_constant(o, "FieldInfo::low_packed_offset");
	unsigned high = oop_fields_constant(o, "FieldInfo::high_packed_offset"),
		 name_at = oop_fields_constant(o, "FieldInfo::name_index_offset");
	unsigned signature_at = oop_fields_constant(o, "FieldInfo::signature_index_offset");
	int64_t offset = -1;

	if (!slots || slots > 16 || low >= slots || high >= slots || name_at >= slots || signature_at >= slots)
		return -1;
	for (size_t at = 0; at + 2 * slots <= list->len && offset < 0; at += 2 * slots) {
		uint16_t u2[16];
		uint32_t packed;

		memcpy(u2, list->bytes + at, 2 * slots);
		packed = u2[low] | (uint32_t)u2[high] << 16;
		if ((packed & TAG_MASK) == TAG_OFFSET && !(u2[0] & INTERNAL))
			offset = offset_if(
				o, list,
				&(struct field){ u2[name_at], u2[signature_at], packed >> TAG_BITS,
						 u2[oop_fields_constant(o, "FieldInfo::access_flags_offset") % slots] },
				name, signature);
	}
	return offset;
}

int64_t oop_field(const struct oops *o, uint64_t klass, const char *name, const char *signature)
{
	uint64_t stream = pointer_of(o, klass, "InstanceKlass", "_fieldinfo_stream");
	uint64_t slots = pointer_of(o, klass, "InstanceKlass", "_fields");
	uint64_t constants = pointer_of(o, klass, "InstanceKlass", "_constants");
	int64_t count_at = vm_offset(o->tables, "ConstantPool", "_length");
	struct field_list list;
	uint32_t count;

	if (!constants || count_at < 0 || !remote_u32(o->remote, constants + (uint64_t)count_at, &count))
		return -1;
	list.constants = constants + vm_size(o->tables, "ConstantPool");
	list.constant_count = count;
	if (stream)
		return oop_fields_read_array(o, stream, "Array<u1>", 1, &list)
			       ? field_of_stream(o, &list, name, signature)
			       : -1;
	return slots && oop_fields_read_array(o, slots, "Array<u2>", 2, &list)
		       ? field_of_slots(o, &list, name, signature)
		       : -1;
}
