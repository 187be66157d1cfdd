/* kallsyms: the running kernel's symbols, modules and BPF programs included. */
#ifndef CORE_SYMBOLS_KALLSYMS_H
#define CORE_SYMBOLS_KALLSYMS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/symbols/space/chooser.h"
#include "core/symbols/space/places.h"

struct kallsyms {
	char *text; /* of /proc/kallsyms: "ffffffff81000000 T _stext\n..." */
	size_t len;
};

/* Read the text (5 MB, takes 50 ms), stopping early when *unwanted becomes true; unwanted may be NULL.  Returns 0, or
 * -1 without a message. */
int kallsyms_read(struct kallsyms *k, const atomic_bool *unwanted);

/* Does the text show addresses?  kptr_restrict makes all of them 0. */
bool kallsyms_visible(const struct kallsyms *k);

/* Why the text shows no addresses, and what to do: a sentence for a message, valid until the next call. */
const char *kallsyms_obstacle(void);

/* The address of a symbol; reads kallsyms only up to that symbol.  0 when it is missing or hidden (kptr_restrict),
 * or nothing can be read. */
uint64_t kallsyms_look_up(const char *name);

/* Name wanted[0..count), sorted by address; the names go into *names. */
void kallsyms_resolve(const struct kallsyms *k, struct place *wanted, size_t count, struct arena *names);

/* A line: "ffffffff81000000 T name[\t[module]]" */
struct kallsyms_line {
	uint64_t address;
	char type;        /* '\0': it is not such a line */
	const char *name; /* [name_len], in the text */
	size_t name_len;
};

/* Read the line at *p, in a text that ends with NUL, and move *p to the next.  Returns false at the end. */
bool kallsyms_next(const char **p, struct kallsyms_line *line);

/* The symbol in a line; without a name if it is not a symbol of code. */
struct symbol kallsyms_symbol(const struct kallsyms_line *line);

void kallsyms_free(struct kallsyms *k);

#endif
