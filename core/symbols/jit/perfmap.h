/* perfmap: names of JIT-compiled code from /tmp/perf-PID.map, the text file
 * that JIT compilers write for profilers: "START SIZE NAME", hexadecimal
 * (linux/tools/perf/Documentation/jit-interface.txt).
 *
 * It has no times.  A compiler adds to it whenever it makes code, where other code was before
 * perhaps; who reads it again and again knows about when.  Some write it anew now and then.
 *
 * The process decides how much there is: a large map is read bit by bit, and not without end. */
#ifndef CORE_SYMBOLS_JIT_PERFMAP_H
#define CORE_SYMBOLS_JIT_PERFMAP_H

#include <stdint.h>

#include "core/patience.h"
#include "core/symbols/jit/jit_code.h"

/* How far a map was read.  {0}: not yet. */
struct perfmap {
	uint64_t at;        /* in the file: the next line */
	uint64_t looked_ns; /* when all was read that was there */
	uint64_t look_ns;   /* the look that goes on began then; 0: none does */
	uint64_t look_end;  /* so long was the file */
	uint64_t taken;     /* bytes read: holes are none */
	uint64_t unread;    /* bytes of it, after the last call */
	bool in_hole;       /* before at, there is none of a line; counted */
	char tail[64];      /* what is before at */
};

/* Read what the map has got since the last look, which is there at now_ns (above 0), or all of
 * it again where it was written anew.  What comes with a later look is code made since the one
 * before; of one look, the last line wins.  Lines that make no sense are counted, and holes.  Returns
 * false when the patience was over before the end: the next call goes on. */
bool perfmap_read(struct perfmap *m, int fd, uint64_t now_ns, const struct patience *patience, struct jit_code *code);

#endif
