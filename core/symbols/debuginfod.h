/* debuginfod: debug files from a server, when DEBUGINFOD_URLS says which; through libdw, which
 * keeps what it got in a cache (debuginfod_find_debuginfo(3)). */
#ifndef CORE_SYMBOLS_DEBUGINFOD_H
#define CORE_SYMBOLS_DEBUGINFOD_H

#include "core/symbols/elf_file.h"

/* Ask for the debug file of an ELF file that has a build-id; name is shown on a terminal
 * meanwhile.  Once it took long for nothing, no more is asked in this run.  Returns a
 * descriptor, or -1; nobody has looked into the file yet. */
int debuginfod_open(const struct elf_file *file, const char *name);

#endif
