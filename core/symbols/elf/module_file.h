/* module_file: the ways to the file of a module.  Its path may lead to another file by now (an
 * upgrade), to none (it was removed), or to one of another mount namespace; as long as a process
 * that maps it lives, it can be had from the process:
 *
 *     /proc/PID/root/usr/bin/server            the path, as the process sees it
 *     /usr/bin/server                          as we see it
 *     /proc/PID/map_files/55d4c000-55d4e000    the mapped file itself (CAP_CHECKPOINT_RESTORE)
 *     /proc/PID/exe                            its program (as for ptrace(2))
 *
 * and, before all of them, a descriptor that somebody keeps (collect/recording/kept_files.h).
 *
 * Not covered: a file that was removed or replaced, once no process that was seen to map it
 * lives and nobody keeps it; and one without a build-id that was written over in place. */
#ifndef CORE_SYMBOLS_ELF_MODULE_FILE_H
#define CORE_SYMBOLS_ELF_MODULE_FILE_H

#include <stdbool.h>

#include "core/symbols/space/modules.h"
#include "core/symbols/space/why.h"

enum { MODULE_FILE_WAYS = 8 };

/* Of a module that is elsewhere (modules.h), only the second of these is open to it, and the file must
 * have its build-id: the processes here are others. */

/* Open what the way-th way (from 0) leads to.  Returns a descriptor of a regular file, or -1 with *why. */
int module_file_open(const struct module *module, int way, enum why *why);

/* Is fd, which the way led to, the file that was mapped, as far as its inode can tell?  Only
 * for modules whose id is no build-id. */
bool module_file_is_same(const struct module *module, int way, int fd);

#endif
