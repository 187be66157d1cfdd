/* unnamed: how many samples are in functions that have no name because their files are stripped, and what provides the
 * names. */
#ifndef CORE_SYMBOLS_UNNAMED_H
#define CORE_SYMBOLS_UNNAMED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"
#include "core/symbols/space/modules.h"

/* Append one line if samples in functions without a name are at least a twentieth of all samples, and return whether
 * they are.  by_module: [modules->count], the number of such samples, is cleared. */
bool unnamed_line(struct str *out, const struct modules *modules, uint64_t *by_module, uint64_t all);

/* Append "liblzma5-dbgsym" to packages[i], which is empty, for paths[i], a file of Debian's package liblzma5
 * (/var/lib/dpkg/info/PACKAGE.list has its files); nothing if no installed package has a file with that path.  Reads
 * some 10 MB. */
void debug_packages_find(const char *const *paths, size_t count, struct str *packages);

#endif
