/* code_names: keeps one copy of each stub name read from a JVM, at a fixed address. */
#ifndef COLLECT_JVM_CODE_NAMES_H
#define COLLECT_JVM_CODE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/jvm/remote.h"
#include "core/arena.h"
#include "core/intern.h"

enum { CODE_NAME_MAX = 128 };

struct code_names { /* {0} is empty */
	struct intern ids;
	const char **kept; /* by id */
	size_t cap;
	struct arena texts;
};

/* Read the name at address of the JVM.  Returns false if it is empty, too long, or not printable ASCII. */
bool code_name_read(const struct remote *r, uint64_t address, char to[CODE_NAME_MAX]);

/* The copy of name, valid until n is freed. */
const char *code_names_keep(struct code_names *n, const char *name);

void code_names_free(struct code_names *n);

#endif
