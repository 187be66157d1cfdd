/* process_root: files as seen by a process, which may be in a container: names, and the links
 * on the way, are resolved below its root directory, never below ours. */
#ifndef CORE_SYMBOLS_SPACE_PROCESS_ROOT_H
#define CORE_SYMBOLS_SPACE_PROCESS_ROOT_H

/* Open path for reading, below /proc/PID/root, or as we see it ourselves when pid is 0: a regular file or a
 * directory; devices, pipes and sockets are not even opened.  Returns a descriptor, or -1 with errno. */
int process_root_open(int pid, const char *path);

#endif
