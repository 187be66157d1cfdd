/* oops: objects on the heap of a JVM: the layout of references, headers, arrays and strings.
 *
 *     compressed class:  | mark 8 | klass 4 | length 4 | elements ...     (an object: fields from 12 on)
 *     not compressed:    | mark 8 | klass 8 | length 4 | (4) elements ... (from 16 on)
 *     compact headers:   | klass 22, mark 42 bits | length 4 | ...        (JDK 24; from 8 on)
 *
 * References to the heap may be compressed, or coloured (ZGC): the colour shows whether the object is still at the
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
	size_t reference_size;     /* bytes of a field that is a reference: 4 or 8 */
	uint64_t base, klass_base; /* base addresses of compressed references */
	unsigned shift, klass_shift;
	bool compressed_klass, compact; /* compact: the mark holds the class */
	unsigned mark_klass_shift;
	bool forwards;                           /* Shenandoah: the mark of an object that was moved contains the
						  * new address */
	struct oop_global bad, good, load_shift; /* ZGC; good and load_shift: only generational ZGC */
	struct forwarding forwarding;            /* ZGC */
	uint64_t active, collections;            /* address of the heap's count of collections; 0: unknown */
	/* The class of the array seen last, since most names are arrays of the same class. */
	uint64_t array_klass;
	unsigned array_data_at, array_element_shift;
};

enum { OOP_HEADER_BYTES = 24 }; /* the header of any array, including its length */

/* Returns 0; -1, and *why, if the tables lack what is needed.  jvm must outlive o. */
int oops_init(struct oops *o, const struct jvm *jvm, const char **why);

/* Call these before and after reads of objects: if both succeed and give the same number of collections, nothing moved
 * in between, and the references were right.  They return false while threads are stopped and objects are moved. */
bool oops_begin(struct oops *o, uint32_t *collections);
bool oops_end(const struct oops *o, uint32_t collections);

/* The address that a reference stands for; 0: null.  reference has 8 bytes or, with is_field, the form of a field.
 * is_sure becomes false if the object may have moved since the reference was written. */
uint64_t oop_address(const struct oops *o, uint64_t reference, bool is_field, bool *is_sure);

/* The Klass of an object, from its first OOP_HEADER_BYTES; 0: this is no object. */
uint64_t oop_klass(const struct oops *o, const uint8_t header[OOP_HEADER_BYTES]);

/* The address to which the garbage collector has moved the object; 0: it was not moved. */
uint64_t oop_moved_to(const struct oops *o, const uint8_t header[OOP_HEADER_BYTES]);

struct oop_array {
	uint64_t length;        /* elements */
	unsigned data_at;       /* offset of the elements from the object's address */
	unsigned element_shift; /* 0: byte[], 1: char[] */
};

/* Decode the header of a byte[] or char[].  Returns false if the object is neither. */
bool oop_array(struct oops *o, const uint8_t header[OOP_HEADER_BYTES], struct oop_array *array);

/* A well-known class of the JVM: "String", "Thread"; 0: not loaded yet. */
uint64_t oop_well_known(const struct oops *o, const char *name);

/* The offset of a field that is neither inherited nor static; -1 if there is none. */
int64_t oop_field(const struct oops *o, uint64_t klass, const char *name, const char *signature);

#endif
