/* picture_input: pictures as inputs: pyrograph render folded turns those that we drew back into lines. */
#ifndef COLLAPSE_PICTURE_INPUT_H
#define COLLAPSE_PICTURE_INPUT_H

#include <sys/types.h>

#include "collapse/input/input.h"

/* Put the lines of the picture at path in the place of in, which is closed; path "-" is standard input that was read
 * already, and is not possible.  *child is the process that makes them.  Returns 0, or -1 after a message. */
int picture_open(struct input_stream *in, const char *path, pid_t *child);

/* Wait for the process.  Returns 0, or -1 if it failed, after its message. */
int picture_close(pid_t child);

#endif
