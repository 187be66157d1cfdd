/* collect/sampling/stack_repair.h */
#include "collect/sampling/stack_repair.h"

#include <string.h>

#include "tests/unit/check.h"

#ifdef __aarch64__
enum { STACK_POINTER = 31 };
#else
enum { STACK_POINTER = 7 };
#endif

enum { WORDS = 8 };

#define SP 0x7ffc00001000ull
#define TRAMPOLINE 0x7ffffffff000ull

/* After the repair of a stack in which only the word at place is value: that word. */
static uint64_t repaired(int place, uint64_t value, const struct return_slot *slots, size_t count, bool *copied)
{
	static struct str buffer;
	static uint64_t words[WORDS];
	uint64_t sp = SP, word;
	struct unwind_sample s = { .abi = 1,
				   .regs_mask = (uint64_t)1 << STACK_POINTER,
				   .regs = (const uint8_t *)&sp,
				   .stack = (const uint8_t *)words,
				   .stack_len = sizeof(words),
				   .time_ns = 100 };

	for (int i = 0; i < WORDS; i++)
		words[i] = 0x1111;
	words[place] = value;
	stack_repair(&s, slots, count, &buffer);
	*copied = s.stack != (const uint8_t *)words;
	CHECK(words[place] == value && s.stack_len == sizeof(words));
	for (int i = 0; i < WORDS; i++) {
		memcpy(&word, s.stack + 8 * i, 8);
		CHECK(i == place || word == 0x1111);
	}
	memcpy(&word, s.stack + 8 * place, 8);
	return word;
}

int main(void)
{
	const struct return_slot one[] = { { SP + 24, 0x401234, 90 } };
	const struct return_slot changed[] = { { SP + 24, 0x403333, 110 },
					       { SP + 24, 0x402222, 95 },
					       { SP + 24, 0x401111, 90 } };
	const struct return_slot tail[] = { { SP + 24, TRAMPOLINE, 95 }, { SP + 24, 0x401234, 90 } };
	const struct return_slot outside[] = { { SP - 8, 0x401234, 90 },
					       { SP + 8 * WORDS, 0x401234, 90 },
					       { SP + 8 * WORDS - 4, 0x401234, 90 },
					       { 0, 0x401234, 90 },
					       { UINT64_MAX, 1, 90 } };
	bool copied;

	CHECK(repaired(3, TRAMPOLINE, one, 1, &copied) == 0x401234 && copied);
	CHECK(repaired(3, 0x401234, one, 1, &copied) == 0x401234 &&
	      !copied); /* the function has returned since, or is not probed */
	CHECK(repaired(2, TRAMPOLINE, one, 1, &copied) == TRAMPOLINE && !copied);
	CHECK(repaired(3, 0, one, 1, &copied) == 0 && !copied);
	CHECK(repaired(3, TRAMPOLINE, changed, 3, &copied) == 0x402222); /* at its time, neither before nor after */
	CHECK(repaired(3, TRAMPOLINE, changed, 1, &copied) == TRAMPOLINE && !copied);
	CHECK(repaired(3, TRAMPOLINE, outside, 5, &copied) == TRAMPOLINE && !copied);
	CHECK(repaired(3, TRAMPOLINE, NULL, 0, &copied) == TRAMPOLINE && !copied);
	CHECK(repaired(3, TRAMPOLINE, tail, 2, &copied) ==
	      0x401234); /* a probed function that another probed function jumped to */
	return check_done();
}
