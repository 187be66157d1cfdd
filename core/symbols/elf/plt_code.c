#include "core/symbols/elf/plt_code.h"

#include <elf.h>
#include <string.h>

static uint32_t plt_code_load_u32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static size_t endbr_len(const uint8_t *code, size_t len)
{
	return len >= 4 && !memcmp(code, "\xf3\x0f\x1e\xfa", 4) ? 4 : 0;
}

/*    f3 0f 1e fa  68 NUMBER */
bool plt_code_pushes(const uint8_t *code, size_t len, uint32_t *number)
{
	size_t at = endbr_len(code, len);

	if (!at || len - at < 5 || code[at] != 0x68)
		return false;
	*number = plt_code_load_u32(code + at + 1);
	return true;
}

/*   [f3 0f 1e fa]  [f2] ff 25 REL32    endbr64; bnd jmp *REL32(%rip) */
static bool x86_slot(const uint8_t *code, size_t len, uint64_t address, uint64_t *slot)
{
	size_t at = endbr_len(code, len);

	at += at < len && code[at] == 0xf2;
	if (len - at < 6 || code[at] != 0xff || code[at + 1] != 0x25)
		return false;
	*slot = address + at + 6 + (uint64_t)(int64_t)(int32_t)plt_code_load_u32(code + at + 2);
	return true;
}

/* [bti c]  adrp x16, PAGE;  ldr x17, [x16, #OFFSET] */
static bool arm_slot(const uint8_t *code, size_t len, uint64_t address, uint64_t *slot)
{
	size_t at = len >= 4 && plt_code_load_u32(code) == 0xd503245f ? 4 : 0;
	uint32_t adrp, ldr;
	int64_t pages;

	if (len - at < 8)
		return false;
	adrp = plt_code_load_u32(code + at);
	ldr = plt_code_load_u32(code + at + 4);
	if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
		return false;
	pages = (int64_t)((uint64_t)((adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3)) << 43) >> 43;
	*slot = ((address + at) & ~UINT64_C(4095)) + (uint64_t)pages * 4096 + (ldr >> 10 & 0xfff) * 8;
	return true;
}

bool plt_code_slot(unsigned machine, const uint8_t *code, size_t len, uint64_t address, uint64_t *slot)
{
	return machine == EM_X86_64 ? x86_slot(code, len, address, slot) : arm_slot(code, len, address, slot);
}
