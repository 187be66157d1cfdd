/* registers: the known registers of one frame, by their numbers in DWARF (System V
 * ABI, AMD64 supplement, figure 3.36; DWARF for the Arm 64-bit Architecture, 4.1), and the copy
 * of the stack. */
#ifndef CORE_UNWIND_REGISTERS_H
#define CORE_UNWIND_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
	X86_RBP = 6,
	X86_RSP = 7,
	X86_RIP = 16,
	X86_REGISTERS = 17,
	ARM_X29 = 29,
	ARM_LR = 30,
	ARM_SP = 31,
	ARM_PC = 32,
	ARM_REGISTERS = 33,
	REGISTERS_MAX = 33,
};

struct registers {
	uint64_t values[REGISTERS_MAX];
	uint64_t known; /* bit n: register n is known */
};

struct stack_copy {
	const uint8_t *bytes;
	uint64_t start; /* address of the first byte */
	size_t len;
	uint64_t missed; /* the address that was needed last, but is not in the copy */
};

static inline bool stack_read(struct stack_copy *stack, uint64_t address, uint64_t *value)
{
	uint64_t at = address - stack->start;

	if (stack->len < 8 || at > stack->len - 8) {
		stack->missed = address;
		return false;
	}
	memcpy(value, stack->bytes + at, 8);
	return true;
}

static inline bool register_get(const struct registers *r, uint64_t number, uint64_t *value)
{
	if (number >= REGISTERS_MAX || !(r->known >> number & 1))
		return false;
	*value = r->values[number];
	return true;
}

static inline void register_set(struct registers *r, unsigned number, uint64_t value)
{
	r->values[number] = value;
	r->known |= (uint64_t)1 << number;
}

#endif
