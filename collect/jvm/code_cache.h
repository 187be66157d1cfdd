/* code_cache: the present generated code of a JVM: CodeCache, CodeHeap, HeapBlock, CodeBlob
 * (hotspot/share/memory/heap.hpp, code/codeBlob.hpp, code/nmethod.hpp). */
#ifndef COLLECT_JVM_CODE_CACHE_H
#define COLLECT_JVM_CODE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/jvm/jvm.h"

enum code_kind {
	CODE_COMPILED, /* a Java method, compiled by C1 or C2 */
	CODE_NATIVE,   /* the wrapper of a native method */
	CODE_INTERPRETER,
	CODE_CALL_STUB, /* StubRoutines::call_stub: from C++ to Java */
	CODE_STUB,      /* everything else; its name says what */
};

struct code_blob {
	enum code_kind kind;
	uint64_t start, end; /* of the blob */
	uint64_t code_begin, code_end;
	uint64_t frame_complete; /* address where the frame is complete; 0: unknown */
	uint32_t frame_size;     /* words, including the return address; 0: none */
	uint64_t method;         /* Method*, of compiled and native code */
	int compile_id, level;   /* level: 1 to 3: C1, 4: C2; 0: unknown */
	const char *name;        /* name of a blob that is not a method, valid until the cache is freed: see
				  * code_cache_find() */
	/* For compiled code: in a frame to be deoptimised, the pc is replaced by one of these (0: none), and the
	 * original pc is saved at sp + orig_pc_offset, with the frame's sp. */
	uint64_t deopt_handlers[2];
	int32_t orig_pc_offset;
	/* For compiled code: the tables that scopes.h reads.  0: missing. */
	uint64_t scopes_pcs, scopes_pcs_end; /* PcDesc[] */
	uint64_t scopes_data, scopes_data_end;
	uint64_t null_checks; /* ImplicitExceptionTable */
	uint64_t metadata;    /* Metadata*[]; indices begin at 1 */
	uint64_t metadata_end;
};

struct code_cache;

/* Returns NULL, and *why (static), if the tables lack what is needed.  jvm must outlive the result. */
struct code_cache *code_cache_new(const struct jvm *jvm, const char **why);

/* The blob at pc; NULL: pc is not in the code cache, or nothing sensible is there (a header, freed memory).  Earlier
 * results are checked again once per batch.  Valid until the next batch.
 *
 * For stubs and the interpreter it is the smallest known piece: for the interpreter a codelet ("invoke return entry
 * points", "method entry point (kind = zerolocals)", "iload_0"), for stubs a routine
 * ("StubRoutines::jint_disjoint_arraycopy"), else the blob ("StubRoutines (1)", "I2C/C2I adapters", "new_instance
 * Runtime1 stub", "Interpreter").  To match all code of the interpreter, use the kind. */
const struct code_blob *code_cache_find(struct code_cache *c, uint64_t pc);

/* Is pc in memory reserved for code? */
bool code_cache_has(const struct code_cache *c, uint64_t pc);

/* The bytes of [pc, pc + len), of the JVM's own code or of a library's, as first read in this batch.  Returns
 * false if they cannot be read. */
bool code_cache_bytes(struct code_cache *c, uint64_t pc, uint8_t *to, size_t len);

/* Begin a new batch, since code may have been freed and replaced. */
void code_cache_next_batch(struct code_cache *c);
void code_cache_free(struct code_cache *c);

#endif
