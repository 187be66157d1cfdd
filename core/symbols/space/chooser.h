/* chooser: picks the symbol for each wanted place from a table in any order:
 * the one that covers it, else a label without a size before it.
 *
 * If several cover a place, the one that starts last wins; if several start there,
 * perf's order decides (tools/perf/util/symbol.c, choose_best_symbol): a symbol
 * with a size, not weak, global, fewer leading underscores, the longer name. */
#ifndef CORE_SYMBOLS_SPACE_CHOOSER_H
#define CORE_SYMBOLS_SPACE_CHOOSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/symbols/space/places.h"

struct symbol {
	uint64_t start, size; /* size 0: extends to the next symbol */
	const char *name;     /* must stay until chooser_finish(); NULL: not code, names nothing */
	size_t name_len;      /* 0: the name ends with NUL */
	bool weak, local;
};

struct chooser {
	struct place *wanted; /* [count], sorted by address */
	size_t count;
	struct symbol *covering, *before; /* [count]: the best symbol so far; start > address: none yet */
	uint32_t *buckets;                /* first wanted place of each slice of addresses */
	unsigned shift;
};

/* wanted stays the caller's, and must outlive c. */
void chooser_init(struct chooser *c, struct place *wanted, size_t count);

/* Consider one symbol. */
void chooser_offer(struct chooser *c, const struct symbol *s);

/* Write the chosen symbols into the places, with names copied to *names; frees c. */
void chooser_finish(struct chooser *c, struct arena *names);

#endif
