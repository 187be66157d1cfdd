/* jitdump: reads jit-PID.dump, to which JIT compilers write each piece of code that they generate,
 * with its name and the time (linux/tools/perf/Documentation/jitdump-specification.txt).
 *
 *     header | load | load | debug info, load | move | unwinding info, load | ... close
 *
 * A compiler shows profilers where the file is by mapping it executable.  The code itself is
 * not read: addresses of the module are offsets of the code in the file (jit_code.h). */
#ifndef CORE_SYMBOLS_JIT_JITDUMP_H
#define CORE_SYMBOLS_JIT_JITDUMP_H

#include <stdbool.h>
#include <stdint.h>

#include "core/patience.h"
#include "core/symbols/jit/jit_code.h"

/* How far a dump has been read.  {0}: the start. */
struct jitdump {
	uint64_t at;         /* offset in the file of the next record */
	uint64_t last_ns;    /* time of the last valid record */
	uint64_t stuck_size; /* size of the file when no further record was found */
	bool begun, swapped;
	bool cut;                        /* the last call found a partial record */
	uint64_t unread;                 /* bytes left after the last call, for lack of time or room */
	const char *refused;             /* why the whole file cannot be used, in a few words */
	uint64_t lines_at, unwinding_at; /* offsets of records that are about the next load; 0: none */
	uint32_t lines_size, unwinding_size;
};

/* Read what was added since the last call.  An invalid record is counted and skipped.  An incomplete one is left to
 * the next call; if there is no next call (last), the dump counts as cut.  Returns false if the patience ended
 * before the file: the next call goes on. */
bool jitdump_read(struct jitdump *d, int fd, bool last, const struct patience *patience, struct jit_code *code);

#endif
