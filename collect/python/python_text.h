/* python_text: str objects, and the names of modules, in the memory of an interpreter. */
#ifndef COLLECT_PYTHON_PYTHON_TEXT_H
#define COLLECT_PYTHON_PYTHON_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/python/python_layout.h"
#include "core/str.h"

enum { PYTHON_TEXT_MAX = 1024 }; /* characters; longer texts are cut */

/* What BPF programs need to read texts. */
struct python_text_layout python_text_layout(const struct python_runtime *p);

/* Append a str object as UTF-8.  Returns false if there is none at this address. */
bool python_text_add(const struct python_runtime *p, uint64_t address, struct str *to);

/* Is there an object of this type? */
bool python_is_a(const struct python_runtime *p, uint64_t address, uint64_t type);

/* The entries of a dict, or of what objects of a class share: Objects/dictobject.c. */
struct python_keys {
	uint64_t entries, count; /* address; number */
	bool has_hashes;         /* entries are hash, key, value; else key, value */
};

/* address: of what a dict, or a class, points to (PyDictKeysObject). */
bool python_keys_read(const struct python_runtime *p, uint64_t address, struct python_keys *keys);

/* Find a key among the first `most`.  Returns its index, and the value that follows it; -1: there is none. */
int python_keys_find(const struct python_runtime *p, const struct python_keys *keys, const char *name, unsigned most,
		     uint64_t *value);

/* Append __name__ of a module's globals, a dict.  Returns false if there is none. */
bool python_module_add(const struct python_runtime *p, uint64_t globals, struct str *to);

#endif
