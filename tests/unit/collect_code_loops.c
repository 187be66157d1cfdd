/* collect/jvm/code/code_loops.c, bytecodes.c: the bytecodes of a loop that has no debug information. */
#include "collect/jvm/code/code_loops.h"

#include <string.h>

#include "collect/jvm/silent.h"
#include "tests/unit/check.h"

/* ---- loops in bytecodes ------------------------------------------------------------------------- */

/* iload_0; what it does; istore_0; goto back */
#define LOOP(does, back) "\x1a" does "\x3b\xa7\xff" back "\xb1"

static void check_bytecode_loops(void)
{
	/* nop; nop; nop; goto 2; goto 0; return */
	static const uint8_t nest[] = { 0, 0, 0, 0xa7, 0xff, 0xff, 0xa7, 0xff, 0xfa, 0xb1 };
	/* two ways back to 0, as of "continue" */
	static const uint8_t twice[] = { 0, 0xa7, 0xff, 0xff, 0, 0xa7, 0xff, 0xfb, 0xb1 };
	uint8_t old[] = { 219, 229, 1, 228, 0, 0, 1 }; /* fast_aload_0, fast_aldc */
	struct bytecodes b = { nest, sizeof(nest) };
	struct bytecode_loop loops[4];

	CHECK(bytecode_loops(&b, loops, 4) == 1 && loops[0].from == 2 && loops[0].to == 3);
	b = (struct bytecodes){ twice, sizeof(twice) };
	CHECK(bytecode_loops(&b, loops, 4) == 1 && loops[0].from == 0 && loops[0].to == 5);
	b.len = 7; /* cut short */
	CHECK(!bytecode_loops(&b, loops, 4));
	bytecodes_of_8(old, sizeof(old));
	CHECK(old[0] == 220 && old[1] == 230 && old[2] == 1 && old[3] == 229);
}

/* ---- methods of machine loops ------------------------------------------------------------------- */

enum { MAIN, XORS, MULTIPLIES, BOTH };

#define METHOD(bytes)                                       \
	{                                                   \
		(const uint8_t *)(bytes), sizeof(bytes) - 1 \
	}

/* main calls three methods at 0, 3 and 6 (only their places matter). */
static const struct bytecodes methods[] = {
	[MAIN] = METHOD("\xb8\0\0\xb8\0\0\xb8\0\0\xb1"),
	[XORS] = METHOD(LOOP("\x82", "\xfd")),
	[MULTIPLIES] = METHOD(LOOP("\x68", "\xfd")),
	[BOTH] = METHOD(LOOP("\x82\x68", "\xfc")),
};

enum { TOLD = 7 };

#define SILENT(n, bci, of)                                                               \
	{ SILENT_SCOPE + 2 * (n), 0, MAIN, bci, 1, 0, 0 },                               \
	{                                                                                \
		SILENT_SCOPE + 2 * (n) + 1, SILENT_SCOPE + 2 * (n), of, 0, 2 + (n), 0, 0 \
	}

static struct inlined_scope different[] = {
	{ TOLD, 0, MAIN, 9, 1, 0, 0 }, SILENT(0, 0, XORS), SILENT(1, 3, MULTIPLIES), SILENT(2, 6, BOTH)
};
static struct inlined_scope alike[] = {
	{ TOLD, 0, MAIN, 9, 1, 0, 0 }, SILENT(0, 0, XORS), SILENT(1, 3, XORS), SILENT(2, 6, XORS)
};

enum { X = WORK_XOR | WORK_ADD, M = WORK_MULTIPLY | WORK_ADD, D = WORK_FLOAT_DIVIDE | WORK_FLOAT_ADD };

static const struct {
	const char *what;
	struct inlined_scope *scopes;
	uint32_t works[6];  /* of machine loops */
	const char *wanted; /* numbers of the silent methods */
} rows[] = {
	{ "one each", different, { X, M, X | M }, "012" },
	{ "several of each", different, { X, X, M, M, X | M, X | M }, "001122" },
	{ "code that begins in the midst of a loop around them", different, { M, X | M, X }, "120" },
	{ "of none", different, { D, M }, "-1" },
	{ "no work at all", different, { 0 }, "" },
	{ "all alike: in their order", alike, { X, X, X }, "012" },
};

static void check_row(size_t row)
{
	struct method_code code = { .inlined = rows[row].scopes, .inlined_count = 7, .methods = methods };
	struct code_loop loops[6];
	char line[8] = "";
	int32_t scopes[6];
	size_t count = 0;

	silent_link(rows[row].scopes, 7);
	while (count < 6 && rows[row].works[count]) {
		loops[count] = (struct code_loop){ .ahead = TOLD, .usual = TOLD, .work = rows[row].works[count] };
		count++;
	}
	code_loops_find(&code, loops, count, scopes);
	for (size_t i = 0; i < count; i++)
		line[i] = scopes[i] ? (char)('0' + (scopes[i] - SILENT_SCOPE) / 2) : '-';
	printf("# %s\n", rows[row].what);
	CHECK_TEXT(line, rows[row].wanted);
}

int main(void)
{
	check_bytecode_loops();
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_row(i);
	return check_done();
}
