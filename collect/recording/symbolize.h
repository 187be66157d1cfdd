/* symbolize: names for every address in a recording, found where it was taken. */
#ifndef COLLECT_RECORDING_SYMBOLIZE_H
#define COLLECT_RECORDING_SYMBOLIZE_H

#include <stdint.h>

#include "collect/recording/capture.h"
#include "collect/recording/kept_files.h"
#include "core/str.h"
#include "core/symbols/jit/jit_files.h"

/* Read the recording at path (its header and data are in place) and append the section
 * RECORDING_SYMBOLS, and to *code RECORDING_CODE; kept has files that are still open, jit what was
 * read of JIT code; the build-ids of all files with samples go to build_ids (features.h);
 * *capture, of which max_stack was set, is filled.  Returns 0, or -1 after a message. */
int symbolize(const char *path, struct kept_files *kept, struct jit_files *jit, struct str *section,
	      struct str *code, struct str *build_ids, struct capture *capture);

#endif
