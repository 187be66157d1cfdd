/* call_tree: call trees, a function in each line, deeper ones below their caller:
 *
 *     10 main           depth 0      main     2  (10 - 5 - 3: inclusive counts)
 *      5   read               1      main;read   5
 *      3   write              1      main;write  3
 */
#ifndef COLLAPSE_PARSE_CALL_TREE_H
#define COLLAPSE_PARSE_CALL_TREE_H

#include "collapse/parse/span.h"

/* Deeper trees are refused, because each line of such a tree would take up a stack of that depth. */
enum { TREE_DEPTH_MAX = 4096 };

/* How many frames the next stack may have: TREE_DEPTH_MAX or, if there were many deep ones, fewer (text_stack_room()). */
size_t call_tree_room(const struct text_stacks *s);

struct call_tree { /* empty when out is set, and the rest is 0 */
	struct text_stacks *out;
	struct call_row *path; /* [depth]: from the root to the current line */
	size_t depth, cap;
	uint32_t *frames; /* of the path */
	size_t frame_cap;
	size_t skip; /* how many rows at the root are not frames */
	/* Called with a stack of rows: its number, the row at its leaf, and that row's own count. */
	void (*add)(struct call_tree *t, uint32_t stack, const struct call_row *leaf, uint64_t count);
	void *user;
};

struct call_row {
	uint64_t count; /* less the counts of the lines below that were read so far */
	uint32_t tag;   /* the format's own */
	const char *at; /* in the input */
};

/* Move to a line at this depth, whose caller is the last line with depth - 1.  Returns false after text_wrong() if
 * there is no such line.  If add is set, the lines that the move leaves are added. */
bool call_tree_row(struct call_tree *t, size_t depth, uint32_t frame, const struct call_row *row);

/* The stack of the current line, without the rows that are skipped; of a very deep stack, only the innermost frames,
 * below "[truncated]". */
uint32_t call_tree_stack(struct call_tree *t);

/* Add the lines that are still open; t is empty afterwards. */
void call_tree_end(struct call_tree *t);

void call_tree_free(struct call_tree *t);

#endif
