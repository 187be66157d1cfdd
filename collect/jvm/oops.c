#include "collect/jvm/oops.h"

#include <stdio.h>
#include <string.h>

enum { SHIFT_MAX = 16, FORWARDED = 3 };

/* The Java Virtual Machine Specification, 6.5, newarray: types of elements. */
enum { TYPE_CHAR = 5, TYPE_BYTE = 8 };

/* ---- globals ---- */

static uint64_t static_of(const struct vm_tables *t, const char *const names[][2])
{
	uint64_t address = 0;

	for (size_t i = 0; names[i][0] && !address; i++)
		address = vm_static(t, names[i][0], names[i][1]);
	return address;
}

/* absent: the value for a JVM without such a flag. */
static bool flag_or(const struct oops *o, const char *name, bool absent)
{
	uint64_t value = 0;

	return vm_flag(o->tables, o->remote, name, &value) ? (value & 0xff) != 0 : absent;
}

static bool oops_flag(const struct oops *o, const char *name)
{
	return flag_or(o, name, false);
}

/* Find *base and *shift of compressed references, which are statics whose names depend on the version. */
static bool read_encoding(const struct oops *o, const char *const bases[][2], const char *const shifts[][2],
			  uint64_t *base, unsigned *shift)
{
	return remote_u64(o->remote, static_of(o->tables, bases), base) &&
	       remote_u32(o->remote, static_of(o->tables, shifts), shift) && *shift <= SHIFT_MAX;
}

/* A JVM drops a flag when its choice becomes fixed: JDK 27 has no UseCompressedClassPointers. */
static bool read_encodings(struct oops *o)
{
	static const char *const oop_bases[][2] = { { "CompressedOops", "_base" },
						    { "CompressedOops", "_narrow_oop._base" },
						    { "Universe", "_narrow_oop._base" },
						    { 0 } };
	static const char *const oop_shifts[][2] = { { "CompressedOops", "_shift" },
						     { "CompressedOops", "_narrow_oop._shift" },
						     { "Universe", "_narrow_oop._shift" },
						     { 0 } };
	static const char *const klass_bases[][2] = { { "CompressedKlassPointers", "_base" },
						      { "CompressedKlassPointers", "_narrow_klass._base" },
						      { "Universe", "_narrow_klass._base" },
						      { 0 } };
	static const char *const klass_shifts[][2] = { { "CompressedKlassPointers", "_shift" },
						       { "CompressedKlassPointers", "_narrow_klass._shift" },
						       { "Universe", "_narrow_klass._shift" },
						       { 0 } };
	int64_t mark_shift = 0;
	bool can_be_compact = vm_constant(o->tables, "markWord::klass_shift", &mark_shift);

	o->compact = flag_or(o, "UseCompactObjectHeaders", can_be_compact);
	o->compressed_klass = o->compact || flag_or(o, "UseCompressedClassPointers", true);
	o->reference_size = oops_flag(o, "UseCompressedOops") ? 4 : 8;
	if (o->compact && !can_be_compact)
		return false;
	o->mark_klass_shift = (unsigned)mark_shift & 63;
	return (o->reference_size == 8 || read_encoding(o, oop_bases, oop_shifts, &o->base, &o->shift)) &&
	       (!o->compressed_klass || read_encoding(o, klass_bases, klass_shifts, &o->klass_base, &o->klass_shift));
}

/* ZGC exports a struct of pointers to its globals. */
static bool find_global(const struct oops *o, const char *type, const char *field, struct oop_global *global)
{
	int64_t at = vm_offset(o->tables, type, field);
	uint64_t globals;

	return at >= 0 && remote_u64(o->remote, vm_static(o->tables, type, "_instance_p"), &globals) &&
	       remote_u64(o->remote, globals + (uint64_t)at, &global->address) && global->address;
}

/* JDK 21 to 23 have two ZGCs: a generational one, which is an option, and a single-generation one, whose types begin
 * with X.  Earlier versions have only the latter, with types that begin with Z. */
