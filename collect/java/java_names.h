/* java_names: addresses that stand for the frames and classes of one process, in order of first appearance
 * (core/format/recording.h, "[java]"). */
#ifndef COLLECT_JAVA_JAVA_NAMES_H
#define COLLECT_JAVA_JAVA_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/intern.h"
#include "core/str.h"
#include "core/symbols/jit/jit_code.h"

/* The name of a method whose name is no longer known.  ("[java]" would be the launcher without symbols.) */
#define JAVA_GONE "[java-gone]"

struct java_name {
	const char *name;
	const char *file; /* NULL: not known */
	uint32_t line;    /* 0: unknown */
	char tier;        /* the letter of "_[0]"; 0: a class, which has no annotation */
	bool is_method;   /* not a class or a JVM stub */
};

/* {0} is valid and empty. */
struct java_names {
	struct intern texts; /* names, files */
	struct intern keys;  /* the entries, by index */
};

/* The address that stands for name, whose texts are copied; 0 if there are too many names. */
uint64_t java_names_address(struct java_names *n, const struct java_name *name);

/* Append the name of an address, with its annotation; nothing if the address was not assigned. */
void java_names_spell(const struct java_names *n, uint64_t address, struct str *to);

/* Does the address stand for a Java method? */
bool java_names_is_method(const struct java_names *n, uint64_t address);

/* Add all names to code, as the module "[java]". */
void java_names_give(const struct java_names *n, struct jit_code *code);

/* Size of the pseudo mapping in bytes. */
#define JAVA_NAMES_BYTES (UINT64_C(1) << 32)

void java_names_free(struct java_names *n);

#endif
