#include "core/unwind/walk.h"

#include "core/unwind/expression.h"

/* The maximum size of a frame: memory further up is not the stack. */
static const uint64_t frame_size_max = 1u << 30;

/* The most that the kernel copies of a stack. */
static const uint64_t copy_max = 65528;

unsigned walk_stack_pointer(const struct walk *w)
{
	return w->u->machine == UNWIND_X86_64 ? X86_RSP : ARM_SP;
}

unsigned walk_program_counter(const struct walk *w)
{
	return w->u->machine == UNWIND_X86_64 ? X86_RIP : ARM_PC;
}

/* A caller is usually in the same mapping as its callee: look there first, unless mappings replaced each other; then
 * the time decides. */
const struct mapping *walk_mapping(struct walk *w, uint64_t address)
{
	const struct mapping *m = w->mapping;
	struct space *space = w->space;

	if (!space)
		return NULL;
	if (m && address >= m->start && address < m->end)
		return m;
	m = space_lookup(space, address, w->time_ns);
	if (m && space_is_settled(space, m))
		w->mapping = m;
	return m;
}

bool walk_stop(struct walk *w, enum unwind_end end)
{
	w->end = end;
	return false;
}

bool walk_stop_unread(struct walk *w)
{
	uint64_t missed = w->stack.missed, end = w->stack.start + w->stack.len;

	if (!w->stack.len && !w->stack_is_cut) /* as during execve(2), when the old stack is gone */
		return walk_stop(w, UNWIND_NO_REGISTERS);
	if (w->jumped)
		return walk_stop(w, UNWIND_OTHER_STACK);
	if (missed + 8 > end && missed - w->stack.start < frame_size_max)
		return walk_stop(w, w->stack_is_cut ? UNWIND_TRUNCATED : UNWIND_BROKEN);
	return walk_stop(w, UNWIND_BROKEN);
}

uint64_t walk_strip_signature(const struct walk *w, uint64_t address)
{
	return w->u->machine == UNWIND_AARCH64 ? address & (((uint64_t)1 << 48) - 1) : address;
}

bool walk_go_on(struct walk *w, uint64_t cfa, uint64_t pc, bool is_signal)
{
	if (cfa & 7)
		return walk_stop(w, UNWIND_BROKEN);
	/* Only a leaf may have nothing on the stack: its return address is then in a register. */
	if (cfa < w->floor || (cfa == w->floor && !w->is_exact && !is_signal)) {
		if (!is_signal || w->jumped)
			return walk_stop(w, UNWIND_BROKEN);
		w->jumped = true;
	}
	if (is_signal && cfa - w->stack.start >= (w->stack_is_cut ? copy_max : w->stack.len))
		w->jumped = true;
	pc = walk_strip_signature(w, pc);
	if (!pc)
		return walk_stop(w, UNWIND_COMPLETE);
	w->floor = cfa;
	w->pc = pc;
	w->is_exact = is_signal;
	register_set(&w->now, walk_stack_pointer(w), cfa);
	return true;
}

/* --- steps by a rule --- */

static bool step_plain(struct walk *w, const struct rule *rule)
{
	uint64_t cfa = w->now.values[rule->cfa_register] + (uint64_t)(int64_t)rule->cfa_offset, pc;

	if (rule->returns == RETURN_SAVED) {
		if (!stack_read(&w->stack, cfa + (uint64_t)(int64_t)rule->return_offset, &pc))
			return walk_stop_unread(w);
	} else if (!register_get(&w->now, ARM_LR, &pc)) {
		return walk_stop(w, UNWIND_BROKEN);
	}
	for (uint32_t i = 0; i < rule->saved_count; i++) {
		uint64_t at = cfa + (uint64_t)(int64_t)rule->saved_at[i];

		/* An address below the stack pointer: the register was popped, and still has its value. */
		if (stack_read(&w->stack, at, &w->now.values[rule->saved[i]]))
			w->now.known |= (uint64_t)1 << rule->saved[i];
		else if (at >= w->floor)
			return walk_stop_unread(w);
	}
	w->now.known &= rule->kept;
	return walk_go_on(w, cfa, pc, rule->is_signal);
}

/* Evaluate the recipe of a register or of the return address.  If that was popped, *value stays unchanged (see
 * step_plain()). */
static bool run_recipe(struct walk *w, const struct registers *before, const struct recipe *recipe, uint64_t cfa,
		       uint64_t *value)
{
	bool is_register = recipe->target < REGISTERS_MAX;
	enum expression_kind kind;
	enum expression_result result = expression_run(recipe->ops, recipe->count, before, &w->stack,
						       recipe->target == RECIPE_CFA ? NULL : &cfa, value, &kind);
	uint64_t at;

	if (result == EXPRESSION_UNREAD)
		return walk_stop_unread(w);
	if (result != EXPRESSION_OK)
		return walk_stop(w, UNWIND_BROKEN);
	if (kind == EXPRESSION_REGISTER)
		return register_get(before, *value, value) || walk_stop(w, UNWIND_BROKEN);
	if (kind == EXPRESSION_VALUE || recipe->target == RECIPE_CFA)
		return true;
	at = *value;
	if (is_register)
		*value = before->values[recipe->target];
	return stack_read(&w->stack, at, value) || (is_register && at < w->floor) || walk_stop_unread(w);
}

static bool step_expressions(struct walk *w, const struct rule *rule)
{
	const struct recipe *recipes = w->u->rules.recipes + rule->recipes;
	struct registers before = w->now;
	uint64_t cfa = 0, pc = 0, value, stack_at;

	register_set(&before, walk_program_counter(w), w->pc);
	if (rule->returns == RETURN_REGISTER && !register_get(&before, ARM_LR, &pc))
		return walk_stop(w, UNWIND_BROKEN);
	for (uint32_t i = 0; i < rule->recipe_count; i++) {
		if (!run_recipe(w, &before, &recipes[i], cfa, &value))
			return false;
		if (recipes[i].target == RECIPE_CFA)
			cfa = value;
		else if (recipes[i].target == RECIPE_RETURN)
			pc = value;
		else
			register_set(&w->now, recipes[i].target, value);
	}
	w->now.known &= rule->kept;
	/* A signal frame contains the old stack pointer, which is not a CFA. */
	if (!rule->is_signal || !register_get(&w->now, walk_stack_pointer(w), &stack_at))
		stack_at = cfa;
	return walk_go_on(w, stack_at, pc, rule->is_signal);
}

bool step_by_rule(struct walk *w, const struct rule *rule)
{
	if (rule->kind == RULE_EXPRESSIONS)
		return step_expressions(w, rule);
	if (!(w->now.known >> rule->cfa_register & 1))
		return step_by_guess(w, RULE_FIRST);
	return step_plain(w, rule);
}
