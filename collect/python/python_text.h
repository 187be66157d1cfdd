/* python_text: str objects, and the names of modules, in the memory of an interpreter. */
#ifndef COLLECT_PYTHON_PYTHON_TEXT_H
#define COLLECT_PYTHON_PYTHON_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/python/python_layout.h"
#include "core/str.h"

enum { PYTHON_TEXT_MAX = 1024 }; /* characters; longer texts are cut */

/* Append a str object as UTF-8.  Returns false if there is none at this address. */
bool python_text_add(const struct python_runtime *p, uint64_t address, struct str *to);

/* Is there an object of this type? */
bool python_is_a(const struct python_runtime *p, uint64_t address, uint64_t type);

/* Append __name__ of a module's globals, a dict.  Returns false if there is none. */
bool python_module_add(const struct python_runtime *p, uint64_t globals, struct str *to);

#endif
