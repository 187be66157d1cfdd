/* jitdump: reads jit-PID.dump, in which JIT compilers write each piece of code that they make,
 * with its name and the time (linux/tools/perf/Documentation/jitdump-specification.txt).
 *
 *     header | load | load | debug info, load | move | unwinding info, load | ... close
 *
 * A compiler tells profilers where the file is by mapping it executable.  The code itself is
 * not read: its offset in the file is what addresses of the module are (jit_code.h). */
#ifndef CORE_SYMBOLS_JIT_JITDUMP_H
#define CORE_SYMBOLS_JIT_JITDUMP_H

#include <stdbool.h>
#include <stdint.h>

#include "core/patience.h"
#include "core/symbols/jit/jit_code.h"

/* How far a dump was read.  {0}: not yet. */
struct jitdump {
	uint64_t at;               /* in the file: the next record */
	uint64_t last_ns;          /* of the last record that made sense */
	uint64_t stuck_size;       /* so long was the file when no record was found in it */
	bool begun, swapped;
	bool cut;                  /* at the last call, a record was there in part */
	uint64_t unread;           /* bytes of the file, after the last call, for which there was no time or room */
	const char *refused;       /* why the whole of it cannot be used, in a few words */
	uint64_t lines_at, unwinding_at; /* records that are about the next load; 0: none */
	uint32_t lines_size, unwinding_size;
};

/* Read what the file has got since the last call.  A record that makes no sense is counted and
 * passed over; one that is not all there yet is left to the next call; if that was the last
 * one, and nothing follows, the dump is cut.  Returns false when the patience was
 * over before the end: the next call goes on. */
bool jitdump_read(struct jitdump *d, int fd, bool last, const struct patience *patience, struct jit_code *code);

#endif
