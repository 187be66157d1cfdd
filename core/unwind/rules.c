#include "core/unwind/rules.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "core/unwind/registers.h"

uint32_t unwind_rules_find(const struct rules *r, uint32_t module, uint64_t address)
{
	return map_get(&r->by_address, address, module);
}

void unwind_rules_remember(struct rules *r, uint32_t module, uint64_t address, uint32_t rule)
{
	*map_at(&r->by_address, address, module) = rule;
}

/* Where libdw says that the caller's value of one register is. */
struct saying {
	Dwarf_Op memory[3], *ops;
	size_t count;
	bool undefined, same, plain;
	int64_t offset; /* plain: saved at CFA + offset */
};

static bool unwind_rules_ask(Dwarf_Frame *frame, unsigned number, struct saying *s)
{
	*s = (struct saying){ .ops = NULL };
	if (dwarf_frame_register(frame, (int)number, s->memory, &s->ops, &s->count))
		return false;
	s->same = !s->ops;
	s->undefined = s->ops && !s->count;
	if (s->same || s->undefined || s->ops[0].atom != DW_OP_call_frame_cfa)
		return true;
	s->plain = s->count == 1 || (s->count == 2 && s->ops[1].atom == DW_OP_plus_uconst);
	s->offset = s->count == 2 ? (int64_t)s->ops[1].number : 0;
	s->plain = s->plain && s->offset == (int32_t)s->offset;
	return true;
}

/* "DW_OP_call_frame_cfa DW_OP_stack_value": the usual stack pointer of the caller. */
static bool is_cfa_itself(const struct saying *s)
{
	return s->count == 2 && s->ops[0].atom == DW_OP_call_frame_cfa && s->ops[1].atom == DW_OP_stack_value;
}

struct machine_registers {
	unsigned count, stack_pointer;
};

static struct machine_registers registers_of(enum unwind_machine machine)
{
	return machine == UNWIND_X86_64 ? (struct machine_registers){ X86_RIP, X86_RSP }
					: (struct machine_registers){ ARM_PC, ARM_SP };
}

static bool read_cfa(Dwarf_Frame *frame, struct rule *rule)
{
	Dwarf_Op *ops;
	size_t count;

	if (dwarf_frame_cfa(frame, &ops, &count) || count != 1)
		return false;
	if (ops->atom == DW_OP_bregx && ops->number < REGISTERS_MAX && (int64_t)ops->number2 == (int32_t)ops->number2) {
		rule->cfa_register = (uint8_t)ops->number;
		rule->cfa_offset = (int32_t)ops->number2;
		return true;
	}
	if (ops->atom >= DW_OP_breg0 && ops->atom <= DW_OP_breg31 && (int64_t)ops->number == (int32_t)ops->number) {
		rule->cfa_register = (uint8_t)(ops->atom - DW_OP_breg0);
		rule->cfa_offset = (int32_t)ops->number;
		return true;
	}
	return false;
}

static bool read_return(Dwarf_Frame *frame, int number, enum unwind_machine machine, struct rule *rule)
{
	struct saying s;

	if (!unwind_rules_ask(frame, (unsigned)number, &s))
		return false;
	rule->return_offset = (int32_t)s.offset;
	if (s.undefined)
		rule->returns = RETURN_UNDEFINED;
	else if (s.plain)
		rule->returns = RETURN_SAVED;
	else if (s.same && machine == UNWIND_AARCH64 && number == ARM_LR)
		rule->returns = RETURN_REGISTER;
	else
		return false;
	return true;
}

/* Read a plain rule.  Returns false if the rule is not plain. */
static bool unwind_rules_read_plain(Dwarf_Frame *frame, int number, enum unwind_machine machine, struct rule *rule)
{
	struct machine_registers all = registers_of(machine);
	struct saying s;

	if (!read_cfa(frame, rule) || !read_return(frame, number, machine, rule))
		return false;
	for (unsigned i = 0; i < all.count; i++) {
		if (i == all.stack_pointer)
			continue;
		if (!unwind_rules_ask(frame, i, &s))
			return false;
		if (!s.undefined)
			rule->kept |= (uint64_t)1 << i;
		if (s.undefined || s.same)
			continue;
		if (!s.plain || rule->saved_count == RULE_SAVED_MAX)
			return false;
		rule->saved[rule->saved_count] = (uint8_t)i;
		rule->saved_at[rule->saved_count++] = (int32_t)s.offset;
	}
	return !unwind_rules_ask(frame, all.stack_pointer, &s) || s.same || s.undefined || is_cfa_itself(&s);
}

