/* collect/jvm/code/x86_code.c and code_map.c: instructions, and the nearest debug information of each. */
#include "collect/jvm/code/code_map.h"

#include <string.h>

#include "collect/jvm/code/code_path.h"
#include "collect/jvm/code/x86_code.h"
#include "tests/unit/check.h"

/* ---- instructions --------------------------------------------------------------------------------- */

static const struct instruction {
	const char *bytes;
	size_t there;
	const char *wanted; /* length, kind, distance */
} instructions[] = {
#define ROW(bytes, wanted)                       \
	{                                        \
		bytes, sizeof(bytes) - 1, wanted \
	}
	ROW("\x90", "1 other 0"),
	ROW("\x0f\x1f\x84\x00\x00\x00\x00\x00", "8 other 0"),          /* nop, long */
	ROW("\x48\x8b\x44\x24\x08", "5 other 0"),                      /* mov 8(%rsp), %rax */
	ROW("\x8b\x05\x01\x02\x03\x04", "6 other 0"),                  /* mov d(%rip), %eax */
	ROW("\x42\x8b\x04\xad\x01\x02\x03\x04", "8 other 0"),          /* mov d(,%r13,4), %eax */
	ROW("\x49\xbb\x01\x02\x03\x04\x05\x06\x07\x08", "10 other 0"), /* movabs */
	ROW("\x66\xb8\x01\x02", "4 other 0"),
	ROW("\x66\x81\xc3\x01\x02", "5 other 0"),             /* add of 16 bits */
	ROW("\xf6\x00\x01", "3 other 0"),                     /* testb */
	ROW("\xf7\xd8", "2 other 0"),                         /* neg */
	ROW("\x41\x85\x02", "3 other 0"),                     /* poll */
	ROW("\xc5\xf8\x77", "3 other 0"),                     /* vzeroupper */
	ROW("\xc5\xfe\x6f\x44\x0f\xe0", "6 other 0"),         /* vmovdqu d(%rdi,%rcx), %ymm0 */
	ROW("\xc4\xe2\x7d\x17\xc9", "5 other 0"),             /* vptest */
	ROW("\xc4\xe3\x7d\x39\xc0\x01", "6 other 0"),         /* vextracti128 $1 */
	ROW("\x62\xf1\xfe\x48\x6f\x44\x24\x01", "8 other 0"), /* vmovdqu64 zmm */
	ROW("\x75\xfe", "2 branch -2"),
	ROW("\x0f\x8c\x10\x00\x00\x00", "6 branch 16"),
	ROW("\xeb\x05", "2 jump 5"),
	ROW("\xe9\xfb\xff\xff\xff", "5 jump -5"),
	ROW("\xe8\x00\x01\x00\x00", "5 call 256"),
	ROW("\x41\xff\xd2", "3 call 0"),                /* call *%r10 */
	ROW("\xff\x24\xc5\x01\x02\x03\x04", "7 end 0"), /* jmp *d(,%rax,8) */
	ROW("\xc3", "1 end 0"),
	ROW("\xf4", "1 end 0"),
	ROW("\x0f\x0b", "2 end 0"),
	/* none */
	ROW("\x06", "none"),
	ROW("\xe8\x00\x01\x00", "none"), /* cut short */
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
#define ROW(what, bytes, ...)                               \
	{                                                   \
		what, bytes, sizeof(bytes) - 1, __VA_ARGS__ \
	}
	ROW("nothing is told", NOP NOP "\xc3", { { -1, 0 } }, { 0, 0 }, "---"),
	ROW("a call, told of where it returns to", NOP CALL NOP NOP NOP POLL "\xc3",
	    { { -1, 0 }, { 6, 'A' }, { 9, 'B' } }, { 0, 0 }, "AAABBBB"),
	ROW("a branch that leads to a call", NOP "\x74\x04" NOP NOP NOP "\xc3" CALL "\xf4", { { 12, 'A' } }, { 0, 0 },
	    "AAAAAAAA"),
	ROW("what stands behind a jump, does not belong to it", "\x74\x06" NOP NOP NOP POLL "\xc3" NOP CALL "\xf4",
	    { { 5, 'B' }, { 15, 'A' } }, { 0, 0 }, "BBBBBBAAA"),
	ROW("a loop that nothing is told of: what comes next",
	    POLL NOP NOP NOP "\x75\xfb" NOP NOP NOP NOP NOP POLL "\xc3", { { 0, 'A' }, { 13, 'B' } }, { 0, 0 },
	    "ABBBBBBBBBBB"),
	ROW("a loop that is told of", NOP NOP POLL NOP NOP "\x75\xf7" NOP NOP POLL "\xc3", { { 2, 'A' }, { 11, 'B' } },
	    { 0, 0 }, "AAAAABBBBB"),
	ROW("an implicit null check", NOP NOP "\x8b\x06" NOP NOP NOP NOP NOP POLL "\xc3" CALL "\xf4",
	    { { 9, 'B' }, { 18, 'A' } }, { 2, 13 }, "AAAAABBBBBAA"),
	ROW("a loop that clears what was made before",
	    CALL NOP NOP NOP "\xc5\xfe\x7f\x07" NOP "\x75\xf9" NOP POLL "\xc3", { { 5, 'A' }, { 16, 'B' } }, { 0, 0 },
	    "AAAAAAABBB"),
	ROW("code that is not known",
	    NOP NOP "\x06" NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP
		    NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP
			    NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP NOP,
	    { { 1, 'A' } }, { 0, 0 }, "none"),
#undef ROW
};

