/* code_cache: the code that a JVM has made, as it is now: CodeCache, CodeHeap, HeapBlock, CodeBlob
 * (hotspot/share/memory/heap.hpp, code/codeBlob.hpp, code/nmethod.hpp). */
#ifndef COLLECT_JVM_CODE_CACHE_H
#define COLLECT_JVM_CODE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/jvm/jvm.h"

enum code_kind {
	CODE_COMPILED,        /* a Java method, by C1 or C2 */
	CODE_NATIVE,          /* the wrapper of a native method */
	CODE_INTERPRETER,
	CODE_CALL_STUB,       /* StubRoutines::call_stub: from C++ to Java */
	CODE_STUB,            /* everything else, by its name */
};

struct code_blob {
	enum code_kind kind;
	uint64_t start, end;  /* of the blob */
	uint64_t code_begin, code_end;
	uint64_t frame_complete; /* address from which the frame is set up; 0: not known */
	uint32_t frame_size;  /* words, with the return address; 0: none */
	uint64_t method;      /* Method*, of compiled and native code */
	int compile_id, level; /* level: 1 to 3 C1, 4 C2; 0: not known */
	const char *name;     /* of what is no method; valid until free: see code_cache_find() */
	/* Of compiled code: a frame that is to be deoptimised returns to one of these (0: none), and
	 * has the address that it returned to before at sp + orig_pc_offset, where sp is that of the frame. */
	uint64_t deopt_handlers[2];
	int32_t orig_pc_offset;
	/* Of compiled code: what scopes.h reads.  0: not there. */
	uint64_t scopes_pcs, scopes_pcs_end; /* PcDesc[] */
	uint64_t scopes_data, scopes_data_end;
	uint64_t null_checks; /* ImplicitExceptionTable */
	uint64_t metadata;    /* Metadata*[], from 1 on */
	uint64_t metadata_end;
};

struct code_cache;

/* Returns NULL, and *why (static), when the tables have not what is needed.  jvm must outlive it. */
struct code_cache *code_cache_new(const struct jvm *jvm, const char **why);

/* What is at pc; NULL: it is not in the code cache, or nothing that makes sense is there (a header, freed
 * memory).  What was read before is checked again once in every batch.  Valid until the next batch.
 *
 * Of stubs and the interpreter it is the narrowest piece that is known: of the interpreter a codelet
 * ("invoke return entry points", "method entry point (kind = zerolocals)", "iload_0"), of stubs a routine
 * ("StubRoutines::jint_disjoint_arraycopy"), else the blob ("StubRoutines (1)", "I2C/C2I adapters",
 * "new_instance Runtime1 stub", "Interpreter").  Who wants all of the interpreter looks at the kind. */
const struct code_blob *code_cache_find(struct code_cache *c, uint64_t pc);

/* Is pc in memory reserved for code? */
bool code_cache_has(const struct code_cache *c, uint64_t pc);

/* The bytes of [pc, pc + len), of the JVM's own code or of a library's, as they were when they were asked for first
 * in this batch.  Returns false when they cannot be read. */
bool code_cache_bytes(struct code_cache *c, uint64_t pc, uint8_t *to, size_t len);

/* Time has passed: code may have been freed, and other code have taken its place. */
void code_cache_next_batch(struct code_cache *c);
void code_cache_free(struct code_cache *c);

#endif
