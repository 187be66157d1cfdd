/* debuginfod: debug files from a server, when DEBUGINFOD_URLS says which; by libdebuginfod, if
 * it is installed, which keeps what it got in a cache (debuginfod_find_debuginfo(3)). */
#ifndef CORE_SYMBOLS_ELF_DEBUGINFOD_H
#define CORE_SYMBOLS_ELF_DEBUGINFOD_H

/* Ask for the debug file of a build-id (hex); name is shown on a terminal meanwhile.  Once a
 * server has sent nothing for 20 seconds (DEBUGINFOD_TIMEOUT), or a signal that should end the
 * program waits, no more is asked in this run; that, and the first failure, is told.  Returns a
 * descriptor, or -1; nobody has looked into the file yet. */
int debuginfod_open(const char *build_id, const char *name);

#endif
