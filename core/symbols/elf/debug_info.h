/* debug_info: source lines, and the functions that were compiled into others, from DWARF
 * (dwarfstd.org, versions 3 to 5, and 2 where units say where all of their code is; by libdw). */
#ifndef CORE_SYMBOLS_ELF_DEBUG_INFO_H
#define CORE_SYMBOLS_ELF_DEBUG_INFO_H

#include <stddef.h>

#include "core/arena.h"
#include "core/symbols/space/modules.h"
#include "core/symbols/space/places.h"

/* Fill file, line and inlined of wanted[0..count), sorted by address, from the debug
 * information of the module's file or of its separate debug file.  A place that has no name
 * yet gets that of its function.  A file without debug information leaves them as they are.
 * All text, and inlined, live in *names.  Returns 0, or -1 when it is damaged: then what could
 * be read is there. */
int debug_info_resolve(const struct module *module, struct place *wanted, size_t count,
		       struct arena *names);

#endif
