/* io_layers: files of an overlay filesystem (Documentation/filesystems/overlayfs.rst), as a container sees them.  Block
 * I/O goes to a file in one of its layers, which are directories of the host.  The lines of mountinfo name these
 * directories. */
#ifndef COLLECT_IO_IO_LAYERS_H
#define COLLECT_IO_IO_LAYERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

/* A line of /proc/PID/mountinfo (proc_pid_mountinfo(5)):
 *     36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue */
struct mount_line {             /* {0} is empty */
	uint32_t device;        /* as in the kernel: major << 20 | minor */
	struct str root, point; /* the directory of the filesystem that is mounted, and the mount point */
};

/* Read a line of this length into m.  Returns false, with m unchanged, if the line is not that of an overlay. */
bool mount_line_read(const char *line, size_t len, struct mount_line *m);

void mount_line_free(struct mount_line *m);

enum io_layers {
	IO_LAYERS_NONE, /* the file is in none of them */
	IO_LAYERS_FOUND,
	IO_LAYERS_UNKNOWN, /* it may be in a layer that was mounted by a relative path, from an unknown directory */
};

/* Given a file of the host, append the path under which a process sees it whose root directory is an overlay
 * filesystem, if the file's layer is found.  mounts: as in /proc/PID/mountinfo. */
enum io_layers io_layers_path(const char *mounts, const char *path, struct str *out);

#endif
