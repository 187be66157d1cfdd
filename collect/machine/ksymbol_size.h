/* ksymbol_size: repairs KSYMBOL records.
 *
 * Where several recorders listen, the kernel adds the trailer's size to the record's size once for each of them
 * (kernel/events/core.c, perf_event_ksymbol_output(), as of 6.18; other functions restore it).  The trailer follows the
 * name, and then come unwritten bytes.  Readers look for the trailer at the end of the record, and find a random time
 * there. */
#ifndef COLLECT_MACHINE_KSYMBOL_SIZE_H
#define COLLECT_MACHINE_KSYMBOL_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Are the KSYMBOL records in [from, to) correct?  The ring has size bytes, a power of two; a record begins at
 * `from`. */
bool ksymbols_are_right(const unsigned char *ring, size_t size, uint64_t from, uint64_t to);

/* Repair the KSYMBOL records in bytes[0..len): move the trailer to the end, pad the name with NULs. */
void ksymbols_mend(unsigned char *bytes, size_t len);

#endif
