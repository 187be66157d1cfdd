/* io_layers: files of an overlay filesystem (Documentation/filesystems/overlayfs.rst), as a container sees them.  Block I/O
 * goes to the file in one of its layers, which are directories of the host. */
#ifndef COLLECT_IO_IO_LAYERS_H
#define COLLECT_IO_IO_LAYERS_H

#include <stdbool.h>

#include "core/str.h"

/* Append the path of a file of the host, as a process sees it whose root directory is an overlay filesystem.  mounts: as in
 * /proc/PID/mountinfo.  Returns false, with nothing appended, if it is in none of the layers. */
bool io_layers_path(const char *mounts, const char *path, struct str *out);

#endif
