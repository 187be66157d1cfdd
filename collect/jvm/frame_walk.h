/* frame_walk: one step of a walk, shared by frames.c and the kinds of frames (x86-64). */
#ifndef COLLECT_JVM_FRAME_WALK_H
#define COLLECT_JVM_FRAME_WALK_H

#include "collect/jvm/codelets.h"
#include "collect/jvm/frames.h"

enum { JAVA_RETURNS = 8192 };

struct java_frames {
	const struct jvm *jvm;
	struct code_cache *code;
	struct scope_reader *scopes;
	struct codelets codelets;
	/* Layout of the interpreter's frames, in words from the frame pointer. */
	int64_t sender_sp, method;
	int64_t const_method, code_size, const_method_size; /* offsets in a Method and a ConstMethod; sizeof
							     * ConstMethod */
	uint64_t call_stub_return;                          /* where Java returns to C++ */
	/* For virtual threads, JDK 21 and later; 0: none. */
	uint64_t return_barrier;      /* return address that stands for callers on the heap */
	uint64_t continuation_return; /* return address in enterSpecial, which called the first frame of a virtual
				       * thread */
	/* Cache of the addresses of methods' bytecodes, in which two methods may collide. */
	struct seen_bytecodes {
		uint64_t method, start;
		uint16_t size;
	} bytecodes[256];
	/* Cache of return addresses and the targets of their calls (0: unknown). */
	struct seen_return {
		uint64_t pc, target;
	} returns[JAVA_RETURNS];
};

/* A frame whose caller is being found. */
struct frame_step {
	struct java_frames *j;
	struct unwind_made *f;
	const struct code_blob *blob; /* the blob at pc */
	bool is_blind;                /* a possible caller was seen, but its code cannot be read */
};

/* May pc be a return address?  It may if it follows a call, or is one of the interpreter's return entries. target: that
 * of a direct call, else 0. */
bool frame_is_return(struct frame_step *s, uint64_t pc, uint64_t *target);

/* Is pc the place to which a frame of this blob (NULL: no blob) returns after it was marked for deoptimisation during a
 * call? */
bool frame_is_deoptimised(const struct code_blob *blob, uint64_t pc);

/* Is pc in a compiled method after its frame is set up, or at a return entry of the interpreter?  Such a pc need not
 * follow a call: an exception may have been thrown there, or the frame is deoptimised. */
bool frame_is_in_method(struct frame_step *s, uint64_t pc);

/* May sp be the stack pointer of the caller at pc?  This can be decided for compiled code only. */
bool frame_fits(struct frame_step *s, uint64_t pc, uint64_t sp);

/* May the call before pc have called this frame's method?  If that call calls another method directly, pc is a
 * leftover of an earlier call. */
bool frame_is_called(struct frame_step *s, uint64_t pc);

/* May cfa be the CFA of compiled code whose caller is the interpreter?  True for other callers. */
bool frame_fits_interpreter(struct frame_step *s, uint64_t cfa);

/* Read a word of the stack; a word that cannot be read is not recorded. */
bool frame_probe(const struct frame_step *s, uint64_t address, uint64_t *value);

/* Fill the caller in.  The return address is at cfa - 8, the caller's frame pointer at saved (UINT64_MAX: in its
 * register). */
enum unwind_answer frame_return(struct frame_step *s, uint64_t cfa, uint64_t saved);

/* Is there a return address at cfa - 8? */
bool frame_can_return(struct frame_step *s, uint64_t cfa);

/* Is the address at cfa - 8 in code that may call a method (another method, the interpreter after an invocation, the
 * call stub)?  This rejects leftovers of earlier calls when several places are tried. */
bool frame_returns_to_java(struct frame_step *s, uint64_t cfa);

/* A step out of the interpreter: out of the frame of a method, or out of an entry. */
enum unwind_answer frame_interpreted(struct frame_step *s, struct java_frame *to);

/* A step out of code whose frame size is uncertain. */
enum unwind_answer frame_stub(struct frame_step *s);

#endif
