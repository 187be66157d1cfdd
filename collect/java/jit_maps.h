/* jit_maps: reads perf maps and jitdumps of JIT compilers during the recording.
 *
 * The maps may vanish with the process or its container, so they are opened while the process lives.  They are read
 * every second, since code is replaced by other code: a perf map does not say when, but this way the time is known to
 * within a second. */
#ifndef COLLECT_JAVA_JIT_MAPS_H
#define COLLECT_JAVA_JIT_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/recording/living.h"
#include "collect/recording/records.h"
#include "core/symbols/jit/jit_files.h"

enum { JIT_BIRTHS = 4096 };

/* {0} is valid and empty. */
struct jit_maps {
	struct jit_files files;
	struct jit_birth {
		int pid;
		uint64_t ns;
	} * births; /* [JIT_BIRTHS] recently forked processes, by the last bits of the pid */
	struct new_records records;
};

/* Search what was appended to the recording at path since the last call for jitdumps and for processes with executable
 * memory that no file backs; then read what was added to their maps and dumps. size: the bytes of whole records in the
 * file. Call once a second, and at the end (last). */
void jit_maps_update(struct jit_maps *j, const char *path, uint64_t size, bool last);

/* Forget the maps of processes that nothing refers to any more. */
void jit_maps_forget(struct jit_maps *j, const struct living *living);

void jit_maps_free(struct jit_maps *j);

#endif
