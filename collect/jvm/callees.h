/* callees: the methods that a method's bytecodes call, as far as the JVM has resolved them (hotspot/share/oops:
 * cpCache.hpp, resolvedMethodEntry.hpp, constantPool.hpp, klassVtable.hpp).
 *
 *     invokevirtual n --> entry n of the pool's cache --> Method, if it is the only one
 *                                                     --> constant --> class --> its table of methods */
#ifndef COLLECT_JVM_CALLEES_H
#define COLLECT_JVM_CALLEES_H

#include "collect/jvm/code/bytecodes.h"
#include "collect/jvm/metadata.h"

struct callees {
	const struct metadata *metadata;
	int64_t cache, classes;       /* offsets in a ConstantPool; `classes` is -1 before JDK 9 */
	int64_t entries;              /* offset of the array of entries in the cache; -1: the entries follow the
				       * cache */
	uint64_t first, size;         /* offset of the first entry, and the size of an entry */
	int64_t target, table, index; /* offsets in an entry: of the Method; of the Method or its number in its class's
				       * table; of the number of its constant */
	uint64_t table_bytes;         /* size of table */
	int64_t intrinsic;            /* offset in a Method */
	uint64_t intrinsic_bytes;
	uint64_t class_bytes; /* sizeof(InstanceKlass): the table follows */
};

/* Returns false if the tables lack what is needed.  m must outlive c. */
bool callees_init(struct callees *c, const struct jvm *jvm, const struct metadata *m);

/* Is the bytecode at `at` a call of a known kind? */
bool callee_is_called(const struct bytecodes *b, size_t at);

/* The Method that the call at `at` leads to, if it has bytecodes, and is not an intrinsic (with machine code that is
 * built into the compiler).  pool: that of the calling method.  Returns 0 if the Method is unknown. */
uint64_t callee_find(const struct callees *c, uint64_t pool, const struct bytecodes *b, size_t at,
		     struct method_parts *parts);

#endif
