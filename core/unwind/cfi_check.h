/* cfi_check: call frame information that is fit to be given to libdw, which takes memory for every
 * register up to the highest that an entry names, and all of that again for each state that is to be
 * remembered (libdw/cfi.c in elfutils; up to 0.188 at least): 100 bytes can ask for gigabytes.
 *
 * Not covered: packed .debug_frame, and an .eh_frame_hdr that leads libdw to what is no entry, which
 * does not come about by chance. */
#ifndef CORE_UNWIND_CFI_CHECK_H
#define CORE_UNWIND_CFI_CHECK_H

#include <libelf.h>
#include <stdbool.h>

/* Does no entry of an .eh_frame (or .debug_frame) ask for much?  ident: e_ident of its file. */
bool cfi_is_modest(Elf_Data *data, const unsigned char *ident, bool eh_frame);

#endif
