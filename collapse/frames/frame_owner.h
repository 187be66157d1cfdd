/* frame_owner: whose code a frame is. */
#ifndef COLLAPSE_FRAMES_FRAME_OWNER_H
#define COLLAPSE_FRAMES_FRAME_OWNER_H

#include <stdbool.h>
#include <stdint.h>

#include "collapse/frames/names.h"

enum frame_owner {
	FRAME_OF_KERNEL,
	FRAME_NAMELESS,
	FRAME_OF_SYSTEM, /* of a library of the system, or of the JDK */
	FRAME_OF_PROGRAM,
};

/* frame: a number as in stacks.h, not a text; text: one of its texts. */
enum frame_owner frame_owner(const struct names *n, uint32_t frame, uint32_t text);

/* Is it in a library of the system, named or not? */
bool frame_is_of_library(const struct names *n, uint32_t frame);

/* Is it code that a JIT compiler made, or a frame of an interpreter that we read? */
bool frame_is_of_jit(const struct names *n, uint32_t frame);

#endif
