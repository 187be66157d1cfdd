/* compiled_frame: how much of its frame a compiled method had set up when interrupted (x86-64).
 *
 *     mov %eax, -0x14000(%rsp)    is there enough stack?               sub $size - 8, %rsp
 *     push %rbp                                                  or    mov %rbp, size - 16(%rsp)
 *     sub $size - 16, %rsp
 *     ...                         may wait here: entry barrier
 *     frame_complete: ...
 *     add $size - 16, %rsp
 *     pop %rbp
 *     ...                         may wait here: safepoint poll
 *     ret                         or jmp
 *
 * size: of the frame, with the return address.  The size is in the code blob, so the instructions are recognised by
 * their operands.  Both compilers and all wrappers of native methods generate this; the caller's frame pointer is
 * always saved. */
#ifndef COLLECT_JVM_CODE_COMPILED_FRAME_H
#define COLLECT_JVM_CODE_COMPILED_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PROLOGUE_BYTES = 128, /* bytes before frame_complete that contain all instructions that matter */
	EPILOGUE_BEFORE = 8,  /* bytes examined before the program counter, and from it on */
	EPILOGUE_AFTER = 24,
};

struct compiled_frame {
	uint64_t cfa_above;   /* distance of the CFA above the stack pointer */
	uint64_t saved_above; /* distance of the caller's saved frame pointer; UINT64_MAX: still in the register */
};

/* A frame that is completely set up. */
struct compiled_frame compiled_frame_whole(uint64_t size);

/* The frame in a prologue: code[0..len) ends at frame_complete, and the program counter is at code + at. */
struct compiled_frame compiled_frame_in_prologue(const uint8_t *code, size_t len, size_t at, uint64_t size);

/* The frame after the prologue.  code begins EPILOGUE_BEFORE bytes before the program counter.  Outside an
 * epilogue, the whole frame. */
struct compiled_frame compiled_frame_in_body(const uint8_t code[EPILOGUE_BEFORE + EPILOGUE_AFTER], uint64_t size);

#endif
