#include "core/unwind/expression.h"

#include <dwarf.h>

enum {
	STACK_MAX = 64,
	STEPS_MAX = 1000, /* limit on the steps of an expression; loops are possible, but useless */
};

struct machine {
	uint64_t items[STACK_MAX];
	size_t depth;
	const struct registers *registers;
	struct stack_copy *stack;
	const uint64_t *cfa;
	enum expression_kind kind;
};

static bool expression_push(struct machine *m, uint64_t value)
{
	if (m->depth == STACK_MAX)
		return false;
	m->items[m->depth++] = value;
	return true;
}

static bool push_register(struct machine *m, uint64_t number, uint64_t offset)
{
	uint64_t value;

	return register_get(m->registers, number, &value) && expression_push(m, value + offset);
}

static bool push_copy(struct machine *m, uint64_t below_top)
{
	return below_top < m->depth && expression_push(m, m->items[m->depth - 1 - below_top]);
}

/* A binary operation replaces two numbers by one. */
static bool binary(struct machine *m, uint8_t atom)
{
	uint64_t a, b, *to;

	if (m->depth < 2)
		return false;
	b = m->items[--m->depth];
	to = &m->items[m->depth - 1];
	a = *to;
	switch (atom) {
	case DW_OP_and: *to = a & b; break;
	case DW_OP_or: *to = a | b; break;
	case DW_OP_xor: *to = a ^ b; break;
	case DW_OP_plus: *to = a + b; break;
	case DW_OP_minus: *to = a - b; break;
	case DW_OP_mul: *to = a * b; break;
	case DW_OP_div:
		if (!b)
			return false;
		*to = b == UINT64_MAX ? -a : (uint64_t)((int64_t)a / (int64_t)b);
		break;
	case DW_OP_mod:
		if (!b)
			return false;
		*to = a % b;
		break;
	case DW_OP_shl: *to = b < 64 ? a << b : 0; break;
	case DW_OP_shr: *to = b < 64 ? a >> b : 0; break;
	case DW_OP_shra: *to = (uint64_t)((int64_t)a >> (b < 64 ? b : 63)); break;
	case DW_OP_eq: *to = a == b; break;
	case DW_OP_ne: *to = a != b; break;
	case DW_OP_lt: *to = (int64_t)a < (int64_t)b; break;
	case DW_OP_le: *to = (int64_t)a <= (int64_t)b; break;
	case DW_OP_gt: *to = (int64_t)a > (int64_t)b; break;
	case DW_OP_ge: *to = (int64_t)a >= (int64_t)b; break;
	default: return false;
	}
	return true;
}

static bool unary(struct machine *m, const Dwarf_Op *op)
{
	uint64_t *top;

	if (!m->depth)
		return false;
	top = &m->items[m->depth - 1];
	switch (op->atom) {
	case DW_OP_abs: *top = (int64_t)*top < 0 ? -*top : *top; break;
	case DW_OP_neg: *top = -*top; break;
	case DW_OP_not: *top = ~*top; break;
	case DW_OP_plus_uconst: *top += op->number; break;
	case DW_OP_drop: m->depth--; break;
	case DW_OP_stack_value: m->kind = EXPRESSION_VALUE; break;
	default: return false;
	}
	return true;
}

static bool expression_swap(struct machine *m)
{
	uint64_t top;

	if (m->depth < 2)
		return false;
	top = m->items[m->depth - 1];
	m->items[m->depth - 1] = m->items[m->depth - 2];
	m->items[m->depth - 2] = top;
	return true;
}

static bool rotate(struct machine *m)
{
	uint64_t top;

	if (m->depth < 3)
		return false;
	top = m->items[m->depth - 1];
	m->items[m->depth - 1] = m->items[m->depth - 2];
	m->items[m->depth - 2] = m->items[m->depth - 3];
	m->items[m->depth - 3] = top;
	return true;
}

/* Replace an address by the number in the size bytes at it. */
static enum expression_result dereference(struct machine *m, uint64_t size)
{
	uint64_t *top;

	if (!m->depth || !size || size > 8)
		return EXPRESSION_BAD;
	top = &m->items[m->depth - 1];
	if (!stack_read(m->stack, *top, top))
		return EXPRESSION_UNREAD;
	if (size < 8)
		*top &= ((uint64_t)1 << 8 * size) - 1;
	return EXPRESSION_OK;
}

/* The index of the operation that a branch leads to; count: the end. */
static size_t branch(const Dwarf_Op *ops, size_t count, size_t from)
{
	uint64_t target = ops[from].offset + 3 + (uint64_t)(int64_t)(int16_t)ops[from].number;

	for (size_t i = 0; i < count; i++) {
		if (ops[i].offset == target && ops[i].atom != DW_OP_call_frame_cfa)
			return i;
	}
	return count;
}

static bool simple(struct machine *m, const Dwarf_Op *op)
{
	uint8_t atom = op->atom;

	if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
		return expression_push(m, atom - DW_OP_lit0);
	if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
		return push_register(m, atom - DW_OP_breg0, op->number);
	if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31) {
		m->kind = EXPRESSION_REGISTER;
		return expression_push(m, atom - DW_OP_reg0);
	}
	switch (atom) {
	case DW_OP_addr: /* needs the load address of the file, which is unknown here */ return false;
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts: return expression_push(m, op->number);
	case DW_OP_regx: m->kind = EXPRESSION_REGISTER; return expression_push(m, op->number);
	case DW_OP_bregx: return push_register(m, op->number, op->number2);
	case DW_OP_call_frame_cfa: return m->cfa && expression_push(m, *m->cfa);
	case DW_OP_dup: return push_copy(m, 0);
	case DW_OP_over: return push_copy(m, 1);
	case DW_OP_pick: return push_copy(m, op->number);
	case DW_OP_swap: return expression_swap(m);
	case DW_OP_rot: return rotate(m);
	case DW_OP_nop: return true;
	default: return unary(m, op) || binary(m, atom);
	}
}

enum expression_result expression_run(const Dwarf_Op *ops, size_t count, const struct registers *registers,
				      struct stack_copy *stack, const uint64_t *cfa, uint64_t *value,
				      enum expression_kind *kind)
{
	struct machine m = { .registers = registers, .stack = stack, .cfa = cfa };
	enum expression_result result = EXPRESSION_OK;
	int steps = 0;

	for (size_t i = 0; i < count; i++) {
		const Dwarf_Op *op = &ops[i];

		if (++steps > STEPS_MAX)
			return EXPRESSION_BAD;
		if (op->atom == DW_OP_deref || op->atom == DW_OP_deref_size) {
			result = dereference(&m, op->atom == DW_OP_deref ? 8 : op->number);
			if (result != EXPRESSION_OK)
				return result;
		} else if (op->atom == DW_OP_skip || op->atom == DW_OP_bra) {
			if (op->atom == DW_OP_bra && !m.depth)
				return EXPRESSION_BAD;
			if (op->atom == DW_OP_skip || m.items[--m.depth])
				i = branch(ops, count, i) - 1;
		} else if (!simple(&m, op)) {
			return EXPRESSION_BAD;
		}
	}
	if (!m.depth)
		return EXPRESSION_BAD;
	*value = m.items[m.depth - 1];
	*kind = m.kind;
	return EXPRESSION_OK;
}
