/* frames: changes the frames of a stored stack, which are annotated, to what was asked for. */
#ifndef SHIP_FRAMES_H
#define SHIP_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/str.h"

/* Which annotations stay, and which frames. */
struct frames_style {
	bool kernel, jit;           /* annotations stay */
	bool no_inlined, no_wakers; /* frames go */
};

/* Append the frames of text, a stack such as "a;b_[k]". */
void frames_add(const struct frames_style *style, const char *text, size_t len, struct str *out);

#endif
