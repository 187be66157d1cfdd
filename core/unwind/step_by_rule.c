#include "core/unwind/expression.h"
#include "core/unwind/walk.h"

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
