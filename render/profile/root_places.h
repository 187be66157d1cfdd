/* root_places: the places in stacks of the frames that a header's root= names.
 *
 *     # pyrograph: ... root=comm,wait ...
 *     java;[lock];start_thread;run 5            comm 0, wait 1 */
#ifndef RENDER_ROOT_PLACES_H
#define RENDER_ROOT_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/str.h"
#include "render/profile/source.h"

struct root_places {
	bool known; /* a header named them */
	int count;
	int comm, thread, pid, tid, state, wait, idle; /* -1: stacks have no such frame */
};

/* Read the places from the header; without a header, or without root=, none is known. */
void root_places_read(struct root_places *r, const struct folded_source *header);

bool root_places_equal(const struct root_places *a, const struct root_places *b);

/* Remove the process numbers from the frames of stack[0..*len) that name processes and threads, so that two runs of a
 * program can be compared: "java-8513/dw-20" becomes "java/dw-20".  The new text is in buf; *stack and *len are changed
 * if there was a number. */
void root_places_unnumber(const struct root_places *r, struct str *buf, const char **stack, size_t *len);

#endif
