/* code_blob: decodes the header of a CodeBlob in all versions of HotSpot (hotspot/share/code/codeBlob.hpp,
 * compiledMethod.hpp, nmethod.hpp):
 *
 *     8         all in the blob; offsets from its start
 *     11 to 21  all in the blob; some fields are addresses (CompiledMethod)
 *     23 on     pcs and scopes apart (_immutable_data); 25: metadata too (_mutable_data) */
#ifndef COLLECT_JVM_CODE_BLOB_H
#define COLLECT_JVM_CODE_BLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/jvm/code_cache.h"
#include "collect/jvm/tables/vm_tables.h"

enum { BLOB_FIELDS = 31, BLOB_HEADER_MAX = 1024 };

struct blob_field {
	uint32_t offset;
	uint8_t size; /* bytes; 0: this version has none */
};

/* Find a field of type; false: there is none. */
bool blob_field_find(struct blob_field *f, const struct vm_tables *t, const char *type, const char *name);

/* The value of the field in an object; 0 if there is no such field. */
uint64_t blob_field_get(const struct blob_field *f, const uint8_t *object);

struct blob_layout {
	struct blob_field fields[BLOB_FIELDS];
	size_t size;         /* bytes read of a header */
	size_t runtime_size; /* bytes of the header of a blob that is not an nmethod */
};

/* Returns false, and *why, if the tables lack what is needed. */
bool blob_layout_read(struct blob_layout *l, const struct vm_tables *t, const char **why);

/* Read the fields that any blob has from header[l->size] of the blob at address: start, end, code, frame, address of
 * the name.  Returns false if they make no sense. */
bool blob_decode(const struct blob_layout *l, const uint8_t *header, uint64_t address, struct code_blob *blob,
		 uint64_t *name);

/* Read the rest of the header of an nmethod.  Returns false if it makes no sense. */
bool blob_decode_nmethod(const struct blob_layout *l, const uint8_t *header, struct code_blob *blob);

#endif
