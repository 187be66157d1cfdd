#include "core/unwind/instructions.h"

#include <string.h>

bool code_returns_from_signal(const uint8_t code[SIGNAL_RETURN_BYTES], enum unwind_machine machine)
{
	static const uint8_t x86[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };
	static const uint8_t arm[] = { 0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4 }; /* mov x8, #139; svc #0 */

	return machine == UNWIND_X86_64 ? !memcmp(code, x86, sizeof(x86)) : !memcmp(code, arm, sizeof(arm));
}

enum { PUSH_RBP = 0x55, RET = 0xc3 };

/* Is this "mov %rsp, %rbp", in either encoding? */
static bool instructions_is_mov_rsp_rbp(const uint8_t code[3])
{
	return !memcmp(code, "\x48\x89\xe5", 3) || !memcmp(code, "\x48\x8b\xec", 3);
}

static size_t skip_endbr(const uint8_t *code, size_t len)
{
	return len >= 4 && !memcmp(code, "\xf3\x0f\x1e\xfa", 4) ? 4 : 0;
}

/* Is there "push %rbp; mov %rsp, %rbp"?  At the start of a function, compilers put other instructions between the
 * two. */
static bool x86_sets_frame_pointer(const uint8_t *code, size_t len)
{
	enum { BETWEEN = 32 };
	size_t first = skip_endbr(code, len);

	for (size_t i = 0; i + 4 <= len; i++) {
		if (code[i] == PUSH_RBP && instructions_is_mov_rsp_rbp(code + i + 1))
			return true;
	}
	if (first >= len || code[first] != PUSH_RBP)
		return false;
	for (size_t i = first + 1; i + 3 <= len && i < first + BETWEEN; i++) {
		if (instructions_is_mov_rsp_rbp(code + i))
			return true;
	}
	return false;
}

/* Is there "add x29, sp, #number"?  "mov x29, sp" is the same with 0. */
static bool arm_sets_frame_pointer(const uint8_t *code, size_t len)
{
	uint32_t instruction;

	for (size_t i = 0; i + 4 <= len; i += 4) {
		memcpy(&instruction, code + i, 4);
		if ((instruction & 0xffc003ff) == 0x910003fd)
			return true;
	}
	return false;
}

bool code_sets_frame_pointer(const uint8_t *code, size_t len, enum unwind_machine machine)
{
	return machine == UNWIND_X86_64 ? x86_sets_frame_pointer(code, len) : arm_sets_frame_pointer(code, len);
}

bool code_leaves_stack(const uint8_t *code, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if ((code[i] & 0xf0) == 0x50 || code[i] == 0xc8 || code[i] == 0xc9) /* push, pop, enter, leave */
			return false;
		if (i + 3 <= len && code[i] == 0x48 && (code[i + 1] == 0x83 || code[i + 1] == 0x81) &&
		    (code[i + 2] == 0xec || code[i + 2] == 0xc4))
			return false;
		if (i + 3 <= len && code[i] == 0x48 && code[i + 1] == 0x8d && code[i + 2] == 0x64) /* lea */
			return false;
	}
	return true;
}

/* call *r/m64 is ff, then a ModRM byte with 2 in bits 3..5, whose other bits give the length of the rest:
 *
 *     ff d0            call *%rax            ff 15 98 76 54 32      call *0x32547698(%rip)
 *     ff 50 18         call *0x18(%rax)      ff 94 c1 98 76 54 32   call *0x32547698(%rcx,%rax,8) */
static bool is_call_of(const uint8_t *code, size_t len)
{
	uint8_t mode = code[1] >> 6, base = code[1] & 7;
	size_t wanted = 2;

	if (code[0] != 0xff || (code[1] >> 3 & 7) != 2)
		return false;
	if (mode != 3 && base == 4) { /* one more byte: SIB */
		if (len < 3)
			return false;
		base = mode == 0 && (code[2] & 7) == 5 ? 5 : 0;
		wanted++;
	}
	if (mode == 1)
		wanted += 1;
	else if (mode == 2 || (mode == 0 && base == 5))
		wanted += 4;
	return wanted == len;
}

enum call_kind code_ends_with_call(const uint8_t code[CALL_BYTES], int32_t *distance)
{
	const uint8_t *end = code + CALL_BYTES;

	if (end[-5] == 0xe8) {
		memcpy(distance, end - 4, 4);
		return CALL_DIRECT;
	}
	for (size_t len = 2; len <= CALL_BYTES; len++) {
		if (is_call_of(end - len, len))
			return CALL_INDIRECT;
	}
	return CALL_NONE;
}

bool code_shows_return(const uint8_t code[NEXT_BYTES], uint64_t *above)
{
	const uint8_t *next = code + 1 + skip_endbr(code + 1, NEXT_BYTES - 1);

	*above = 0;
	if (next != code + 1 && next[0] == PUSH_RBP) /* push %rbp as the first byte of a function */
		return true;
	if (next[0] == PUSH_RBP && instructions_is_mov_rsp_rbp(next + 1))
		return true;
	if (next[0] == 0xf2 || next[0] == 0xf3) /* bnd, rep */
		next++;
	if (next[0] == RET || (next[0] == 0xff && next[1] == 0x25)) /* jmp *number(%rip) */
		return true;
	*above = 8;
	return code[0] == PUSH_RBP && instructions_is_mov_rsp_rbp(code + 1);
}

bool code_returns(const uint8_t code[RETURN_BYTES], uint64_t *size)
{
	static const uint8_t add[] = { 0x48, 0x83, 0xc4 };

	*size = code[3];
	return !memcmp(code, add, sizeof(add)) && code[3] < 0x80 && code[4] == RET;
}
