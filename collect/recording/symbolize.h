/* symbolize: finds names for all addresses of a recording, on the machine where it was made. */
#ifndef COLLECT_RECORDING_SYMBOLIZE_H
#define COLLECT_RECORDING_SYMBOLIZE_H

#include "collect/recording/capture.h"
#include "collect/recording/kept_files.h"
#include "core/str.h"
#include "core/symbols/jit/jit_files.h"

/* Read the recording at path, whose header and data are complete.  Append the section RECORDING_SYMBOLS, and
 * RECORDING_CODE to code.
 * kept: files still open; jit: what was read about JIT code.  The build-ids of all files with samples go to
 * build_ids (features.h).  Fills *capture, whose max_stack must be set.  Returns 0, or -1 after a message. */
int symbolize(const char *path, struct kept_files *kept, struct jit_files *jit, struct str *section, struct str *code,
	      struct str *build_ids, struct capture *capture);

#endif