static void check_row(const struct row *r)
{
	struct method_code code = { .bytes = (const uint8_t *)r->bytes,
				    .len = r->len,
				    .told = r->told,
				    .checks = &r->check,
				    .check_count = r->check.handler != 0 };

	while (code.told_count < 4 && (r->told[code.told_count].scope || r->told[code.told_count].at))
		code.told_count++;
	printf("# %s\n", r->what);
	CHECK_TEXT(scopes_of(&code), r->wanted);
}

/* ---- what instructions and bytecodes do ------------------------------------------------------------ */

static const struct {
	const char *what;
	char instruction[16];
	const char *bytecodes;
	size_t len;
	int from, to;
	bool is_made_of; /* can the instruction come from these bytecodes? */
} works[] = {
#define ROW(what, instruction, bytecodes, ...)                                   \
	{                                                                        \
		what, instruction, bytecodes, sizeof(bytecodes) - 1, __VA_ARGS__ \
	}
	ROW("and", "\x81\xe2\xff\x0f\x00\x00", "\x1a\x11\x0f\xff\x7e\xac", 0, 5,
	    true), /* iload_0 sipush iand ireturn */
	ROW("and, behind the range", "\x81\xe2\xff\x0f\x00\x00", "\x1a\x11\x0f\xff\x7e\xac", 0, 3, false),
	ROW("and, before it", "\x81\xe2\xff\x0f\x00\x00", "\x1a\x11\x0f\xff\x7e\xac", 5, 9, false),
	ROW("a multiplication", "\x69\xdb\xb9\x79\x37\x9e", "\x1a\x12\x68", 0, 3,
	    false), /* of which ldc eats one byte */
	ROW("a multiplication", "\x69\xdb\xb9\x79\x37\x9e", "\x1a\x12\x01\x68", 0, 3, true),
	ROW("an addition is none", "\x41\x01\xd3", "\x1a\x12\x01\x68", 0, 3, false),
	ROW("a multiplication by shifts", "\xc1\xe7\x05", "\x1a\x10\x20\x68", 0, 3, true),
	ROW("a division by multiplication", "\x48\xf7\xe8", "\x1e\x14\x00\x02\x71", 0, 9, true), /* imul %rax; lrem */
	ROW("a sum of floats", "\xc5\xfb\x58\xc1", "\x26\x28\x63", 0, 9, true),                  /* vaddsd; dadd */
	ROW("a sum of floats is none of ints", "\xc5\xfb\x58\xc1", "\x1a\x1b\x60", 0, 9, false),
	ROW("a move tells nothing", "\x8b\x44\x24\x08", "\x1a\x1b\x60\x64\x68", 0, 9, false),
	ROW("a comparison tells nothing", "\x39\xd9", "\x1a\x1b\x60\x64\x68", 0, 9, false),
	ROW("zero, by xor", "\x31\xc0", "\x1a\x1b\x82", 0, 9, false),
	ROW("xor", "\x31\xc8", "\x1a\x1b\x82", 0, 9, true),
	ROW("behind a switch", "\x01\xc8",
	    "\xaa\x00\x00\x00\x00\x00\x00\x10\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x18\x00\x00\x00\x18\x60", 0,
	    30, true),
	ROW("HotSpot's own getfield", "\x01\xc8", "\xde\xcb\x01\x00\x60", 0, 9,
	    true), /* fast_aaccess_0 fast_agetfield */
	ROW("bytecodes that are not known", "\x01\xc8", "\x60\xff\x60", 0, 9, false),
	ROW("bytecodes cut short", "\x01\xc8", "\x60\xb6\x01", 0, 9, false),
#undef ROW
};

