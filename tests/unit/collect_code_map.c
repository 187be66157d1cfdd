/* collect/jvm/x86_code.c and code_map.c: instructions, and what the nearest debug information of each is. */
#include "collect/jvm/code_map.h"

#include <string.h>

#include "collect/jvm/x86_code.h"
#include "tests/unit/check.h"

/* ---- instructions --------------------------------------------------------------------------------- */

static const struct instruction {
	const char *bytes;
	size_t there;
	const char *wanted;   /* length, kind, distance */
} instructions[] = {
#define ROW(bytes, wanted) { bytes, sizeof(bytes) - 1, wanted }
	ROW("\x90", "1 other 0"),
	ROW("\x0f\x1f\x84\x00\x00\x00\x00\x00", "8 other 0"),       /* nop, long */
	ROW("\x48\x8b\x44\x24\x08", "5 other 0"),                   /* mov 8(%rsp), %rax */
	ROW("\x8b\x05\x01\x02\x03\x04", "6 other 0"),               /* mov d(%rip), %eax */
	ROW("\x42\x8b\x04\xad\x01\x02\x03\x04", "8 other 0"),       /* mov d(,%r13,4), %eax */
	ROW("\x49\xbb\x01\x02\x03\x04\x05\x06\x07\x08", "10 other 0"), /* movabs */
	ROW("\x66\xb8\x01\x02", "4 other 0"),
	ROW("\x66\x81\xc3\x01\x02", "5 other 0"),                   /* add of 16 bits */
	ROW("\xf6\x00\x01", "3 other 0"),                           /* testb */
	ROW("\xf7\xd8", "2 other 0"),                               /* neg */
	ROW("\x41\x85\x02", "3 other 0"),                           /* poll */
	ROW("\xc5\xf8\x77", "3 other 0"),                           /* vzeroupper */
	ROW("\xc5\xfe\x6f\x44\x0f\xe0", "6 other 0"),               /* vmovdqu d(%rdi,%rcx), %ymm0 */
	ROW("\xc4\xe2\x7d\x17\xc9", "5 other 0"),                   /* vptest */
	ROW("\xc4\xe3\x7d\x39\xc0\x01", "6 other 0"),               /* vextracti128 $1 */
	ROW("\x62\xf1\xfe\x48\x6f\x44\x24\x01", "8 other 0"),       /* vmovdqu64 zmm */
	ROW("\x75\xfe", "2 branch -2"),
	ROW("\x0f\x8c\x10\x00\x00\x00", "6 branch 16"),
	ROW("\xeb\x05", "2 jump 5"),
	ROW("\xe9\xfb\xff\xff\xff", "5 jump -5"),
	ROW("\xe8\x00\x01\x00\x00", "5 call 256"),
	ROW("\x41\xff\xd2", "3 call 0"),                            /* call *%r10 */
	ROW("\xff\x24\xc5\x01\x02\x03\x04", "7 end 0"),             /* jmp *d(,%rax,8) */
	ROW("\xc3", "1 end 0"),
	ROW("\xf4", "1 end 0"),
	ROW("\x0f\x0b", "2 end 0"),
	/* none */
	ROW("\x06", "none"),
	ROW("\xe8\x00\x01\x00", "none"),                            /* cut short */
	ROW("\x48", "none"),
	ROW("\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90", "none"),
#undef ROW
};

static const char *text(const struct instruction *in)
{
	static const char *const kinds[] = { "other", "branch", "jump", "call", "end" };
	static char line[64];
	struct x86_instruction found;

	if (!x86_decode((const uint8_t *)in->bytes, in->there, &found))
		return "none";
	snprintf(line, sizeof(line), "%d %s %d", found.len, kinds[found.kind], found.distance);
	return line;
}

/* ---- the nearest ---------------------------------------------------------------------------------- */

/* Scopes of each instruction, as letters. */
static const char *scopes_of(const struct method_code *code)
{
	static char line[64];
	struct x86_instruction in;
	struct code_map map;
	size_t count = 0;

	if (!code_map_make(&map, code))
		return "none";
	for (size_t at = 0; at < code->len; at += x86_decode(code->bytes + at, code->len - at, &in)) {
		uint32_t scope = code_map_scope(&map, (uint32_t)at);

		line[count++] = scope ? (char)scope : '-';
	}
	line[count] = '\0';
	code_map_free(&map);
	return line;
}

#define NOP "\x90"
#define CALL "\xe8\x00\x00\x00\x00"
#define POLL "\x41\x85\x02"

static const struct row {
	const char *what, *bytes;
	size_t len;
	struct told told[4];
	struct null_check check;
	const char *wanted;
} rows[] = {
#define ROW(what, bytes, ...) { what, bytes, sizeof(bytes) - 1, __VA_ARGS__ }
	ROW("nothing is told", NOP NOP "\xc3", { { -1, 0 } }, { 0, 0 }, "---"),
	ROW("a call, told of where it returns to", NOP CALL NOP NOP NOP POLL "\xc3", { { -1, 0 }, { 6, 'A' }, { 9, 'B' } }, { 0, 0 },
	    "AAABBBB"),
	ROW("a branch that leads to a call", NOP "\x74\x04" NOP NOP NOP "\xc3" CALL "\xf4", { { 12, 'A' } }, { 0, 0 },
	    "AAAAAAAA"),
	ROW("what stands behind a jump, does not belong to it", "\x74\x06" NOP NOP NOP POLL "\xc3" NOP CALL "\xf4",
	    { { 5, 'B' }, { 15, 'A' } }, { 0, 0 }, "BBBBBBAAA"),
	ROW("a loop that nothing is told of: what comes next", POLL NOP NOP NOP "\x75\xfb" NOP NOP NOP NOP NOP POLL "\xc3",
	    { { 0, 'A' }, { 13, 'B' } }, { 0, 0 }, "ABBBBBBBBBBB"),
	ROW("a loop that is told of", NOP NOP POLL NOP NOP "\x75\xf7" NOP NOP POLL "\xc3", { { 2, 'A' }, { 11, 'B' } }, { 0, 0 },
	    "AAAAABBBBB"),
	ROW("an implicit null check", NOP NOP "\x8b\x06" NOP NOP NOP NOP NOP POLL "\xc3" CALL "\xf4", { { 9, 'B' }, { 18, 'A' } },
	    { 2, 13 }, "AAAAABBBBBAA"),
	ROW("code that is not known", NOP NOP "\x06" NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP
	    NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP
	    NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP, { { 1, 'A' } }, { 0, 0 }, "none"),
#undef ROW
};

static void check_row(const struct row *r)
{
	struct method_code code = { .bytes = (const uint8_t *)r->bytes, .len = r->len, .told = r->told, .checks = &r->check,
				    .check_count = r->check.handler != 0 };

	while (code.told_count < 4 && (r->told[code.told_count].scope || r->told[code.told_count].at))
		code.told_count++;
	printf("# %s\n", r->what);
	CHECK_TEXT(scopes_of(&code), r->wanted);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(instructions) / sizeof(*instructions); i++)
		CHECK_TEXT(text(&instructions[i]), instructions[i].wanted);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_row(&rows[i]);
	return check_done();
}
