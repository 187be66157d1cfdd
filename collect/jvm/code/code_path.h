/* code_path: finds the inlined methods between one place with debug information and the next, and which of them an
 * instruction between the two may belong to.  Between a check in add() and the next in get():
 *
 *     turnNumbers            an AND is of numbers(), which has one there, and what is left of add() has not
 *       numbers    @ 7..22
 *         add      @ 19..
 *         get      @ ..1
 *           slot   @ ..13 */
#ifndef COLLECT_JVM_CODE_CODE_PATH_H
#define COLLECT_JVM_CODE_CODE_PATH_H

#include "collect/jvm/code/code_map.h"
#include "collect/jvm/code/work.h"

enum { PATH_PIECES = 64, CHAIN_DEPTH = 64, CODE_END_BCI = 65536 };

/* A method on the path, and the range of its bytecodes there.  The methods that are called in that range and have no
 * debug information follow. */
struct path_piece {
	const struct inlined_scope *in;
	int from, to;
	uint32_t work;
};

/* The frames of a scope, outermost first. */
struct path_chain {
	const struct inlined_scope *frames[CHAIN_DEPTH];
	size_t count;
};

struct code_path {
	int32_t behind, ahead; /* scopes */
	struct path_piece pieces[PATH_PIECES];
	size_t count;
};

void code_path_chain(const struct method_code *code, int32_t scope, struct path_chain *to);

/* Finds the path between two scopes.  If one of the places is unknown (0), the path is the surroundings of the
 * other. */
void code_path_find(struct code_path *p, const struct method_code *code, int32_t behind, int32_t ahead);

/* The scope of the piece that contains such an operation.  If several do: `usual` if it is among them, else 0
 * (unknown). */
int32_t code_path_choose(const struct code_path *p, uint32_t work, int32_t usual);

#endif
