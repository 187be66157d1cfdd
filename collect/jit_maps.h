/* jit_maps: holds the perf-PID.map of each process that runs JIT-compiled code.
 *
 * The file may vanish with the process, or with its container.  Once it is open
 * it stays readable, so it is opened while the process lives. */
#ifndef COLLECT_JIT_MAPS_H
#define COLLECT_JIT_MAPS_H

#include <stddef.h>
#include <stdint.h>

/* {0} is valid and empty. */
struct jit_maps {
	struct jit_map {
		int pid, fd; /* fd -1: no map yet */
	} *items;
	size_t count, cap;
	uint64_t seen;       /* bytes of the recording looked at so far */
};

/* Look at what the recording at path has got since the last call, for processes
 * with executable memory that no file backs; open their maps, and those that were
 * not there before.  size: of the file's whole records.  Call once a second. */
void jit_maps_update(struct jit_maps *j, const char *path, uint64_t size);

/* The map of a process, at its beginning, or -1; it stays j's. */
int jit_maps_find(const struct jit_maps *j, int pid);

void jit_maps_free(struct jit_maps *j);

#endif
