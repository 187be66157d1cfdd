/* instructions: what machine code itself says, where no table does. */
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
	NEXT_BYTES = 9,          /* of code that code_shows_return() looks at */
};

/* Is this where signal handlers return to: "mov $15, %rax; syscall"?  musl and Go have one
 * that no table tells of. */
bool code_returns_from_signal(const uint8_t code[SIGNAL_RETURN_BYTES], enum unwind_machine machine);

/* Is a frame pointer set up somewhere in code[0..len)? */
bool code_sets_frame_pointer(const uint8_t *code, size_t len, enum unwind_machine machine);

/* x86-64: is there no byte in code[0..len) that could begin a push or a pop, nor a number added to the stack
 * pointer?  More is said to be one than is. */
bool code_leaves_stack(const uint8_t *code, size_t len);

/* x86-64: does a call end here: not at all; one that says where it goes: from there by *distance; or
 * through a register or memory? */
enum call_kind { CALL_NONE, CALL_DIRECT, CALL_INDIRECT };
enum call_kind code_ends_with_call(const uint8_t code[CALL_BYTES], int32_t *distance);

/* x86-64: is what runs next at code + 1 an instruction before which the return address stands at a known
 * distance above the stack pointer?  So it does at "ret", at a stub's jump, and where a frame is set up. */
bool code_shows_return(const uint8_t code[NEXT_BYTES], uint64_t *above);

/* x86-64: does what runs next only give its frame back, and return: "add $8, %rsp; ret"?  So
 * does the trampoline of Python, for which no table is.  *size: of the frame. */
bool code_returns(const uint8_t code[RETURN_BYTES], uint64_t *size);

#endif
