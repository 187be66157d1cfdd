/* function_names: the name of a function, from its DWARF entry. */
#ifndef CORE_SYMBOLS_ELF_FUNCTION_NAMES_H
#define CORE_SYMBOLS_ELF_FUNCTION_NAMES_H

#include <elfutils/libdw.h>

#include "core/arena.h"
#include "core/map.h"

struct name_scope;

/* {0} and *texts is valid. */
struct function_names {
	struct arena *texts; /* where names go */
	struct arena own;
	struct map by_key;  /* address in memory of the entry with the name -> index in names + 1 */
	const char **names; /* [count] */
	size_t count, cap;
	struct name_scope *units; /* units in which scopes were already looked up */
};

/* The linkage name of a function, inlined or not, as in a symbol table; if it has none, its name after those of its
 * scopes: "app::(anonymous namespace)::less", in C without scopes.  language is DW_AT_language of its unit.  Never
 * NULL. */
const char *function_names_of(struct function_names *n, Dwarf_Die *function, int language);

/* A copy of a file's name from libdw, after the directory that it may be relative to (NULL:
 * unknown).  NULL for NULL.  The same text in memory gives the same copy. */
const char *function_names_file(struct function_names *n, const char *directory, const char *name);

void function_names_free(struct function_names *n);

#endif
