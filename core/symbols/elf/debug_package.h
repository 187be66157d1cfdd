/* debug_package: what gives a file of the distribution its names: the package with its debug symbols, and the
 * distribution's debuginfod server. */
#ifndef CORE_SYMBOLS_ELF_DEBUG_PACKAGE_H
#define CORE_SYMBOLS_ELF_DEBUG_PACKAGE_H

#include <stddef.h>

#include "core/str.h"

/* Append "liblzma5-dbgsym" to packages[i], which is empty, for paths[i], a file of Debian's package liblzma5
 * (/var/lib/dpkg/info/PACKAGE.list has its files); nothing if no installed package has a file with that path.  Reads
 * some 10 MB. */
void debug_packages_find(const char *const *paths, size_t count, struct str *packages);

/* The value for DEBUGINFOD_URLS here, by /etc/os-release. */
const char *debug_package_server(void);

#endif
