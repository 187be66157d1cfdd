/* work: the operations of machine instructions and bytecodes, which exclude bytecodes as the origin of an instruction
 * (Intel SDM volume 2). */
#ifndef COLLECT_JVM_CODE_WORK_H
#define COLLECT_JVM_CODE_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/jvm/code/bytecodes.h"
#include "collect/jvm/code/x86_code.h"

enum {
	WORK_ADD = 1 << 0, /* and subtractions */
	WORK_MULTIPLY = 1 << 1,
	WORK_DIVIDE = 1 << 2,
	WORK_SHIFT = 1 << 3,
	WORK_AND = 1 << 4,
	WORK_OR = 1 << 5,
	WORK_XOR = 1 << 6,
	WORK_FLOAT_ADD = 1 << 7,
	WORK_FLOAT_MULTIPLY = 1 << 8,
	WORK_FLOAT_DIVIDE = 1 << 9,
	WORK_CONVERT = 1 << 10, /* between integers and floating point */
};

/* The work of an instruction.  0: nothing distinctive: it moves, compares, computes an address. */
uint32_t work_of_instruction(const struct x86_instruction *in);

/* The work of the bytecodes in [from, to), including equivalents that the compiler may use: shifts for a
 * multiplication.  0: none, or the bytecodes cannot be read. */
uint32_t work_of_bytecodes(const struct bytecodes *b, int from, int to);

/* Does a branch after the bytecode at bci lead back to it, or before it? */
bool work_loops_around(const struct bytecodes *b, int bci);

#endif
