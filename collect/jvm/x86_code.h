/* x86_code: how long instructions of x86-64 are, and where they go: enough to follow the machine code that HotSpot
 * makes (Intel SDM volume 2, appendix A; VEX and EVEX: chapter 2). */
#ifndef COLLECT_JVM_X86_CODE_H
#define COLLECT_JVM_X86_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum x86_kind {
	X86_OTHER,            /* goes on with the next */
	X86_BRANCH,           /* or to its target */
	X86_JUMP,             /* to its target */
	X86_CALL,             /* of its target, and goes on */
	X86_END,              /* goes nowhere that is known: returns, jumps by a register, traps */
};

struct x86_instruction {
	enum x86_kind kind;
	uint8_t len;          /* bytes */
	int32_t distance;     /* of the target, from the next instruction; X86_END and a call by a register: 0 */
	uint8_t map, opcode;  /* map 0: the opcode is one byte; 1: behind 0f; 2: 0f 38; 3: 0f 3a */
	uint8_t modrm;        /* 0: it has none */
	bool has_memory;      /* an operand is, or would be: lea */
	bool is_vex;
};

/* Decode what is at code, of which len bytes are there.  Returns its length; 0: it is not an instruction, or not
 * one that is known. */
size_t x86_decode(const uint8_t *code, size_t len, struct x86_instruction *to);

#endif
