/* loaded_files: the ELF files that a process runs code of, by /proc/PID/maps (proc(5)). */
#ifndef COLLECT_BINDINGS_LOADED_FILES_H
#define COLLECT_BINDINGS_LOADED_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

struct loaded_file {
	uint64_t start, end; /* the memory of its mappings, which follow each other; start is that of its ELF header */
	const char *path;    /* as the process sees it */
};

struct loaded_files {
	struct loaded_file *items; /* [count], ascending */
	size_t count, cap;
	struct str maps; /* owns the paths */
};

/* Read them.  Returns 0 or an errno. */
int loaded_files_read(struct loaded_files *files, int pid);

void loaded_files_free(struct loaded_files *files);

#endif
