/* places: every observed address, once, and its name.
 *
 * First all addresses are added; each distinct (module, address) becomes a
 * place.  Then every module is opened once and names all its places in one
 * pass over its symbols: a table of 300,000 symbols is never sorted to find
 * 200 of them. */
#ifndef CORE_SYMBOLS_SPACE_PLACES_H
#define CORE_SYMBOLS_SPACE_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/map.h"
#include "core/symbols/space/modules.h"
#include "core/symbols/space/spaces.h"
#include "core/symbols/space/why.h"

#define PLACE_NO_MODULE UINT32_MAX

/* An inlined function, and its source line: for the innermost one the line of the address, for
 * the others the line of the call. */
struct inlined {
	const char *name; /* linkage name, as in a symbol table; if it has none, the name as in the source */
	const char *file; /* NULL: unknown */
	uint32_t line;    /* 0: unknown */
};

struct place {
	uint64_t address;              /* an address in the module, see modules.h */
	uint64_t start, size;          /* of the symbol that was found, or of the function without a name */
	uint64_t function;             /* without a name: where its function begins, as in the tables of the file, so
					* that it is the same wherever the file is mapped; 0: unknown */
	const char *name;              /* as in the symbol table; NULL: none found */
	uint32_t module;               /* PLACE_NO_MODULE: nothing was mapped there */
	uint32_t line;                 /* source line, in the function of the symbol; 0: unknown */
	const char *file;              /* the source file's name; NULL: unknown */
	const struct inlined *inlined; /* [inlined_count], the innermost first */
	uint16_t inlined_count;
	uint8_t why; /* enum why: the reason, if it has no name */
};

/* {0} is valid and empty. */
struct places {
	struct place *items; /* [count], by place number */
	size_t count, cap;
	struct map by_address; /* (address, module) -> number + 1 */
	struct map cache;      /* (address, context) -> number + 1 */
	uint32_t nowhere;      /* number + 1 of the place below; 0: there is none yet */
	bool nowhere_is_one;   /* set it first: all user addresses where nothing is mapped are one place, of address 0.
				* Broken stacks have many of them, and only options that show addresses tell them apart */
	struct spaces *spaces; /* all spaces that are passed to places_add(); NULL: not known, which takes more time */
	struct arena names;
};

/* The number of the place at address, new if it was not seen before.  context
 * is space_context(space, time_ns); kernel addresses have space NULL, context 0. */
uint32_t places_add(struct places *p, struct space *space, uint32_t context, uint64_t address, uint64_t time_ns);

/* Names for the places of one module: fills start, size and name, or why, and if known, source
 * and inlined functions of each of wanted[0..count), which are sorted by address; all text, and
 * inlined, live in *names. */
typedef void places_source(const struct module *module, struct place *wanted, size_t count, struct arena *names,
			   void *argument);

/* Ask source for the names of all places, module by module.  As many threads as there are CPUs
 * call source at the same time. */
void places_resolve(struct places *p, const struct modules *modules, places_source *source, void *argument);

void places_free(struct places *p);

#endif
