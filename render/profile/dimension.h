/* dimension: which frame of a stack says to which picture of a split it belongs.
 *
 *     # pyrograph: ... root=pid,thread ...
 *     java-8513;java-8513/dw-20;run 5         --split thread: the second one
 *
 * That frame is moved to where the merging of stacks begins, so that the pictures
 * are the children of the tree's root. */
#ifndef RENDER_DIMENSION_H
#define RENDER_DIMENSION_H

#include <stdbool.h>
#include <stddef.h>

#include "core/str.h"
#include "render/profile/source.h"

struct dimension {
	const char *name;    /* "thread", or "2" for the second frame */
	size_t place;        /* of the frame, from 0 */
	bool known;          /* place is */
	struct str moved;
};

/* What dimension_begin() and the others then look for; text outlives d. */
void dimension_init(struct dimension *d, const char *text);

/* A file begins: until a header says more, only the first frame is known, which
 * is the thread. */
void dimension_begin(struct dimension *d);

/* Take up line[0..len) if it is a header.  Dies of wrong usage if it names root
 * frames, but not ours. */
void dimension_read(struct dimension *d, const char *line, size_t len);

/* The stack stack[0..*len) with its frame first (with last: last, for stacks that
 * are merged from their leaves), valid until the next call, and *len set.  A stack
 * without such a frame gets "[none]".  Dies of wrong usage if no header told where
 * the frame is. */
const char *dimension_move(struct dimension *d, const char *stack, size_t *len, bool last);

/* Is it of threads? */
bool dimension_is_thread(const struct dimension *d);

/* Set the order of the root frames that s tells to what dimension_move() made of it. */
void dimension_reorder(const struct dimension *d, struct source *s);

void dimension_free(struct dimension *d);

#endif
