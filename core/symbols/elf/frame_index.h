/* frame_index: where functions begin, by the index of a file's unwind table (.eh_frame_hdr; LSB 5.0, 10.6.2), which
 * stripped files keep. */
#ifndef CORE_SYMBOLS_ELF_FRAME_INDEX_H
#define CORE_SYMBOLS_ELF_FRAME_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "core/symbols/elf/elf_file.h"

/* The start of the function with tables that begins at or before an address, as in the file's tables, and of the next
 * one (UINT64_MAX: there is none).  Returns false if there is no such function. */
bool frame_index_find(const struct elf_file *file, uint64_t address, uint64_t *start, uint64_t *next);

#endif
