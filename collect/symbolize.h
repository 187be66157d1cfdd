/* symbolize: names for every address in a recording, found where it was taken. */
#ifndef COLLECT_SYMBOLIZE_H
#define COLLECT_SYMBOLIZE_H

#include <stdint.h>

#include "core/str.h"

/* Read the recording at path (its header and data are in place) and append the
 * section RECORDING_SYMBOLS; counts go to losses[], by enum recording_loss.
 * Returns 0, or -1 after a message. */
int symbolize(const char *path, struct str *section, uint64_t losses[]);

#endif
