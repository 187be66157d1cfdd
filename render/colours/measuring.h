/* measuring: frames of measuring itself, rather than of what is measured: BPF programs, perf events and uprobes in the
 * kernel, and the process of our recorder.  known.js knows the same names. */
#ifndef RENDER_MEASURING_H
#define RENDER_MEASURING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "render/profile/profile.h"
#include "render/profile/tree.h"

enum { MEASURING_RGB = 0xb9b4d2 };

/* Is name, annotation included, such a frame? */
bool measuring_is(const char *name, size_t len);

/* [name] whether it is such a frame's; the caller frees it. */
bool *measuring_names(const struct profile *p);

/* The value of all stacks with such a frame, of frame root and those below it. */
uint64_t measuring_value(const struct tree *t, uint32_t root, const struct profile *p);

#endif
