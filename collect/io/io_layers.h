/* io_layers: files of an overlay filesystem (Documentation/filesystems/overlayfs.rst), as a container sees them.  Block I/O
 * goes to the file in one of its layers, which are directories of the host. */
#ifndef COLLECT_IO_IO_LAYERS_H
#define COLLECT_IO_IO_LAYERS_H

#include "core/str.h"

enum io_layers {
	IO_LAYERS_NONE, /* the file is in none of them */
	IO_LAYERS_FOUND,
	IO_LAYERS_UNKNOWN, /* it may be in one that was mounted by a relative path, from who knows where */
};

/* Append the path of a file of the host, as a process sees it whose root directory is an overlay filesystem, if its layer is
 * found.  mounts: as in /proc/PID/mountinfo. */
enum io_layers io_layers_path(const char *mounts, const char *path, struct str *out);

#endif
