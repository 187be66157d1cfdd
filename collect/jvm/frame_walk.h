/* frame_walk: one step of java_frames, between frames.c and the kinds of frames (x86-64). */
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
	/* What the interpreter's frames are made of: numbers of words from the frame pointer. */
	int64_t sender_sp, method;
	int64_t const_method, code_size, const_method_size; /* offsets, sizeof */
	uint64_t call_stub_return; /* where Java returns to C++ */
	/* JDK 21 and later, of virtual threads; 0: there are none. */
	uint64_t return_barrier;   /* stands for callers that are in the heap */
	uint64_t continuation_return; /* in enterSpecial, which called the first frame of a virtual thread */
	/* Where the bytecodes of methods are, as it was when they were seen last: two may want the same place. */
	struct bytecodes {
		uint64_t method, start;
		uint16_t size;
	} bytecodes[256];
	/* Return addresses behind calls that were seen, and what was called (0: not told); likewise. */
	struct seen_return {
		uint64_t pc, target;
	} returns[JAVA_RETURNS];
};

/* A frame, while the way out of it is looked for. */
struct frame_step {
	struct java_frames *j;
	struct unwind_made *f;
	const struct code_blob *blob; /* at pc */
	bool is_blind;        /* a caller may have been seen, but its code cannot be read */
};

/* May pc be a return address: what is before it is a call, or it is one of those that the
 * interpreter returns to?  target: of a call that says where it goes, else 0. */
bool frame_is_return(struct frame_step *s, uint64_t pc, uint64_t *target);

/* Is pc in a compiled method that has set up its frame, or where the interpreter is returned to?  A
 * return address need not stand behind a call: an exception was thrown there, or it is deoptimized. */
bool frame_is_in_method(struct frame_step *s, uint64_t pc);

/* May sp be the stack pointer of the caller at pc?  Only of compiled code that can be told. */
bool frame_fits(struct frame_step *s, uint64_t pc, uint64_t sp);

/* May what is behind the call at pc be the method of this frame?  Where the call says who is called, and that is
 * another, what was found is left of an earlier call. */
bool frame_is_called(struct frame_step *s, uint64_t pc);

/* May cfa be that of compiled code, whose caller is the interpreter?  True of other callers. */
bool frame_fits_interpreter(struct frame_step *s, uint64_t cfa);

/* The words of the stack, without a note that one is missing. */
bool frame_probe(const struct frame_step *s, uint64_t address, uint64_t *value);

/* The CFA: the return address is at cfa - 8, the caller's frame pointer at saved (UINT64_MAX: in its
 * register).  Fills the caller in. */
enum unwind_answer frame_return(struct frame_step *s, uint64_t cfa, uint64_t saved);

/* Is there a return address at cfa - 8? */
bool frame_can_return(struct frame_step *s, uint64_t cfa);

/* And may it be the caller of a method: another method, the interpreter behind an invocation, the call stub?
 * Where places are tried, that leaves out what others have left there. */
bool frame_returns_to_java(struct frame_step *s, uint64_t cfa);

/* In the interpreter: the frame of a method, or an entry. */
enum unwind_answer frame_interpreted(struct frame_step *s, struct java_frame *to);

/* In code of which not even the frame's size is sure. */
enum unwind_answer frame_stub(struct frame_step *s);

#endif
