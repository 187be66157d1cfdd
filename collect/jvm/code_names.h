/* code_names: keeps one copy of each stub name read from a JVM, at a fixed address. */
#ifndef COLLECT_JVM_CODE_NAMES_H
#define COLLECT_JVM_CODE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/runtime/remote.h"
#include "core/arena.h"
#include "core/intern.h"

enum { CODE_NAME_MAX = 128 };

struct code_names { /* {0} is empty */
	struct intern ids;
	const char **kept; /* by id */
	size_t cap;
	struct arena texts;
};

/* The names of stubs change with the versions: "new_instance Runtime1 stub" is "C1 Runtime new_instance_blob" in 25,
 * "new_instance_blob (C1 runtime)" in 27.  Gives it the form that it had until 24, so that profiles of several
 * versions can be compared. */
void code_name_clean(char name[CODE_NAME_MAX]);

/* Read the name at address of the JVM.  Returns false if it is empty, too long, or not printable ASCII.  It is
 * cleaned. */
bool code_name_read(const struct remote *r, uint64_t address, char to[CODE_NAME_MAX]);

/* The copy of name, valid until n is freed. */
const char *code_names_keep(struct code_names *n, const char *name);

void code_names_free(struct code_names *n);

#endif
