/* debug_units: which units of debug information may have code at wanted addresses, by .debug_aranges (DWARF 5, 6.1.2).  A
 * large library has thousands of units, and looking into each for its addresses takes longer than reading those that are
 * needed. */
#ifndef CORE_SYMBOLS_ELF_DEBUG_UNITS_H
#define CORE_SYMBOLS_ELF_DEBUG_UNITS_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct debug_unit {
	uint64_t offset; /* in .debug_info */
	bool wanted;
};

/* {0} is valid and empty: all units may have such code. */
struct debug_units {
	struct debug_unit *items; /* [count], by offset: the units whose addresses are listed */
	size_t count, cap;
};

/* Read the lists of elf; addresses[0..count) are sorted. */
void debug_units_read(struct debug_units *u, Elf *elf, const uint64_t *addresses, size_t count);

/* May the unit at an offset have code at one of these addresses?  Yes, too, if its addresses are not listed: not all compilers
 * do that. */
bool debug_units_may_have(const struct debug_units *u, uint64_t offset);

void debug_units_free(struct debug_units *u);

#endif