static bool oops_find_colours(struct oops *o, const struct jvm *jvm)
{
	static const char z[] = "ZGlobalsForVMStructs", x[] = "XGlobalsForVMStructs";

	uint64_t heap = 0;
	char kind = 'Z';

	remote_u64(o->remote, vm_static(o->tables, "Universe", "_collectedHeap"), &heap);
	if (vm_static(o->tables, x, "_instance_p") && !oops_flag(o, "ZGenerational"))
		kind = 'X';
	if (find_global(o, kind == 'X' ? x : z, kind == 'X' ? "_XAddressWeakBadMask" : "_ZAddressWeakBadMask",
			&o->bad)) {
		forwarding_init(&o->forwarding, jvm, kind, false, heap);
		return true;
	}
	forwarding_init(&o->forwarding, jvm, kind, true, heap);
	return find_global(o, z, "_ZPointerLoadBadMask", &o->bad) &&
	       find_global(o, z, "_ZPointerLoadGoodMask", &o->good) &&
	       find_global(o, z, "_ZPointerLoadShift", &o->load_shift);
}

/* Universe::_collectedHeap counts collections, and shows whether a collection has stopped the threads. */
static void find_heap(struct oops *o)
{
	int64_t active = vm_offset(o->tables, "CollectedHeap", "_is_gc_active");
	int64_t collections = vm_offset(o->tables, "CollectedHeap", "_total_collections");
	uint64_t heap;

	if (active < 0)
		active = vm_offset(o->tables, "CollectedHeap", "_is_stw_gc_active");
	if (active < 0 || collections < 0 ||
	    !remote_u64(o->remote, vm_static(o->tables, "Universe", "_collectedHeap"), &heap) || !heap)
		return;
	o->active = heap + (uint64_t)active;
	o->collections = heap + (uint64_t)collections;
}

int oops_init(struct oops *o, const struct jvm *jvm, const char **why)
{
	*o = (struct oops){ .remote = &jvm->remote, .tables = jvm->tables };
	*why = "its tables do not describe objects";
	if (!read_encodings(o))
		return -1;
	*why = "its tables do not describe colours of references";
	if (oops_flag(o, "UseZGC") && !oops_find_colours(o, jvm))
		return -1;
	o->forwards = oops_flag(o, "UseShenandoahGC");
	find_heap(o);
	return 0;
}

static bool oops_update(const struct oops *o, struct oop_global *global)
{
	return !global->address || remote_u64(o->remote, global->address, &global->value);
}

bool oops_begin(struct oops *o, uint32_t *collections)
{
	uint8_t active = 0;

	*collections = 0;
	if (o->active &&
	    (!remote_u8(o->remote, o->active, &active) || !remote_u32(o->remote, o->collections, collections)))
		return false;
	return !active && oops_update(o, &o->bad) && oops_update(o, &o->good) && oops_update(o, &o->load_shift) &&
	       o->load_shift.value < 64;
}

bool oops_end(const struct oops *o, uint32_t collections)
{
	struct oops now = *o;
	uint32_t count;

	return oops_begin(&now, &count) && count == collections && now.bad.value == o->bad.value;
}

/* ---- references ---- */

/* For generational ZGC: the bits above the colour.  On x86-64 they begin after the only bit of the masks that is set in
 * the reference (so that a shift tests it); elsewhere they begin at a fixed bit. */
static uint64_t without_colour(const struct oops *o, uint64_t reference)
{
	uint64_t bits = reference & (o->bad.value | o->good.value);
	bool is_behind = o->load_shift.value && o->good.value >> (o->load_shift.value - 1) == 1;

	if (is_behind && bits && !(bits & (bits - 1)))
		return reference >> (__builtin_ctzll(bits) + 1);
	return reference >> o->load_shift.value;
}

uint64_t oop_address(const struct oops *o, uint64_t reference, bool is_field, bool *is_sure)
{
	uint64_t address = reference;

	if (is_field && o->reference_size == 4) {
		address &= UINT32_MAX;
		return address ? o->base + (address << o->shift) : 0;
	}
	if (!reference || !o->bad.address)
		return address;
	if (o->load_shift.address)
		address = without_colour(o, reference);
	return reference & o->bad.value ? forwarding_find(&o->forwarding, reference, address, is_sure) : address;
}

