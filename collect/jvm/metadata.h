/* metadata: reads Methods, Klasses and Symbols from a JVM's memory (hotspot/share/oops: method.hpp, constMethod.hpp,
 * constantPool.hpp, instanceKlass.hpp, symbol.hpp).
 *
 *     Method --> ConstMethod --> ConstantPool --> InstanceKlass --> Symbol "com/example/App"
 *                (name_index)    [Symbol "handle"]  --> the same ConstantPool
 *
 * If this circle is closed, it is a Method, and not freed memory. */
#ifndef COLLECT_JVM_METADATA_H
#define COLLECT_JVM_METADATA_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/jvm/jvm.h"
#include "core/str.h"

/* Offsets of fields; -1: there is none. */
struct metadata {
	const struct remote *remote;
	int64_t const_method;
	int64_t constants, method_size, flags, code_size, name_index;
	int64_t tags, holder, pool_length, pool_source;
	int64_t class_name, layout_helper, class_constants, class_source;
	int64_t symbol_length, symbol_body;
	int64_t tags_length, tags_data;
	uint64_t pool_bytes, method_bytes;
	uint32_t has_lines; /* bit of flags; 0: unknown */
	bool wide_flags;    /* flags has 4 bytes; otherwise 2 */
	unsigned excluded;  /* how many byte values UNSIGNED5 numbers do not use: 1 from JDK 20 on, else 0 */
	bool is_8;          /* JDK 8: HotSpot's own bytecodes have other numbers */
};

/* Returns false if the tables lack what is needed. jvm must outlive m. */
bool metadata_init(struct metadata *m, const struct jvm *jvm);

/* The contents of a Method, once all of them were read and the circle was found to be closed. */
struct method_parts {
	uint64_t const_method, pool, holder;
	uint64_t name, class_name;    /* addresses of the Symbols */
	uint16_t name_len, class_len; /* lengths of the Symbols' texts, in the JVM's spelling */
	uint16_t name_index, code_size;
};

/* Reads a Method.  Puts the texts into *text: the method's name, then the class's. */
bool metadata_method(const struct metadata *m, uint64_t method, struct method_parts *to, struct str *text);

/* Is a Method unchanged, with the same texts?  Takes one system call.  Overwrites scratch. */
bool metadata_same(const struct metadata *m, uint64_t method, const struct method_parts *was, const char *text,
		   struct str *scratch);

/* Append a Symbol's bytes.  Returns false if symbol is not a Symbol. */
bool metadata_symbol(const struct metadata *m, uint64_t symbol, struct str *to);

/* The Symbol of the source file; 0: unknown. */
uint64_t metadata_source(const struct metadata *m, const struct method_parts *parts);

/* The Symbol of a Klass's name; 0 if klass is not a Klass. */
uint64_t metadata_class(const struct metadata *m, uint64_t klass);

#endif
