/* code_pieces: pieces smaller than a blob of the code cache: the codelets of the interpreter, the routines of the
 * stub generators (hotspot/share/interpreter/interpreter.hpp, runtime/stubCodeGenerator.hpp). */
#ifndef COLLECT_JVM_CODE_PIECES_H
#define COLLECT_JVM_CODE_PIECES_H

#include <stddef.h>
#include <stdint.h>

#include "collect/jvm/code_cache.h"
#include "collect/jvm/code_names.h"

/* {0} is empty.  Names belong to the code_names. */
struct code_pieces {
	struct code_blob *list; /* sorted, not overlapping */
	size_t count, cap;
	uint64_t interpreter, interpreter_end; /* range of all codelets; 0: not found */
	uint64_t stub_list;                    /* address of StubCodeDesc::_list; 0: unknown; 1: not looked for yet */
	uint64_t newest_stub;                  /* the head of the list when it was read */
};

/* Read the pieces, if there are new ones.  Accepts only those that lie in [low, high). */
void code_pieces_read(struct code_pieces *p, const struct jvm *jvm, uint64_t low, uint64_t high,
		      struct code_names *names);

/* The piece at pc, or NULL. */
const struct code_blob *code_pieces_find(const struct code_pieces *p, uint64_t pc);

void code_pieces_free(struct code_pieces *p);

#endif
