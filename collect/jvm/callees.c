#include "collect/jvm/callees.h"

#include <string.h>

enum { INVOKEVIRTUAL = 182, INVOKESPECIAL = 183, INVOKESTATIC = 184, FAST_INVOKEVFINAL = 227 };

enum { ENTRY_MAX = 64, ARRAY_DATA = 8 /* of an Array<> of pointers */, TABLE_MAX = 4096 };

static bool read_entries(struct callees *c, const struct vm_tables *t)
{
	int64_t data = vm_offset(t, "Array<ResolvedMethodEntry>", "_data");

	c->entries = vm_offset(t, "ConstantPoolCache", "_resolved_method_entries");
	if (c->entries >= 0) { /* JDK 23: Method, number in the table */
		c->first = data < 0 ? 0 : (uint64_t)data;
		c->size = vm_size(t, "ResolvedMethodEntry");
		c->target = 0;
		c->table = 8;
		c->table_bytes = 2;
		c->index = vm_offset(t, "ResolvedMethodEntry", "_cpool_index");
	} else {
		c->first = vm_size(t, "ConstantPoolCache");
		c->size = vm_size(t, "ConstantPoolCacheEntry");
		c->target = vm_offset(t, "ConstantPoolCacheEntry", "_f1");
		c->table = vm_offset(t, "ConstantPoolCacheEntry", "_f2");
		c->table_bytes = 8;
		c->index = vm_offset(t, "ConstantPoolCacheEntry", "_indices");
	}
	return c->first && c->size && c->size <= ENTRY_MAX && c->target >= 0 && c->table >= 0 && c->index >= 0 &&
	       (uint64_t)c->target + 8 <= c->size && (uint64_t)c->table + c->table_bytes <= c->size &&
	       (uint64_t)c->index + 2 <= c->size;
}

bool callees_init(struct callees *c, const struct jvm *jvm, const struct metadata *m)
{
	const struct vm_tables *t = jvm->tables;
	const char *type = vm_field_type(t, "Method", "_intrinsic_id");

	*c = (struct callees){ .metadata = m,
			       .cache = vm_offset(t, "ConstantPool", "_cache"),
			       .classes = vm_offset(t, "ConstantPool", "_resolved_klasses"),
			       .intrinsic = vm_offset(t, "Method", "_intrinsic_id"),
			       .intrinsic_bytes = type && !strcmp(type, "u1") ? 1 : 2,
			       .class_bytes = vm_size(t, "InstanceKlass") };
	return c->cache >= 0 && c->intrinsic >= 0 && c->class_bytes && read_entries(c, t);
}

bool callee_is_called(const struct bytecodes *b, size_t at)
{
	uint8_t code = b->bytes[at];

	return (code >= INVOKEVIRTUAL && code <= INVOKESTATIC) || code == FAST_INVOKEVFINAL;
}

static bool callees_read_pointer(const struct callees *c, uint64_t address, uint64_t *to)
{
	return remote_u64(c->metadata->remote, address, to) && *to && *to % 8 == 0;
}

/* The class of a method constant.  The method constant consists of two numbers of 16 bits.  Since JDK 9 a class
 * constant does, too, and its lower number is the index of the class in the list; before, it is the class itself. */
static bool callees_read_class(const struct callees *c, uint64_t pool, uint16_t constant, uint64_t *klass)
{
	const struct metadata *m = c->metadata;
	uint64_t constants = pool + m->pool_bytes, classes;
	uint16_t of_class, number;

	if (!remote_u16(m->remote, constants + 8 * (uint64_t)constant, &of_class))
		return false;
	if (c->classes < 0)
		return callees_read_pointer(c, constants + 8 * (uint64_t)of_class, klass);
	return remote_u16(m->remote, constants + 8 * (uint64_t)of_class, &number) &&
	       callees_read_pointer(c, pool + (uint64_t)c->classes, &classes) &&
	       callees_read_pointer(c, classes + ARRAY_DATA + 8 * (uint64_t)number, klass);
}

static uint64_t find_in_table(const struct callees *c, uint64_t pool, const uint8_t *entry, uint64_t number)
{
	uint64_t klass, method;
	uint16_t constant;

	memcpy(&constant, entry + c->index, sizeof(constant));
	return number && number < TABLE_MAX && callees_read_class(c, pool, constant, &klass) &&
			       callees_read_pointer(c, klass + c->class_bytes + 8 * number, &method)
		       ? method
		       : 0;
}

static uint64_t find_target(const struct callees *c, uint64_t pool, const uint8_t *entry, uint8_t code)
{
	uint64_t method, number = 0;

	memcpy(&method, entry + c->target, sizeof(method));
	memcpy(&number, entry + c->table, c->table_bytes);
	if (code == INVOKESPECIAL || code == INVOKESTATIC || (c->entries >= 0 && method))
		return method;
	return number >= TABLE_MAX ? number : find_in_table(c, pool, entry, number);
}

static bool is_intrinsic(const struct callees *c, uint64_t method)
{
	uint16_t id = 1;

	return !remote_read(c->metadata->remote, method + (uint64_t)c->intrinsic, &id, c->intrinsic_bytes) ||
	       (c->intrinsic_bytes == 1 ? id & 0xff : id);
}

/* The bytecode is followed by the number of an entry, in the processor's byte order. */
uint64_t callee_find(const struct callees *c, uint64_t pool, const struct bytecodes *b, size_t at,
		     struct method_parts *parts)
{
	uint64_t cache, entries, method;
	uint8_t entry[ENTRY_MAX];
	struct str text = { 0 };
	uint16_t number;
	bool is_method;

	memcpy(&number, b->bytes + at + 1, sizeof(number));
	if (!callees_read_pointer(c, pool + (uint64_t)c->cache, &cache))
		return 0;
	entries = cache;
	if (c->entries >= 0 && !callees_read_pointer(c, cache + (uint64_t)c->entries, &entries))
		return 0;
	if (!remote_read(c->metadata->remote, entries + c->first + number * c->size, entry, c->size))
		return 0;
	method = find_target(c, pool, entry, b->bytes[at]);
	is_method = method && metadata_method(c->metadata, method, parts, &text) && parts->code_size &&
		    !is_intrinsic(c, method);
	str_free(&text);
	return is_method ? method : 0;
}
