/* foreign_records: leaves out names, mappings, forks and exits of processes that are not recorded, which events of a
 * CPU report, too. */
#ifndef COLLECT_SAMPLING_FOREIGN_RECORDS_H
#define COLLECT_SAMPLING_FOREIGN_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is any record in [from, to) about a process, but no sample?  The ring has size bytes, a power of two; a record begins
 * at `from`. */
bool foreign_records_possible(const unsigned char *ring, size_t size, uint64_t from, uint64_t to);

/* Move the records in bytes[0..len) together that are samples, are about a thread for which is_target() is true, or
 * are about no process.  A fork of a target is kept.  Returns their bytes. */
size_t foreign_records_drop(unsigned char *bytes, size_t len, bool (*is_target)(uint32_t tid));

#endif
