/* debug_file: the separate file with the parts that were stripped from a module: .symtab and debug information.
 * Searched in the order of gdb ("Separate Debug Files" in its manual):
 *
 *     /usr/lib/debug/.build-id/1a/2b3c.debug         1a2b3c is the build-id of both
 *     DIRECTORY/NAME, DIRECTORY/.debug/NAME,         NAME from .gnu_debuglink, which also has
 *     /usr/lib/debug/DIRECTORY/NAME                  the CRC of its bytes
 *     a debuginfod server                            if DEBUGINFOD_URLS names one
 *
 * each file first as the process sees it (in its container), then as we do. */
#ifndef CORE_SYMBOLS_ELF_DEBUG_FILE_H
#define CORE_SYMBOLS_ELF_DEBUG_FILE_H

#include "core/symbols/elf/elf_file.h"
#include "core/symbols/space/modules.h"

/* Open the debug file of module, whose own file is main, as debug; close it with elf_file_close().
 * Returns 0, or -1 if there is none, with a warning if one exists but is unusable.  It may lack
 * segments: use those of main. */
int debug_file_open(struct elf_file *debug, const struct module *module, const struct elf_file *main);

#endif
