/* debug_file: the separate file that has what was stripped from a module's: .symtab, and the
 * debug information.  Looked for as gdb does ("Separate Debug Files" in its manual):
 *
 *     /usr/lib/debug/.build-id/1a/2b3c.debug         1a2b3c is the build-id of both
 *     DIRECTORY/NAME, DIRECTORY/.debug/NAME,         NAME from .gnu_debuglink, where the CRC of
 *     /usr/lib/debug/DIRECTORY/NAME                  its bytes stands, too
 *     a debuginfod server                            when DEBUGINFOD_URLS says which
 *
 * each of the files first as the process sees it (its container's), then as we do. */
#ifndef CORE_SYMBOLS_ELF_DEBUG_FILE_H
#define CORE_SYMBOLS_ELF_DEBUG_FILE_H

#include "core/symbols/elf/elf_file.h"
#include "core/symbols/space/modules.h"

/* Open the debug file of module, whose own file is main, as debug.  Returns 0, or -1: there is
 * none; a file that is there and could not be used is told of.  To be closed by elf_file_close().  Its segments may be missing: take those of main. */
int debug_file_open(struct elf_file *debug, const struct module *module, const struct elf_file *main);

#endif
