/* dimension: the frame of a stack by which --split divides stacks among pictures.
 *
 *     # pyrograph: ... root=pid,thread ...
 *     java-8513;java-8513/dw-20;run 5         --split thread: the second one
 *
 * This frame is moved to the end of the stack at which merging begins, so that each child of the tree's root is a
 * picture. */
#ifndef RENDER_DIMENSION_H
#define RENDER_DIMENSION_H

#include <stdbool.h>
#include <stddef.h>

#include "core/str.h"
#include "render/profile/source.h"

struct dimension {
	const char *name;  /* "thread", or "2" for the second frame */
	size_t place;      /* of the frame, from 0 */
	bool known;        /* place is set */
	const char *frame; /* the frame that was last taken off: frame[0..frame_len) */
	size_t frame_len;
	struct str rest, moved;
};

/* Split by text ("thread", or "2"), which must outlive d. */
void dimension_init(struct dimension *d, const char *text);

/* Call this at the start of each file.  Until a header names the root frames, only the first one is known, which is the
 * thread. */
void dimension_begin(struct dimension *d);

/* Read line[0..len) if it is a header.  Exits 2 if it names root frames and ours is not among them. */
void dimension_read(struct dimension *d, const char *line, size_t len);

/* Take the frame off stack[0..*len), which must outlive the use of d->frame; a stack without such a frame
 * has "[none]".  Returns the rest of the stack, valid until the next call, and sets *len.  Exits 2 if no header has
 * named the place of the frame. */
const char *dimension_take(struct dimension *d, const char *stack, size_t *len);

/* Put the frame before stack[0..*len) or, if last is true, after it (for stacks that are merged from their leaves).
 * Returns the whole, valid until the next call, and sets *len. */
const char *dimension_put(struct dimension *d, const char *stack, size_t *len, bool last);

/* Is the frame that of a thread? */
bool dimension_is_thread(const struct dimension *d);

/* Set the order of the root frames in s to that of dimension_put(). */
void dimension_reorder(const struct dimension *d, struct folded_source *s);

void dimension_free(struct dimension *d);

#endif
