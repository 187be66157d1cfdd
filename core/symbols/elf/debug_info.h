/* debug_info: source lines and inlined functions from DWARF (dwarfstd.org, versions 3 to 5, and 2
 * if units give the addresses of all their code; by libdw). */
#ifndef CORE_SYMBOLS_ELF_DEBUG_INFO_H
#define CORE_SYMBOLS_ELF_DEBUG_INFO_H

#include <stdbool.h>
#include <stddef.h>

#include "core/arena.h"
#include "core/symbols/space/modules.h"
#include "core/symbols/space/places.h"

/* Fill inlined of wanted[0..count), sorted by address, from the debug information of the module's file or of its
 * separate debug file; with lines, also file and line, of inlined functions, too: this takes about twice as long.  A
 * place that has no name yet gets that of its function.  A file without debug information changes nothing.
 * All text, and inlined, live in *names.  Returns 0, or -1 when the information is damaged: what could be read is
 * filled in. */
int debug_info_resolve(const struct module *module, bool lines, struct place *wanted, size_t count,
		       struct arena *names);

#endif
