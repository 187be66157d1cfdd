/* codelets: the pieces of a JVM's template interpreter (StubQueue, InterpreterCodelet,
 * hotspot/share/interpreter/interpreter.hpp).  They are made once, at startup. */
#ifndef COLLECT_JVM_CODELETS_H
#define COLLECT_JVM_CODELETS_H

#include <stddef.h>
#include <stdint.h>

#include "collect/jvm/jvm.h"

enum codelet_kind {
	CODELET_BYTECODE, /* a bytecode, or anything else that runs in the frame of a method */
	CODELET_ENTRY,    /* the entry of a method: sets the frame up */
	CODELET_RETURNS,  /* the places that callees of a method return to; they call nothing */
};

struct codelet {
	uint64_t start, end;
	enum codelet_kind kind;
	uint64_t frame; /* in an entry, the address of "push %rbp; mov %rsp, %rbp", or the codelet's end if there is
			 * none */
};

struct codelets {
	struct codelet *items; /* [count], by address */
	size_t count;
};

/* Returns 0; -1, and *why, when the codelets cannot be read. */
int codelets_read(struct codelets *c, const struct jvm *jvm, const char **why);

/* The codelet at pc; NULL: none. */
const struct codelet *codelet_find(const struct codelets *c, uint64_t pc);

void codelets_free(struct codelets *c);

#endif
