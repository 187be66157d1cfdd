/* DWARF expressions of call frame information: their results, and that none does harm. */
#include <dwarf.h>

#include "core/unwind/expression.h"
#include "tests/unit/check.h"

enum { STACK = 0x1000 };

struct row {
	const char *name;
	Dwarf_Op ops[8];
	size_t count;
	enum expression_result result;
	enum expression_kind kind;
	uint64_t value;
};

#define OP1(a)                    \
	{                         \
		.atom = DW_OP_##a \
	}
#define OP2(a, n)                                          \
	{                                                  \
		.atom = DW_OP_##a, .number = (uint64_t)(n) \
	}
#define OP3(a, n, m)                                                                 \
	{                                                                            \
		.atom = DW_OP_##a, .number = (uint64_t)(n), .number2 = (uint64_t)(m) \
	}
#define AT(o, a, n)                                                       \
	{                                                                 \
		.atom = DW_OP_##a, .number = (uint64_t)(n), .offset = (o) \
	}

/* rsp (7) is STACK, rip (16) 0x402b; words of the stack are 100, 101, ...; the CFA is 0x1010. */
static const struct row rows[] = {
	{ "PLT, first half", /* rsp + 8 + ((rip & 15) >= 11) << 3 */
	  { OP2(breg7, 8), OP3(bregx, 16, 0), OP1(lit15), OP1(and), OP1(lit11), OP1(ge), OP1(lit3), OP1(shl) },
	  8,
	  EXPRESSION_OK,
	  EXPRESSION_ADDRESS,
	  8 },
	{ "CFA", { OP1(call_frame_cfa), OP2(plus_uconst, -16) }, 2, EXPRESSION_OK, EXPRESSION_ADDRESS, 0x1000 },
	{ "value", { OP1(call_frame_cfa), OP1(stack_value) }, 2, EXPRESSION_OK, EXPRESSION_VALUE, 0x1010 },
	{ "register", { OP2(regx, 7) }, 1, EXPRESSION_OK, EXPRESSION_REGISTER, 7 },
	{ "short register", { OP1(reg12) }, 1, EXPRESSION_OK, EXPRESSION_REGISTER, 12 },
	{ "memory", { OP2(breg7, 8), OP1(deref) }, 2, EXPRESSION_OK, EXPRESSION_ADDRESS, 101 },
	{ "part of memory", { OP2(breg7, 8), OP2(deref_size, 1) }, 2, EXPRESSION_OK, EXPRESSION_ADDRESS, 101 },
	{ "memory not copied", { OP2(breg7, -8), OP1(deref) }, 2, EXPRESSION_UNREAD, 0, 0 },
	{ "memory of no size", { OP2(breg7, 8), OP2(deref_size, 0) }, 2, EXPRESSION_BAD, 0, 0 },
	{ "too much memory", { OP2(breg7, 8), OP2(deref_size, 9) }, 2, EXPRESSION_BAD, 0, 0 },
	{ "minus", { OP1(lit5), OP1(lit7), OP1(minus) }, 3, EXPRESSION_OK, EXPRESSION_ADDRESS, (uint64_t)-2 },
	{ "signed less", { OP2(consts, -1), OP1(lit1), OP1(lt) }, 3, EXPRESSION_OK, EXPRESSION_ADDRESS, 1 },
	{ "signed quotient",
	  { OP2(consts, -8), OP1(lit2), OP1(div) },
	  3,
	  EXPRESSION_OK,
	  EXPRESSION_ADDRESS,
	  (uint64_t)-4 },
	{ "quotient out of range",
	  { OP2(constu, INT64_MIN), OP2(consts, -1), OP1(div) },
	  3,
	  EXPRESSION_OK,
	  EXPRESSION_ADDRESS,
	  (uint64_t)INT64_MIN },
	{ "divided by 0", { OP1(lit1), OP1(lit0), OP1(div) }, 3, EXPRESSION_BAD, 0, 0 },
	{ "rest of 0", { OP1(lit1), OP1(lit0), OP1(mod) }, 3, EXPRESSION_BAD, 0, 0 },
	{ "shift too far", { OP1(lit1), OP2(const1u, 64), OP1(shl) }, 3, EXPRESSION_OK, EXPRESSION_ADDRESS, 0 },
	{ "signed shift",
	  { OP2(consts, -16), OP1(lit2), OP1(shra) },
	  3,
	  EXPRESSION_OK,
	  EXPRESSION_ADDRESS,
	  (uint64_t)-4 },
	{ "rotation",
	  { OP1(lit1), OP1(lit2), OP1(lit3), OP1(rot), OP1(drop) },
	  5,
	  EXPRESSION_OK,
	  EXPRESSION_ADDRESS,
	  1 },
	{ "swap", { OP1(lit1), OP1(lit2), OP1(swap) }, 3, EXPRESSION_OK, EXPRESSION_ADDRESS, 1 },
	{ "over", { OP1(lit1), OP1(lit2), OP1(over) }, 3, EXPRESSION_OK, EXPRESSION_ADDRESS, 1 },
	{ "pick", { OP1(lit1), OP1(lit2), OP2(pick, 1) }, 3, EXPRESSION_OK, EXPRESSION_ADDRESS, 1 },
	{ "pick of nothing", { OP1(lit1), OP2(pick, 1) }, 2, EXPRESSION_BAD, 0, 0 },
	{ "branch taken",
	  { AT(0, lit7, 0), AT(1, lit1, 0), AT(2, bra, 1), AT(5, lit3, 0), AT(6, nop, 0) },
	  5,
	  EXPRESSION_OK,
	  EXPRESSION_ADDRESS,
	  7 },
	{ "branch not taken",
	  { AT(0, lit7, 0), AT(1, lit0, 0), AT(2, bra, 1), AT(5, lit3, 0), AT(6, nop, 0) },
	  5,
	  EXPRESSION_OK,
	  EXPRESSION_ADDRESS,
	  3 },
	{ "branch to the end",
	  { AT(0, lit7, 0), AT(1, skip, 1), AT(4, lit3, 0) },
	  3,
	  EXPRESSION_OK,
	  EXPRESSION_ADDRESS,
	  7 },
	{ "branch for ever", { AT(0, lit7, 0), AT(1, skip, -3) }, 2, EXPRESSION_BAD, 0, 0 },
	{ "branch on nothing", { AT(0, bra, -3) }, 1, EXPRESSION_BAD, 0, 0 },
	{ "pushes for ever", { AT(0, lit7, 0), AT(1, skip, -4) }, 2, EXPRESSION_BAD, 0, 0 },
	{ "unknown register", { OP2(breg3, 0) }, 1, EXPRESSION_BAD, 0, 0 },
	{ "no register", { OP3(bregx, 1000, 0) }, 1, EXPRESSION_BAD, 0, 0 },
	{ "nothing", { OP1(nop) }, 1, EXPRESSION_BAD, 0, 0 },
	{ "too few", { OP1(lit1), OP1(plus) }, 2, EXPRESSION_BAD, 0, 0 },
	{ "unknown operation", { OP1(lit1), OP1(lit1), OP1(push_object_address) }, 3, EXPRESSION_BAD, 0, 0 },
};

static void try_row(const struct row *row)
{
	static const uint64_t words[4] = { 100, 101, 102, 103 };
	const uint64_t cfa = 0x1010;
	struct stack_copy stack = { .bytes = (const uint8_t *)words, .start = STACK, .len = sizeof(words) };
	struct registers registers = { .known = 0 };
	enum expression_kind kind = EXPRESSION_ADDRESS;
	enum expression_result result;
	uint64_t value = 0;

	register_set(&registers, X86_RSP, STACK);
	register_set(&registers, X86_RIP, 0x402b);
	result = expression_run(row->ops, row->count, &registers, &stack, &cfa, &value, &kind);
	printf("# %s: %d, %lx\n", row->name, (int)result, (unsigned long)value);
	CHECK(result == row->result && (result != EXPRESSION_OK || (value == row->value && kind == row->kind)));
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		try_row(&rows[i]);
	return check_done();
}
