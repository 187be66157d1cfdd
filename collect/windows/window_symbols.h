/* window_symbols: where a function is in an ELF file, by its name. */
#ifndef COLLECT_WINDOWS_WINDOW_SYMBOLS_H
#define COLLECT_WINDOWS_WINDOW_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

enum { WINDOW_OFFSETS_MAX = 32 };

/* Find the functions of the file fd, which is closed, called name: as in its symbol tables, or as in the source without
 * parameters, so that there may be several.  If there are none, a compiler's specialised copies ("name.isra.0") will do.
 * Returns how many there are, of which the first WINDOW_OFFSETS_MAX are in offsets, offsets in the file. *meant: a similar
 * name, if there are none. */
size_t window_symbols_find(int fd, const char *name, uint64_t offsets[WINDOW_OFFSETS_MAX], struct str *meant);

#endif
