/* java_names: the addresses that stand for the frames and classes of one process, in the order in which
 * they were first seen (core/format/recording.h, "[java]"). */
#ifndef COLLECT_JAVA_JAVA_NAMES_H
#define COLLECT_JAVA_JAVA_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/intern.h"
#include "core/str.h"
#include "core/symbols/jit/jit_code.h"

/* A method of which the name cannot be told any more.  ("[java]" is the launcher, of which no symbols are there.) */
#define JAVA_GONE "[java-gone]"

struct java_name {
	const char *name;
	const char *file;     /* NULL: not known */
	uint32_t line;        /* 0: not known */
	char tier;            /* '0': "_[0]"; 0: of a class, which has none */
	bool is_method;       /* neither a class nor one of the JVM's stubs */
};

/* {0} is valid and empty. */
struct java_names {
	struct intern texts;  /* names, files */
	struct intern keys;   /* by number: what is there */
};

/* Texts are copied.  0 when there are too many. */
uint64_t java_names_address(struct java_names *n, const struct java_name *name);

/* Append what an address is called, with its annotation.  Nothing is appended when it was not given. */
void java_names_spell(const struct java_names *n, uint64_t address, struct str *to);

/* Is the address that of a Java method? */
bool java_names_is_method(const struct java_names *n, uint64_t address);

/* All of them, as code of the module "[java]". */
void java_names_give(const struct java_names *n, struct jit_code *code);

/* How many bytes the pseudo mapping takes. */
#define JAVA_NAMES_BYTES (UINT64_C(1) << 32)

void java_names_free(struct java_names *n);

#endif
