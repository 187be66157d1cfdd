/* procfs: small readers of /proc and /sys. */
#ifndef COLLECT_MACHINE_PROCFS_H
#define COLLECT_MACHINE_PROCFS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/str.h"

/* What is missing in /proc so that nothing can be recorded; NULL: nothing. */
const char *proc_obstacle(void);

/* Append the file's content.  Returns 0 or an errno; prints nothing, since processes vanish while we look. */
int read_whole(const char *path, struct str *out);

/* Append the content of /proc/PID/FILE, like read_whole(). */
int read_process(pid_t pid, const char *file, struct str *out);

/* The value of a sysctl such as "kernel/perf_event_paranoid".  Returns fallback if there is no such sysctl. */
int64_t read_sysctl(const char *name, int64_t fallback);

/* The numbers in a directory: processes in /proc, threads of a process.  {0} is empty. */
struct pids {
	pid_t *list;
	size_t count, cap;
};

/* Append the numbers found in directory.  Returns 0 or an errno. */
int pids_read(struct pids *pids, const char *directory);
int pids_read_threads(struct pids *pids, pid_t pid);

void pids_add(struct pids *pids, pid_t pid);
void pids_free(struct pids *pids);

/* The name of a thread (15 bytes at most, any bytes but NUL) without the newline
 * after it.  Returns false if the thread is gone. */
bool read_comm(pid_t pid, pid_t tid, struct str *out);

/* Read a process's state, as ps(1) prints it, and its parent (0: none).  Returns false if the process has ended. */
bool read_stat(pid_t pid, char *state, pid_t *parent);

#endif
