/* cfi_check: is call frame information safe for libdw?  It allocates memory for every register up to
 * the highest that an entry names, and again for each remembered state (libdw/cfi.c in elfutils; up to
 * 0.188 at least): 100 bytes can demand gigabytes.
 *
 * Not covered: compressed .debug_frame, and an .eh_frame_hdr that leads libdw to something that is not
 * an entry, which does not happen by chance. */
#ifndef CORE_UNWIND_CFI_CHECK_H
#define CORE_UNWIND_CFI_CHECK_H

#include <libelf.h>
#include <stdbool.h>

/* Do all entries of an .eh_frame (or .debug_frame) need little memory?  ident: e_ident of the file. */
bool cfi_is_modest(Elf_Data *data, const unsigned char *ident, bool eh_frame);

#endif