static void check_works(void)
{
	struct x86_instruction in;

	for (size_t i = 0; i < sizeof(works) / sizeof(*works); i++) {
		struct bytecodes b = { (const uint8_t *)works[i].bytecodes, works[i].len };

		printf("# %s\n", works[i].what);
		CHECK(x86_decode((const uint8_t *)works[i].instruction, sizeof(works[i].instruction), &in));
		CHECK(!!(work_of_instruction(&in) & work_of_bytecodes(&b, works[i].from, works[i].to)) ==
		      works[i].is_made_of);
	}
}

/* iinc 1 by 1; goto 0: leads back to 0, and not past anything after it */
static void check_loops(void)
{
	struct bytecodes b = { (const uint8_t *)"\x84\x01\x01\xa7\xff\xfd\xb1", 7 };

	CHECK(work_loops_around(&b, 0));
	CHECK(work_loops_around(&b, 3));
	CHECK(!work_loops_around(&b, 6));
	b.len = 4;
	CHECK(!work_loops_around(&b, 0));
}

/* ---- the path from one scope to the next ------------------------------------------------------------ */

#define ADDS "\x1a\x1b\x60\xac"
#define MASKS "\x1a\x10\x7f\x7e\xac"
#define SHIFTS "\x1a\x04\x78\xac"
#define LOOPS "\x84\x01\x01\xa7\xff\xfd\xb1"

static const struct bytecodes path_methods[] = {
	/* of A and E; of B and F; of C; of D */
	{ (const uint8_t *)MASKS, 5 },
	{ (const uint8_t *)ADDS, 4 },
	{ (const uint8_t *)SHIFTS, 4 },
	{ (const uint8_t *)LOOPS, 7 },
};

/* A, at 0, and E, at 4, belong to one method; B and F to another. */
static const struct inlined_scope path_scopes[] = {
#define SCOPE(scope, caller, method, bci)            \
	{                                            \
		scope, caller, method, bci, 0, 0, 0, \
	}
	SCOPE('A', 0, 0, 0), SCOPE('B', 'A', 1, 2), SCOPE('C', 'E', 2, 0),
	SCOPE('D', 0, 3, 3), SCOPE('E', 0, 0, 4),   SCOPE('F', 'D', 1, 2),
#undef SCOPE
};

static const struct way {
	const char *what;
	char behind, ahead;
	uint32_t work;
	char usual, wanted;
} ways[] = {
	{ "of the method between two calls", 'B', 'E', WORK_AND, 'B', 'E' },
	{ "of the call before", 'B', 'E', WORK_ADD, 'E', 'B' },
	{ "of none", 'B', 'E', WORK_DIVIDE, 'B', 0 },
	{ "not behind where it leads to", 'B', 'C', WORK_SHIFT, 'B', 0 },
	{ "of two, the usual", 'F', 'F', WORK_ADD, 'F', 'F' },
	{ "of two, not told", 'F', 'F', WORK_ADD, 'A', 0 },
	{ "a loop leads back: its caller's, too", 'F', 'D', WORK_ADD, 'D', 'D' },
	{ "nothing before", 0, 'B', WORK_AND, 'B', 0 },
	{ "nothing is known", 'X', 'Y', WORK_ADD, 'X', 0 },
};

static void check_ways(void)
{
	struct method_code code = { .inlined = path_scopes,
				    .inlined_count = sizeof(path_scopes) / sizeof(*path_scopes),
				    .methods = path_methods };
	struct code_path path;

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		printf("# %s\n", ways[i].what);
		code_path_find(&path, &code, ways[i].behind, ways[i].ahead);
		CHECK(code_path_choose(&path, ways[i].work, ways[i].usual) == ways[i].wanted);
	}
}

int main(void)
{
	for (size_t i = 0; i < sizeof(instructions) / sizeof(*instructions); i++)
		CHECK_TEXT(text(&instructions[i]), instructions[i].wanted);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_row(&rows[i]);
	check_works();
	check_loops();
	check_ways();
	return check_done();
}
