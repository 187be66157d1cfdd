/* ksymbol_size: KSYMBOL records as they should be.
 *
 * Where several recorders listen, the kernel adds the size of the trailer to that of the record once for each
 * (kernel/events/core.c, perf_event_ksymbol_output(), as of 6.18; others put it back).  The trailer is behind the name, and
 * bytes that nobody has written are behind the trailer, where readers look for it: they find any time there. */
#ifndef COLLECT_MACHINE_KSYMBOL_SIZE_H
#define COLLECT_MACHINE_KSYMBOL_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of [from, to) of a ring of size bytes, a power of two; from is where a record begins. */
bool ksymbols_are_right(const unsigned char *ring, size_t size, uint64_t from, uint64_t to);

/* Mend those in bytes[0..len): the trailer goes to the end, the name gets so many more NULs. */
void ksymbols_mend(unsigned char *bytes, size_t len);

#endif