static uint64_t oops_load(const uint8_t *bytes, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, bytes, size);
	return value;
}

uint64_t oop_moved_to(const struct oops *o, const uint8_t header[OOP_HEADER_BYTES])
{
	uint64_t mark = oops_load(header, 8);

	return o->forwards && (mark & FORWARDED) == FORWARDED ? mark & ~(uint64_t)FORWARDED : 0;
}

uint64_t oop_klass(const struct oops *o, const uint8_t header[OOP_HEADER_BYTES])
{
	uint64_t klass = oops_load(header + 8, o->compressed_klass ? 4 : 8);

	if (o->compact) {
		uint64_t mark = oops_load(header, 8);

		klass = (mark & FORWARDED) == FORWARDED ? 0 : mark >> o->mark_klass_shift;
	}
	if (!klass)
		return 0;
	if (o->compressed_klass)
		klass = o->klass_base + (klass << o->klass_shift);
	return klass % 8 ? 0 : klass;
}

static unsigned oops_constant(const struct oops *o, const char *name)
{
	int64_t value = 0;

	vm_constant(o->tables, name, &value);
	return (unsigned)value;
}

/* Klass::_layout_helper of an array: a tag in the highest bits, then the size of the header in bytes, the type of
 * the elements, and the logarithm of their size (klass.hpp). */
static bool learn_array(struct oops *o, uint64_t klass)
{
	int64_t at = vm_offset(o->tables, "Klass", "_layout_helper");
	unsigned type;
	int32_t layout;

	if (at < 0 || !remote_i32(o->remote, klass + (uint64_t)at, &layout) ||
	    layout >> (oops_constant(o, "Klass::_lh_array_tag_shift") & 31) !=
		    (int)oops_constant(o, "Klass::_lh_array_tag_type_value"))
		return false;
	type = (unsigned)layout >> (oops_constant(o, "Klass::_lh_element_type_shift") & 31) &
	       oops_constant(o, "Klass::_lh_element_type_mask");
	if (type != TYPE_BYTE && type != TYPE_CHAR)
		return false;
	o->array_data_at = (unsigned)layout >> (oops_constant(o, "Klass::_lh_header_size_shift") & 31) &
			   oops_constant(o, "Klass::_lh_header_size_mask");
	o->array_element_shift = type == TYPE_CHAR;
	o->array_klass = klass;
	return true;
}

bool oop_array(struct oops *o, const uint8_t header[OOP_HEADER_BYTES], struct oop_array *array)
{
	size_t length_at = o->compact ? 8 : o->compressed_klass ? 12 : 16;
	uint64_t klass = oop_klass(o, header);

	if (!klass || (klass != o->array_klass && !learn_array(o, klass)))
		return false;
	*array = (struct oop_array){ oops_load(header + length_at, 4), o->array_data_at, o->array_element_shift };
	return array->length <= INT32_MAX && array->data_at >= length_at + 4;
}

/* ---- classes ---- */

uint64_t oop_well_known(const struct oops *o, const char *name)
{
	static const char *const forms[][2] = {
		{ "vmClasses", "_klasses[static_cast<int>(vmClassID::%s_klass_knum)]" },
		{ "SystemDictionary", "_well_known_klasses[SystemDictionary::%s_klass_knum]" },
	};
	uint64_t klass = 0;
	char field[128];

	for (size_t i = 0; i < 2 && !klass; i++) {
		const char *form = strstr(forms[i][1], "%s");

		snprintf(field, sizeof(field), "%.*s%s%s", (int)(form - forms[i][1]), forms[i][1], name, form + 2);
		if (!remote_u64(o->remote, vm_static(o->tables, forms[i][0], field), &klass))
			klass = 0;
	}
	return klass;
}

/* --- offsets of fields in objects ---
 *
 * The JVM computes the offsets for each class.  They are read from InstanceKlass::_fields, which is a stream in
 * UNSIGNED5 from JDK 21 on (hotspot/share/oops/fieldInfo.hpp, utilities/unsigned5.hpp). */

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

/* UNSIGNED5 as in JDK 20: digits of 6 bits, the lowest first; no byte is 0, and after a byte of 192 or more another
 * digit follows.  Returns false at the end. */
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
