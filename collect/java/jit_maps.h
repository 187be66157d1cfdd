/* jit_maps: reads what JIT compilers say of their code, while it is being recorded.
 *
 * The maps may vanish with the process, or with its container: so they are opened while it
 * lives.  And they are read every second, since code is replaced by other code: a perf map
 * does not say when, so it is known to a second. */
#ifndef COLLECT_JAVA_JIT_MAPS_H
#define COLLECT_JAVA_JIT_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/recording/new_records.h"
#include "core/symbols/jit/jit_files.h"

enum { JIT_BIRTHS = 4096 };

/* {0} is valid and empty. */
struct jit_maps {
	struct jit_files files;
	struct jit_birth {
		int pid;
		uint64_t ns;
	} *births; /* [JIT_BIRTHS], by the last bits of the pid: processes forked lately */
	struct new_records records;
};

/* Look at what the recording at path has got since the last call, for processes
 * with executable memory that no file backs, and for jitdumps; read what their maps and dumps
 * have got.  size: of the file's whole records.  Call once a second, and at the end (last). */
void jit_maps_update(struct jit_maps *j, const char *path, uint64_t size, bool last);

void jit_maps_free(struct jit_maps *j);

#endif
