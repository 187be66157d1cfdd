/* code_names: names of stubs, as a JVM has them somewhere; each is kept once, where it stays. */
#ifndef COLLECT_JVM_CODE_NAMES_H
#define COLLECT_JVM_CODE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/jvm/remote.h"
#include "core/arena.h"
#include "core/intern.h"

enum { CODE_NAME_MAX = 128 };

struct code_names {             /* {0} has none */
	struct intern ids;
	const char **kept;      /* by id */
	size_t cap;
	struct arena texts;
};

/* The text at address of the JVM.  Returns false if it is empty, longer, or not printable ASCII: no name. */
bool code_name_read(const struct remote *r, uint64_t address, char to[CODE_NAME_MAX]);

/* name, valid until n is freed. */
const char *code_names_keep(struct code_names *n, const char *name);

void code_names_free(struct code_names *n);

#endif
