/* process_root: files as seen by a process, which may be in a container: names, and the links
 * on the way, are resolved below its root directory, never below ours. */
#ifndef CORE_SYMBOLS_SPACE_PROCESS_ROOT_H
#define CORE_SYMBOLS_SPACE_PROCESS_ROOT_H

#include <stddef.h>

/* How many bytes at the start of path, which /proc/PID/maps or another file of /proc shows to us, are the root directory of
 * the process: after chroot(2), the process does not see them.  The kernel's records of mappings do not have them. */
size_t process_root_length(int pid, const char *path, size_t len);

/* Open path for reading, below /proc/PID/root, with or without that directory at its start, or as we see it ourselves when pid is 0: a regular file or a
 * directory; devices, pipes and sockets are not even opened.  Returns a descriptor, or -1 with errno. */
int process_root_open(int pid, const char *path);

#endif
