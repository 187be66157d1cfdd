/* perfmap: names of JIT-compiled code from /tmp/perf-PID.map, the text file
 * that JIT compilers write for profilers: "START SIZE NAME", hexadecimal
 * (linux/tools/perf/Documentation/jit-interface.txt).
 *
 * It has no times.  A compiler adds to it whenever it makes code, where other code was before
 * perhaps; who reads it again and again knows about when.  Some write it anew now and then. */
#ifndef CORE_SYMBOLS_PERFMAP_H
#define CORE_SYMBOLS_PERFMAP_H

#include <stdint.h>

#include "core/symbols/jit_code.h"

/* How far a map was read.  {0}: not yet. */
struct perfmap {
	uint64_t at;        /* in the file: the next line */
	uint64_t looked_ns; /* when it was read last */
	char tail[64];      /* what is before at */
};

/* Read what the map has got since the last call, which is there at now_ns (above 0), or all of
 * it again where it was written anew.  What comes with a later call is code made since the one
 * before; of one call, the last line wins.  Lines that make no sense are counted. */
void perfmap_read(struct perfmap *m, int fd, uint64_t now_ns, struct jit_code *code);

#endif
