/* debuginfod: debug files from the servers in DEBUGINFOD_URLS, by libdebuginfod, if it is
 * installed, which caches them (debuginfod_find_debuginfo(3)). */
#ifndef CORE_SYMBOLS_ELF_DEBUGINFOD_H
#define CORE_SYMBOLS_ELF_DEBUGINFOD_H

/* Ask for the debug file of a build-id (hex); name is shown on a terminal meanwhile.  Once a
 * server has sent nothing for 20 seconds (DEBUGINFOD_TIMEOUT), or a signal that ends the program
 * is pending, no server is asked again in this run.  We warn about that, and about the first
 * failure.  Returns a descriptor of the unchecked file, or -1. */
int debuginfod_open(const char *build_id, const char *name);

#endif
