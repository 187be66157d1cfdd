/* function_names: what a function is called, by its entry in DWARF. */
#ifndef CORE_SYMBOLS_ELF_FUNCTION_NAMES_H
#define CORE_SYMBOLS_ELF_FUNCTION_NAMES_H

#include <elfutils/libdw.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/map.h"

struct name_scope;

/* {0} and *texts is valid. */
struct function_names {
	struct arena *texts; /* where names go */
	struct arena own;
	struct map by_key;   /* where it was found, in memory -> number in names + 1 */
	const char **names;  /* [count] */
	size_t count, cap;
	struct name_scope *units; /* those in which a scope was looked for */
};

/* The linkage name of a function, inlined or not, as it stands in a symbol table; where there is
 * none, its name behind those of its scopes: "app::(anonymous namespace)::less", in C without.
 * language is DW_AT_language of its unit.  Never NULL. */
const char *function_names_of(struct function_names *n, Dwarf_Die *function, int language);

/* A copy of a file's name, as libdw gives it, behind the directory that it may be relative to
 * (NULL: not known).  NULL of NULL.  Where names are the same text in memory, the copy is the same.
 */
const char *function_names_file(struct function_names *n, const char *directory, const char *name);

void function_names_free(struct function_names *n);

#endif
