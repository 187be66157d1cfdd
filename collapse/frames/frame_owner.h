/* frame_owner: whose code a frame is: by its file, and by its name (core/symbols/names/runtimes.h). */
#ifndef COLLAPSE_FRAMES_FRAME_OWNER_H
#define COLLAPSE_FRAMES_FRAME_OWNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/frames/names.h"
#include "core/symbols/names/runtimes.h"

/* In ascending order of how much a frame says about the user's program. */
enum frame_owner {
	FRAME_OF_BEGINNING, /* where a process or a thread begins: "_start" */
	FRAME_OF_KERNEL,
	FRAME_NAMELESS,   /* in a library of the system, in a runtime, or in no file */
	FRAME_OF_SYSTEM,  /* of a library of the system */
	FRAME_OF_RUNTIME, /* of a language's runtime or library, such as the JDK */
	FRAME_OF_FILE,    /* the function has no name, and its file is none of those */
	FRAME_OF_PACKAGE, /* of a package of Python or node */
	FRAME_OF_PROGRAM, /* the user's own code; if it has no name, at least its beginning is known */
};

/* What is known of names and files; {0} is valid and empty. */
struct frame_owners {
	struct runtimes runtimes;
	struct runtime_match *by_text, *by_module; /* kind RUNTIME_UNSEEN until it is looked at */
	size_t text_cap, module_cap;
};

/* The languages to which the frame's functions belong, as a bit mask of indexes in o->runtimes.  frame is a number as
 * in stacks.h, text the number of one of its texts. */
uint32_t frame_languages(struct frame_owners *o, const struct names *n, uint32_t frame, uint32_t text);

/* near: frame_languages() of all frames of the same stack.  Call this after names_of() for the same frame. */
enum frame_owner frame_owner(struct frame_owners *o, const struct names *n, uint32_t frame, uint32_t text,
			     uint32_t near);

/* Is the frame in the file of a CPython interpreter, or a function that one ran? */
bool frame_is_of_cpython(const struct names *n, uint32_t frame);

/* Is the frame in a library of the system, whether it has a name or not? */
bool frame_is_of_library(const struct names *n, uint32_t frame);

/* Is the frame JIT-compiled code, or a frame of an interpreter that we read? */
bool frame_is_of_jit(const struct names *n, uint32_t frame);

void frame_owners_free(struct frame_owners *o);

#endif
