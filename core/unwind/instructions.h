/* instructions: unwind information from machine code, where there are no tables. */
#ifndef CORE_UNWIND_INSTRUCTIONS_H
#define CORE_UNWIND_INSTRUCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/unwind/unwinder.h"

enum {
	SIGNAL_RETURN_BYTES = 9, /* bytes of code that code_returns_from_signal() examines */
	CALL_BYTES = 7,          /* bytes of the longest call */
	RETURN_BYTES = 5,
	NEXT_BYTES = 9, /* bytes of code that code_shows_return() examines */
};

/* Is this the code that signal handlers return to: "mov $15, %rax; syscall"?  In musl and Go, no table describes
 * it. */
bool code_returns_from_signal(const uint8_t code[SIGNAL_RETURN_BYTES], enum unwind_machine machine);

/* Is a frame pointer set up somewhere in code[0..len)? */
bool code_sets_frame_pointer(const uint8_t *code, size_t len, enum unwind_machine machine);

/* x86-64: is code[0..len) free of bytes that could begin a push, a pop or an addition to the stack pointer?  False
 * may be wrong, true never is. */
bool code_leaves_stack(const uint8_t *code, size_t len);

/* x86-64: which kind of call ends here: none; a direct call, whose target is *distance from here; or a call through
 * a register or memory? */
enum call_kind { CALL_NONE, CALL_DIRECT, CALL_INDIRECT };
enum call_kind code_ends_with_call(const uint8_t code[CALL_BYTES], int32_t *distance);

/* x86-64: does the next instruction, at code + 1, show how far above the stack pointer the return address is?  A
 * "ret" does, so does the jump of a stub, and code that sets up a frame. */
bool code_shows_return(const uint8_t code[NEXT_BYTES], uint64_t *above);

/* x86-64: does the code that follows only free its frame and return: "add $8, %rsp; ret"?  The trampoline of Python
 * does so, and has no table.  *size: of the frame. */
bool code_returns(const uint8_t code[RETURN_BYTES], uint64_t *size);

#endif
