/* oops: objects on the heap of a JVM: the layout of references, headers, arrays and strings.
 *
 *     compressed class:  | mark 8 | klass 4 | length 4 | elements ...     (an object: fields from 12 on)
 *     not compressed:    | mark 8 | klass 8 | length 4 | (4) elements ... (from 16 on)
 *     compact headers:   | klass 22, mark 42 bits | length 4 | ...        (JDK 24; from 8 on)
 *
 * References to the heap may be compressed, or coloured (ZGC): a colour says whether the object is still at the
 * address. */
#ifndef COLLECT_JVM_OOPS_H
#define COLLECT_JVM_OOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/jvm/forwarding.h"
#include "collect/jvm/jvm.h"

/* A global of the JVM that changes as it runs: the mask of a colour. */
struct oop_global {
	uint64_t address; /* 0: it does not exist */
	uint64_t value;   /* as last read by oops_begin() */
};

struct oops {
	const struct remote *remote;
	const struct vm_tables *tables;
	size_t reference_size;     /* of a field: 4 or 8 */
	uint64_t base, klass_base; /* base addresses of compressed references */
	unsigned shift, klass_shift;
	bool compressed_klass, compact; /* compact: the mark holds the class */
	unsigned mark_klass_shift;
	bool forwards;                           /* Shenandoah: the mark of a moved object has its new address */
	struct oop_global bad, good, load_shift; /* ZGC; the last two: only generational */
	struct forwarding forwarding;            /* ZGC */
	uint64_t active, collections;            /* where the heap counts its collections; 0: unknown */
	/* The array class seen last: most names have the same. */
	uint64_t array_klass;
	unsigned array_data_at, array_element_shift;
};

enum { OOP_HEADER_BYTES = 24 }; /* of any array, with its length */

/* Returns 0; -1, and *why, if the tables lack what is needed. jvm must outlive o. */
int oops_init(struct oops *o, const struct jvm *jvm, const char **why);

/* Bracket reads of objects: if both succeed with the same number of collections, nothing moved in between and
 * references were right.  Return false while threads are stopped and objects are moved. */
bool oops_begin(struct oops *o, uint32_t *collections);
bool oops_end(const struct oops *o, uint32_t collections);

/* The address that a reference stands for; 0: null.  It has 8 bytes, or, with is_field, the form of a field.
 * is_sure becomes false if the object may have moved since the reference was written. */
uint64_t oop_address(const struct oops *o, uint64_t reference, bool is_field, bool *is_sure);

/* The Klass of an object with these first OOP_HEADER_BYTES; 0: not an object. */
uint64_t oop_klass(const struct oops *o, const uint8_t header[OOP_HEADER_BYTES]);

/* Where the collector has moved it; 0: not moved. */
uint64_t oop_moved_to(const struct oops *o, const uint8_t header[OOP_HEADER_BYTES]);

struct oop_array {
	uint64_t length;        /* elements */
	unsigned data_at;       /* from the object's address */
	unsigned element_shift; /* 0: byte[], 1: char[] */
};

/* Decode the header of a byte[] or char[].  Returns false if it is neither. */
bool oop_array(struct oops *o, const uint8_t header[OOP_HEADER_BYTES], struct oop_array *array);

/* A well-known class of the JVM: "String", "Thread"; 0: not loaded yet. */
uint64_t oop_well_known(const struct oops *o, const char *name);

#endif
