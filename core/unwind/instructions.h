/* instructions: unwind information from machine code, where there are no tables. */
#ifndef CORE_UNWIND_INSTRUCTIONS_H
#define CORE_UNWIND_INSTRUCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/unwind/unwinder.h"

enum {
	SIGNAL_RETURN_BYTES = 9, /* of code that code_returns_from_signal() looks at */
	CALL_BYTES = 7,          /* the longest call */
	RETURN_BYTES = 5,
	NEXT_BYTES = 9, /* of code that code_shows_return() looks at */
};

/* Do signal handlers return to this code: "mov $15, %rax; syscall"?  Those of musl and Go are
 * in no table. */
bool code_returns_from_signal(const uint8_t code[SIGNAL_RETURN_BYTES], enum unwind_machine machine);

/* Is a frame pointer set up somewhere in code[0..len)? */
bool code_sets_frame_pointer(const uint8_t *code, size_t len, enum unwind_machine machine);

/* x86-64: is code[0..len) free of bytes that could begin a push, a pop or an addition to the stack pointer?
 * May wrongly return false, never wrongly true. */
bool code_leaves_stack(const uint8_t *code, size_t len);

/* x86-64: does a call end here: none; a direct call, whose target is *distance from here; or a call
 * through a register or memory? */
enum call_kind { CALL_NONE, CALL_DIRECT, CALL_INDIRECT };
enum call_kind code_ends_with_call(const uint8_t code[CALL_BYTES], int32_t *distance);

/* x86-64: is the next instruction, at code + 1, one before which the return address is at a known distance
 * above the stack pointer?  It is at "ret", at a stub's jump, and where a frame is set up. */
bool code_shows_return(const uint8_t code[NEXT_BYTES], uint64_t *above);

/* x86-64: does the next code only free its frame and return: "add $8, %rsp; ret"?  The
 * trampoline of Python does, and has no table.  *size: of the frame. */
bool code_returns(const uint8_t code[RETURN_BYTES], uint64_t *size);

#endif
