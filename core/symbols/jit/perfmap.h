/* perfmap: names of JIT-compiled code from /tmp/perf-PID.map, the text file
 * that JIT compilers write for profilers: "START SIZE NAME", hexadecimal
 * (linux/tools/perf/Documentation/jit-interface.txt).
 *
 * It has no times.  A compiler appends to it whenever it generates code, possibly at an address
 * that was used before; reading it repeatedly shows roughly when that was.  Some compilers rewrite it now and then.
 *
 * The process decides how large it is: a large map is read in parts, up to a limit. */
#ifndef CORE_SYMBOLS_JIT_PERFMAP_H
#define CORE_SYMBOLS_JIT_PERFMAP_H

#include <stdint.h>

#include "core/patience.h"
#include "core/symbols/jit/jit_code.h"

/* How far a map has been read.  {0}: the start. */
struct perfmap {
	uint64_t at;        /* offset in the file of the next line */
	uint64_t looked_ns; /* when the last look was complete */
	uint64_t look_ns;   /* start of the ongoing look; 0: none */
	uint64_t look_end;  /* size of the file at that time */
	uint64_t taken;     /* bytes read, without holes */
	uint64_t unread;    /* bytes of the file not read after the last call */
	bool in_hole;       /* there is a hole before at, which was counted */
	char tail[64];      /* the bytes before at */
};

/* Read what was added to the map since the last look, as of now_ns (above 0), or all of it if it was rewritten.
 * Code seen first in a later look was made since the look before; within a look, the last line of an address wins.
 * Invalid lines and holes are counted.  Returns false if the patience ended before the file: the next call goes
 * on. */
bool perfmap_read(struct perfmap *m, int fd, uint64_t now_ns, const struct patience *patience, struct jit_code *code);

#endif
