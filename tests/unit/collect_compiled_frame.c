/* Where the frame of a compiled method is, at each instruction that sets it up or removes it. */
#include <string.h>

#include "collect/jvm/code/compiled_frame.h"
#include "tests/unit/check.h"

#define BANG "\x89\x84\x24\x00\xc0\xfe\xff"
#define PUSH "\x55"
#define MOV_FP "\x48\x8b\xec"
#define IC_CHECK "\x49\x3b\xc2\x0f\x85\x11\x22\x33\x44"
#define BARRIER "\x41\x81\x7f\x20\x01\x00\x00\x00\x0f\x85\x55\x48\x83\xec"

/* cfa and saved: above the stack pointer, in hexadecimal; "-": in the register. */
static const char *text(struct compiled_frame f)
{
	static char line[64];

	if (f.saved_above == UINT64_MAX)
		snprintf(line, sizeof(line), "%llx -", (unsigned long long)f.cfa_above);
	else
		snprintf(line, sizeof(line), "%llx %llx", (unsigned long long)f.cfa_above,
			 (unsigned long long)f.saved_above);
	return line;
}

static const struct prologue {
	const char *code;
	size_t len, at;
	uint64_t size;
	const char *wanted;
} prologues[] = {
#define ROW(code, at, size, wanted)                      \
	{                                                \
		code, sizeof(code) - 1, at, size, wanted \
	}
	ROW(BANG PUSH "\x48\x83\xec\x20", 0, 0x30, "8 -"),
	ROW(BANG PUSH "\x48\x83\xec\x20", 7, 0x30, "8 -"),
	ROW(BANG PUSH "\x48\x83\xec\x20", 8, 0x30, "10 0"),
	ROW(IC_CHECK BANG PUSH "\x48\x83\xec\x20" BARRIER, 9, 0x30, "8 -"),
	ROW(IC_CHECK BANG PUSH "\x48\x83\xec\x20" BARRIER, 17, 0x30, "10 0"),
	ROW(IC_CHECK BANG PUSH "\x48\x83\xec\x20" BARRIER, 21, 0x30, "30 20"),
	ROW(IC_CHECK BANG PUSH "\x48\x83\xec\x20" BARRIER, 29, 0x30, "30 20"),
	ROW(BANG PUSH MOV_FP "\x48\x81\xec\x40\x01\x00\x00", 8, 0x150, "10 0"),
	ROW(BANG PUSH MOV_FP "\x48\x81\xec\x40\x01\x00\x00", 11, 0x150, "10 0"),
	ROW(BANG PUSH MOV_FP "\x48\x81\xec\x40\x01\x00\x00"
			     "\x90",
	    18, 0x150, "150 140"),
	/* nothing is subtracted */
	ROW(BANG PUSH BARRIER, 7, 0x10, "8 -"),
	ROW(BANG PUSH BARRIER, 8, 0x10, "10 0"),
	/* no push */
	ROW("\x48\x81\xec\x18\x00\x00\x00\x48\x89\x6c\x24\x10", 0, 0x20, "8 -"),
	ROW("\x48\x81\xec\x18\x00\x00\x00\x48\x89\x6c\x24\x10", 7, 0x20, "20 -"),
	ROW("\x48\x81\xec\x18\x00\x00\x00\x48\x89\x6c\x24\x10" BARRIER, 12, 0x20, "20 10"),
	ROW("\x48\x81\xec\x08\x00\x00\x00\x48\x89\x2c\x24" BARRIER, 7, 0x10, "10 -"),
	ROW("\x48\x81\xec\x08\x00\x00\x00\x48\x89\x2c\x24" BARRIER, 11, 0x10, "10 0"),
	/* another size: it is no prologue */
	ROW(BANG PUSH "\x48\x83\xec\x20", 8, 0x60, "8 -"),
	ROW("", 0, 0x30, "8 -"),
#undef ROW
};

static const struct epilogue {
	const char *before;
	size_t before_len;
	const char *after;
	size_t after_len;
	uint64_t size;
	const char *wanted;
} epilogues[] = {
#define ROW(before, after, size, wanted)                                           \
	{                                                                          \
		before, sizeof(before) - 1, after, sizeof(after) - 1, size, wanted \
	}
	ROW("", "\x48\x83\xc4\x20\x5d\xc3", 0x30, "30 20"),
	ROW("\x48\x83\xc4\x20", "\x5d\xc3", 0x30, "10 0"),
	ROW("\x48\x83\xc4\x20\x5d", "\xc3", 0x30, "8 -"),
	ROW("", "\x5d\xc3", 0x10, "10 0"),
	/* polls: JDK 8, 11, 17 */
	ROW("\x48\x83\xc4\x20", "\x5d\x85\x05\x11\x22\x33\x44\xc3", 0x30, "10 0"),
	ROW("\x48\x83\xc4\x20\x5d", "\x85\x05\x11\x22\x33\x44\xc3", 0x30, "8 -"),
	ROW("\x48\x83\xc4\x20\x5d", "\x4d\x8b\x97\x08\x01\x00\x00\x41\x85\x02\xc3", 0x30, "8 -"),
	ROW("\x4d\x8b\x97\x08\x01\x00\x00", "\x41\x85\x02\xc3", 0x30, "8 -"),
	ROW("\x48\x83\xc4\x20", "\x5d\x49\x3b\xa7\x40\x03\x00\x00\x0f\x87\x66\x00\x00\x00\xc3", 0x30, "10 0"),
	ROW("\x48\x83\xc4\x20\x5d", "\x49\x3b\xa7\x40\x03\x00\x00\x0f\x87\x66\x00\x00\x00\xc3", 0x30, "8 -"),
	ROW("\x49\x3b\xa7\x40\x03\x00\x00", "\x0f\x87\x66\x00\x00\x00\xc3", 0x30, "8 -"),
	ROW("\x48\x81\xc4\x40\x01\x00\x00", "\x5d\xe9\x11\x22\x33\x44", 0x150, "10 0"),
	ROW("\x81\xc4\x40\x01\x00\x00\x5d", "\xe9\x11\x22\x33\x44", 0x150, "150 140"),
	ROW("\x48\x81\xc4\x40\x01\x00\x00\x5d", "\xe9\x11\x22\x33\x44", 0x150, "8 -"),
	ROW("", "\x4c\x8d\x15\x11\x22\x33\x44\x4d\x89\x97\x40\x03\x00\x00\xe9", 0x30, "8 -"),
	/* none of them */
	ROW("", "\xe9\x11\x22\x33\x44", 0x30, "30 20"),
	ROW("", "\x41\x85\x02\x48\x8b\xc1", 0x30, "30 20"),
	ROW("", "\x8b\xc1\xc3", 0x30, "30 20"),
#undef ROW
};

static void check_epilogue(const struct epilogue *e)
{
	uint8_t code[EPILOGUE_BEFORE + EPILOGUE_AFTER];

	memset(code, 0x90, sizeof(code));
	memcpy(code + EPILOGUE_BEFORE - e->before_len, e->before, e->before_len);
	memcpy(code + EPILOGUE_BEFORE, e->after, e->after_len);
	CHECK_TEXT(text(compiled_frame_in_body(code, e->size)), e->wanted);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(prologues) / sizeof(*prologues); i++) {
		const struct prologue *p = &prologues[i];

		CHECK_TEXT(text(compiled_frame_in_prologue((const uint8_t *)p->code, p->len, p->at, p->size)),
			   p->wanted);
	}
	for (size_t i = 0; i < sizeof(epilogues) / sizeof(*epilogues); i++)
		check_epilogue(&epilogues[i]);
	return check_done();
}
