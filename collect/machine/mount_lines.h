/* mount_lines: lines of /proc/PID/mountinfo (proc_pid_mountinfo(5)):
 *     36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue */
#ifndef COLLECT_MACHINE_MOUNT_LINES_H
#define COLLECT_MACHINE_MOUNT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

struct mount_line {             /* {0} is empty */
	uint32_t device;        /* as in the kernel: major << 20 | minor */
	struct str root, point; /* the directory of the filesystem that is mounted, and the mount point */
};

/* Read a line of this length; what m had is replaced.  Returns false, with m as it was, if it is none. */
bool mount_line_read(const char *line, size_t len, struct mount_line *m);

void mount_line_free(struct mount_line *m);

/* Append a field, in which \040 stands for a blank. */
void mount_add_field(const char *text, size_t len, struct str *out);

#endif
