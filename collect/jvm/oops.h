/* oops: objects on the heap of a JVM: how references, headers, arrays and texts are laid out.
 *
 *     compressed class:  | mark 8 | klass 4 | length 4 | elements ...     (an object: fields from 12 on)
 *     not compressed:    | mark 8 | klass 8 | length 4 | (4) elements ... (from 16 on)
 *     compact headers:   | klass 22, mark 42 bits | length 4 | ...        (JDK 24; from 8 on)
 *
 * References to the heap may be compressed, or coloured (ZGC): what the colour of one says is
 * whether the object is still where it says. */
#ifndef COLLECT_JVM_OOPS_H
#define COLLECT_JVM_OOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/jvm/forwarding.h"
#include "collect/jvm/jvm.h"

/* A global of the JVM that changes as it runs: the mask of a colour. */
struct oop_global {
	uint64_t address;     /* 0: it is not there */
	uint64_t value;       /* as last read by oops_begin() */
};

struct oops {
	const struct remote *remote;
	const struct vm_tables *tables;
	size_t reference_size;     /* of a field: 4 or 8 */
	uint64_t base, klass_base; /* what compressed ones are relative to */
	unsigned shift, klass_shift;
	bool compressed_klass, compact; /* compact: the class is in the mark */
	unsigned mark_klass_shift;
	bool forwards;             /* Shenandoah: the mark of an object that was moved says where to */
	struct oop_global bad, good, load_shift; /* ZGC; the last two: only of the generational one */
	struct forwarding forwarding; /* ZGC */
	uint64_t active, collections; /* where the heap counts its collections; 0: not known */
	/* The class of arrays seen last: most names are of one. */
	uint64_t array_klass;
	unsigned array_data_at, array_element_shift;
};

enum { OOP_HEADER_BYTES = 24 }; /* of any array, with its length */

/* Returns 0; -1, and *why, when the tables have not what is needed.  jvm must outlive o. */
int oops_init(struct oops *o, const struct jvm *jvm, const char **why);

/* Whether nothing moves, and how often it did: when both are the same before and after objects were read, what
 * references said was true.  Returns false while threads are stopped and objects are moved. */
bool oops_begin(struct oops *o, uint32_t *collections);
bool oops_end(const struct oops *o, uint32_t collections);

/* The address that a reference, of 8 bytes (is_field: as a field has it) stands for; 0: null.  is_sure
 * becomes false when the object may have been moved since the reference was written. */
uint64_t oop_address(const struct oops *o, uint64_t reference, bool is_field, bool *is_sure);

/* Of an object, by its first OOP_HEADER_BYTES: its Klass; 0: that is none. */
uint64_t oop_klass(const struct oops *o, const uint8_t header[OOP_HEADER_BYTES]);

/* Where the collector has moved it to; 0: nowhere. */
uint64_t oop_moved_to(const struct oops *o, const uint8_t header[OOP_HEADER_BYTES]);

struct oop_array {
	uint64_t length;      /* elements */
	unsigned data_at;     /* from the object's address */
	unsigned element_shift; /* 0: byte[], 1: char[] */
};

/* By the header of an object: of byte[] or char[].  Returns false if it is neither. */
bool oop_array(struct oops *o, const uint8_t header[OOP_HEADER_BYTES], struct oop_array *array);

/* The Klass of a class that the JVM knows well: "String", "Thread".  0: not loaded yet. */
uint64_t oop_well_known(const struct oops *o, const char *name);

#endif
