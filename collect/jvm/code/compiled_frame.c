#include "collect/jvm/code/compiled_frame.h"

#include <string.h>

enum { PUSH_RBP = 0x55, POP_RBP = 0x5d, LEAVE = 0xc9, RET = 0xc3, JMP_8 = 0xeb, JMP_32 = 0xe9 };

static const struct compiled_frame not_begun = { 8, UINT64_MAX }, pushed = { 16, 0 };

struct compiled_frame compiled_frame_whole(uint64_t size)
{
	return (struct compiled_frame){ size, size - 16 };
}

/* Is this "sub $number, %rsp" (group 0xec), or "add" (0xc4)?  Returns the length of the instruction, or 0. */
static size_t adds_to_sp(const uint8_t *code, size_t len, uint8_t group, uint64_t number)
{
	int32_t wide;

	if (len < 4 || code[0] != 0x48 || code[2] != group)
		return 0;
	if (code[1] == 0x83)
		return (uint64_t)(int8_t)code[3] == number ? 4 : 0;
	if (len < 7 || code[1] != 0x81)
		return 0;
	memcpy(&wide, code + 3, 4);
	return (uint64_t)wide == number ? 7 : 0;
}

static bool compiled_frame_is_mov_rsp_rbp(const uint8_t *code)
{
	return !memcmp(code, "\x48\x8b\xec", 3) || !memcmp(code, "\x48\x89\xe5", 3);
}

/* Offset of the "push %rbp" before code + end, perhaps with "mov %rsp, %rbp" in between; SIZE_MAX: there is none. */
static size_t find_push(const uint8_t *code, size_t end)
{
	if (end >= 4 && compiled_frame_is_mov_rsp_rbp(code + end - 3) && code[end - 4] == PUSH_RBP)
		return end - 4;
	return end >= 1 && code[end - 1] == PUSH_RBP ? end - 1 : SIZE_MAX;
}

/* Offset of the "push %rbp" in a prologue of only "mov %eax, number(%rsp); push %rbp"; SIZE_MAX: there is none. */
static size_t find_lone_push(const uint8_t *code, size_t len)
{
	for (size_t at = len; at-- > 7;) {
		if (code[at] == PUSH_RBP && !memcmp(code + at - 7, "\x89\x84\x24", 3))
			return at;
	}
	return SIZE_MAX;
}

/* Length of "mov %rbp, number(%rsp)". */
static size_t mov_bytes(uint64_t number)
{
	return !number ? 4 : number < 0x80 ? 5 : 8;
}

/* The frame at code + at, if "push %rbp" is at code + push, and "sub" at code + sub (sub == push: there is none). */
static struct compiled_frame after_push(size_t push, size_t sub, size_t at, uint64_t size)
{
	if (at <= push)
		return not_begun;
	return at <= sub ? pushed : compiled_frame_whole(size);
}

struct compiled_frame compiled_frame_in_prologue(const uint8_t *code, size_t len, size_t at, uint64_t size)
{
	struct compiled_frame whole = compiled_frame_whole(size);
	size_t push = SIZE_MAX, taken;

	for (size_t sub = len; sub-- > 0;) {
		if (size > 16 && adds_to_sp(code + sub, len - sub, 0xec, size - 16))
			push = find_push(code, sub);
		if (push != SIZE_MAX)
			return after_push(push, sub, at, size);
		taken = adds_to_sp(code + sub, len - sub, 0xec, size - 8);
		if (!taken)
			continue;
		if (at >= sub + taken && at < sub + taken + mov_bytes(size - 16))
			whole.saved_above = UINT64_MAX;
		return at <= sub ? not_begun : whole;
	}
	push = size == 16 ? find_lone_push(code, len) : SIZE_MAX;
	return push == SIZE_MAX ? not_begun : after_push(push, push, at, size);
}

/* The polls of a return, from JDK 8 on, that stand between "pop %rbp" and "ret":
 *
 *     85 05 d32       test %eax, d(%rip)           4d 8b 57 d8   mov d(%r15), %r10
 *     41 85 02        test %eax, (%r10)            4d 8b 97 d32
 *     49 3b 67 d8     cmp d(%r15), %rsp            0f 87 d32     ja
 *     49 3b a7 d32                                 48 3b a7 ...  (a thread in another register)
 *
 * Returns the length of such a poll; 0: there is none. */
static size_t poll_bytes(const uint8_t *code)
{
	if (code[0] == 0x85 && code[1] == 0x05)
		return 6;
	if (code[0] == 0x0f && code[1] == 0x87)
		return 6;
	if ((code[0] & 0xfe) == 0x48 && code[1] == 0x3b && (code[2] & 0x38) == 0x20)
		return code[2] >> 6 == 1 ? 4 : 7;
	if (code[0] == 0x4d && code[1] == 0x8b && (code[2] & 0x38) == 0x10)
		return code[2] >> 6 == 1 ? 4 : code[2] >> 6 == 2 ? 7 : 0;
	if (code[0] == 0x41 && code[1] == 0x85 && code[2] < 0x40)
		return 3;
	return code[0] == 0x85 && code[1] < 0x40 && (code[1] & 7) != 4 && (code[1] & 7) != 5 ? 2 : 0;
}

/* Are there only polls between code and "ret"? */
static bool returns(const uint8_t *code, const uint8_t *end)
{
	size_t bytes;

	while (end - code >= 3 && *code != RET && (bytes = poll_bytes(code)))
		code += bytes;
	return code < end && *code == RET;
}

/* The out-of-line target of a return poll: "lea number(%rip), %r10; mov %r10, number(%r15); jmp". */
static bool is_poll_stub(const uint8_t *code)
{
	return !memcmp(code, "\x4c\x8d\x15", 3) && !memcmp(code + 7, "\x4d\x89", 2);
}

/* Were "add $number, %rsp; pop %rbp" the instructions before code? */
static bool was_popped(const uint8_t *code, uint64_t size)
{
	if (code[-1] != POP_RBP)
		return false;
	return adds_to_sp(code - 5, 4, 0xc4, size - 16) == 4 || adds_to_sp(code - 8, 7, 0xc4, size - 16) == 7;
}

struct compiled_frame compiled_frame_in_body(const uint8_t code[EPILOGUE_BEFORE + EPILOGUE_AFTER], uint64_t size)
{
	const uint8_t *pc = code + EPILOGUE_BEFORE, *end = pc + EPILOGUE_AFTER;

	if (returns(pc, end) || is_poll_stub(pc))
		return not_begun;
	if ((*pc == JMP_8 || *pc == JMP_32) && was_popped(pc, size))
		return not_begun;
	if (*pc == POP_RBP && size > 16 && (returns(pc + 1, end) || was_popped(pc + 1, size)))
		return pushed;
	return compiled_frame_whole(size);
}