static void add_recipe(struct rules *r, const Dwarf_Op *ops, size_t count, uint32_t target)
{
	Dwarf_Op *copy = arena_alloc(&r->ops, (count + !count) * sizeof(*copy));

	memcpy(copy, ops, count * sizeof(*copy));
	r->recipes = xgrow(r->recipes, &r->recipe_cap, r->recipe_count + 1, sizeof(*r->recipes));
	r->recipes[r->recipe_count++] = (struct recipe){ copy, (uint32_t)count, target };
}

/* Read a rule of the general kind, with expressions for everything.  Returns false if libdw has nothing useful. */
static bool read_recipes(struct rules *r, Dwarf_Frame *frame, int number, enum unwind_machine machine,
			 struct rule *rule)
{
	struct machine_registers all = registers_of(machine);
	struct saying s;
	Dwarf_Op *ops;
	size_t count;

	if (dwarf_frame_cfa(frame, &ops, &count) || !count)
		return false;
	*rule = (struct rule){ .kind = RULE_EXPRESSIONS, .recipes = (uint32_t)r->recipe_count };
	add_recipe(r, ops, count, RECIPE_CFA);
	for (unsigned i = 0; i < all.count; i++) {
		if (!unwind_rules_ask(frame, i, &s))
			return false;
		if (s.undefined)
			continue;
		rule->kept |= (uint64_t)1 << i;
		if (!s.same)
			add_recipe(r, s.ops, s.count, i);
	}
	if (!unwind_rules_ask(frame, (unsigned)number, &s))
		return false;
	rule->returns = s.undefined ? RETURN_UNDEFINED : s.same ? RETURN_REGISTER : RETURN_SAVED;
	if (!s.same && !s.undefined)
		add_recipe(r, s.ops, s.count, RECIPE_RETURN);
	rule->recipe_count = (uint32_t)r->recipe_count - rule->recipes;
	return true;
}

/* The number of a rule; equal rules have the same. */
static uint32_t unwind_rules_add_rule(struct rules *r, const struct rule *rule)
{
	uint32_t number = intern_add(&r->known, (const char *)rule, sizeof(*rule));

	if (number == r->count) {
		r->items = xgrow(r->items, &r->cap, r->count + 1, sizeof(*r->items));
		r->items[r->count++] = *rule;
	}
	return RULE_FIRST + number;
}

uint32_t unwind_rules_add(struct rules *r, Dwarf_Frame *frame, enum unwind_machine machine)
{
	struct rule rule = { 0 };
	bool is_signal = false;
	int number = dwarf_frame_info(frame, NULL, NULL, &is_signal);

	if (number < 0 || number >= REGISTERS_MAX)
		return RULE_NO_CFI;
	if (!unwind_rules_read_plain(frame, number, machine, &rule) && !read_recipes(r, frame, number, machine, &rule))
		return RULE_NO_CFI;
	rule.is_signal = is_signal;
	return unwind_rules_add_rule(r, &rule);
}

/* The kernel puts a struct ucontext at the stack pointer: where uc_mcontext.gregs (asm/sigcontext.h) has the
 * registers, by DWARF's numbers. */
static const uint16_t x86_saved[X86_REGISTERS] = {
	144, 136, 152, 128, 112, 104, 120, 160, 40, 48, 56, 64, 72, 80, 88, 96, 168,
};

enum { ARM_SAVED = 312 }; /* struct rt_sigframe: uc.uc_mcontext.regs[0..31), sp, pc */

uint32_t unwind_rules_add_signal_return(struct rules *r, enum unwind_machine machine)
{
	struct machine_registers all = registers_of(machine);
	struct rule rule = { .kind = RULE_EXPRESSIONS,
			     .returns = RETURN_SAVED,
			     .is_signal = 1,
			     .recipes = (uint32_t)r->recipe_count,
			     .kept = UINT64_MAX };
	Dwarf_Op op = { .atom = DW_OP_bregx, .number = all.stack_pointer };

	add_recipe(r, &op, 1, RECIPE_CFA);
	for (unsigned i = 0; i <= all.count; i++) {
		op.number2 = machine == UNWIND_X86_64 ? x86_saved[i] : ARM_SAVED + 8 * i;
		add_recipe(r, &op, 1, i < all.count ? i : RECIPE_RETURN);
	}
	rule.recipe_count = (uint32_t)r->recipe_count - rule.recipes;
	return unwind_rules_add_rule(r, &rule);
}

void unwind_rules_free(struct rules *r)
{
	if (!r)
		return;
	free(r->items);
	intern_free(&r->known);
	free(r->recipes);
	map_free(&r->by_address);
	arena_free(&r->ops);
	*r = (struct rules){ 0 };
}
