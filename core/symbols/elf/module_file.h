/* module_file: the ways to the file of a module.  Its path may now lead to another file (after an
 * upgrade), to none (it was removed), or be in another mount namespace; as long as a process that
 * maps it lives, the process gives access:
 *
 *     /proc/PID/root/usr/bin/server            the path, as the process sees it
 *     /usr/bin/server                          as we see it
 *     /proc/PID/map_files/55d4c000-55d4e000    the mapped file itself (CAP_CHECKPOINT_RESTORE)
 *     /proc/PID/exe                            its program (as for ptrace(2))
 *
 * and, before all of them, a descriptor that was kept (collect/recording/kept_files.h).
 *
 * Not covered: a file that was removed or replaced, after all processes seen to map it have
 * ended, and not kept; and one without a build-id that was overwritten in place. */
#ifndef CORE_SYMBOLS_ELF_MODULE_FILE_H
#define CORE_SYMBOLS_ELF_MODULE_FILE_H

#include <stdbool.h>

#include "core/symbols/space/modules.h"
#include "core/symbols/space/why.h"

enum { MODULE_FILE_WAYS = 8 };

/* For a module that is elsewhere (modules.h), only the second way is used, and the file must have the module's
 * build-id: the processes on this machine are others. */

/* Open the file by one of the ways, numbered from 0.  Returns a descriptor of a regular file that is neither empty nor
 * larger than any file of code, or -1 with *why. */
int module_file_open(const struct module *module, int way, enum why *why);

/* Is fd, which was opened by this way, the file that was mapped, judging by its inode?  Only for modules
 * whose id is not a build-id. */
bool module_file_is_same(const struct module *module, int way, int fd);

#endif
