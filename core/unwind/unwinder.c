#include "core/unwind/unwinder.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/uio.h>

#include "core/memory.h"
#include "core/unwind/code_tables.h"
#include "core/unwind/expression.h"
#include "core/unwind/instructions.h"
#include "core/unwind/registers.h"
#include "core/unwind/rules.h"
#include "core/unwind/tables.h"

/* No frame is so large: what lies further up was never the stack. */
static const uint64_t frame_size_max = 1u << 30;

struct unwinder {
	const struct modules *modules;
	enum unwind_machine machine;
	struct rules rules;
	struct tables tables;
	struct code_tables code_tables;
	bool reads_memory;    /* of the processes */
};

/* One walk, at one of its frames. */
struct walk {
	struct unwinder *u;
	struct space *space;
	uint64_t time_ns;
	struct registers now;
	struct stack_copy stack;
	bool stack_is_cut;    /* there was more of it than is copied */
	bool jumped;          /* to another stack, out of a signal handler */
	uint64_t pc;
	bool is_exact;        /* pc: nothing was called there, it is the next instruction */
	uint64_t floor;       /* the caller's CFA is above this */
	uint32_t module;      /* of pc */
	const struct mapping *mapping; /* of an earlier pc, see find_mapping() */
	enum unwind_end end;
};

struct unwinder *unwinder_new(const struct modules *modules, enum unwind_machine machine)
{
	struct unwinder *u = xcalloc(1, sizeof(*u));

	u->modules = modules;
	u->machine = machine;
	return u;
}

void unwinder_read_memory(struct unwinder *u)
{
	u->reads_memory = true;
}

void unwinder_free(struct unwinder *u)
{
	if (!u)
		return;
	rules_free(&u->rules);
	tables_free(&u->tables);
	code_tables_free(&u->code_tables);
	free(u);
}

/* ---- the registers of a sample ---------------------------------------------------- */

/* By the kernel's numbers (asm/perf_regs.h), DWARF's. */
static const uint8_t x86_numbers[24] = {
	0, 3, 2, 1, 4, 5, X86_RBP, X86_RSP, X86_RIP, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	8, 9, 10, 11, 12, 13, 14, 15,
};

static unsigned dwarf_number(enum unwind_machine machine, unsigned bit)
{
	if (machine == UNWIND_X86_64)
		return bit < sizeof(x86_numbers) ? x86_numbers[bit] : 0xff;
	return bit;
}

static void read_registers(const struct unwind_sample *s, enum unwind_machine machine,
			   struct registers *to)
{
	const uint8_t *from = s->regs;

	to->known = 0;
	for (uint64_t mask = s->regs_mask; mask; mask &= mask - 1) {
		unsigned number = dwarf_number(machine, (unsigned)__builtin_ctzll(mask));
		uint64_t value;

		memcpy(&value, from, 8);
		from += 8;
		if (number < REGISTERS_MAX)
			register_set(to, number, value);
	}
}

static unsigned stack_pointer(const struct walk *w)
{
	return w->u->machine == UNWIND_X86_64 ? X86_RSP : ARM_SP;
}

static unsigned program_counter(const struct walk *w)
{
	return w->u->machine == UNWIND_X86_64 ? X86_RIP : ARM_PC;
}

/* ---- where a pc is ---------------------------------------------------------------- */

/* Callers mostly are where the function called is: look there first, unless mappings replaced
 * each other, and time decides. */
static const struct mapping *find_mapping(struct walk *w, uint64_t address)
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

/* A return address may stand behind its function, when that never returns: what is looked for
 * is the call before it. */
static uint64_t lookup_address(const struct walk *w)
{
	return w->is_exact ? w->pc : w->pc - 1;
}

/* ---- one step --------------------------------------------------------------------- */

static bool stop(struct walk *w, enum unwind_end end)
{
	w->end = end;
	return false;
}

/* Something that is not in the copy was needed. */
static bool stop_unread(struct walk *w)
{
	uint64_t missed = w->stack.missed, end = w->stack.start + w->stack.len;

	if (!w->stack.len && !w->stack_is_cut) /* as in execve(2), when the old stack is gone */
		return stop(w, UNWIND_NO_REGISTERS);
	if (w->jumped)
		return stop(w, UNWIND_TRUNCATED);
	if (missed + 8 > end && missed - w->stack.start < frame_size_max)
		return stop(w, w->stack_is_cut ? UNWIND_TRUNCATED : UNWIND_BROKEN);
	return stop(w, UNWIND_BROKEN);
}

/* aarch64: the bits above the address may sign it (pointer authentication). */
static uint64_t strip_signature(const struct walk *w, uint64_t address)
{
	return w->u->machine == UNWIND_AARCH64 ? address & (((uint64_t)1 << 48) - 1) : address;
}

/* To the caller, whose frame begins at cfa. */
static bool go_on(struct walk *w, uint64_t cfa, uint64_t pc, bool is_signal)
{
	bool same_allowed = w->is_exact && w->u->machine == UNWIND_AARCH64;

	if (cfa & 7)
		return stop(w, UNWIND_BROKEN);
	if (cfa < w->floor || (cfa == w->floor && !same_allowed && !is_signal)) {
		if (!is_signal || w->jumped)
			return stop(w, UNWIND_BROKEN);
		w->jumped = true;
	}
	if (is_signal && cfa - w->stack.start >= w->stack.len)
		w->jumped = true;
	pc = strip_signature(w, pc);
	if (!pc)
		return stop(w, UNWIND_COMPLETE);
	w->floor = cfa;
	w->pc = pc;
	w->is_exact = is_signal;
	register_set(&w->now, stack_pointer(w), cfa);
	return true;
}

static bool step_plain(struct walk *w, const struct rule *rule)
{
	uint64_t cfa = w->now.values[rule->cfa_register] + (uint64_t)(int64_t)rule->cfa_offset, pc;

	if (rule->returns == RETURN_UNDEFINED)
		return stop(w, UNWIND_COMPLETE);
	if (rule->returns == RETURN_SAVED) {
		if (!stack_read(&w->stack, cfa + (uint64_t)(int64_t)rule->return_offset, &pc))
			return stop_unread(w);
	} else if (!register_get(&w->now, ARM_LR, &pc)) {
		return stop(w, UNWIND_BROKEN);
	}
	for (uint32_t i = 0; i < rule->saved_count; i++) {
		uint64_t at = cfa + (uint64_t)(int64_t)rule->saved_at[i];

		/* Below the stack pointer: popped, and still in the register. */
		if (stack_read(&w->stack, at, &w->now.values[rule->saved[i]]))
			w->now.known |= (uint64_t)1 << rule->saved[i];
		else if (at >= w->floor)
			return stop_unread(w);
	}
	w->now.known &= rule->kept;
	return go_on(w, cfa, pc, rule->is_signal);
}

/* Evaluate one recipe, of a register or of the return address.  *value stays as it is for one that
 * was popped (see step_plain()). */
static bool run_recipe(struct walk *w, const struct registers *before, const struct recipe *recipe,
		       uint64_t cfa, uint64_t *value)
{
	bool is_register = recipe->target < REGISTERS_MAX;
	enum expression_kind kind;
	enum expression_result result = expression_run(recipe->ops, recipe->count, before, &w->stack,
						       recipe->target == RECIPE_CFA ? NULL : &cfa,
						       value, &kind);
	uint64_t at;

	if (result == EXPRESSION_UNREAD)
		return stop_unread(w);
	if (result != EXPRESSION_OK)
		return stop(w, UNWIND_BROKEN);
	if (kind == EXPRESSION_REGISTER)
		return register_get(before, *value, value) || stop(w, UNWIND_BROKEN);
	if (kind == EXPRESSION_VALUE || recipe->target == RECIPE_CFA)
		return true;
	at = *value;
	if (is_register)
		*value = before->values[recipe->target];
	return stack_read(&w->stack, at, value) || (is_register && at < w->floor) || stop_unread(w);
}

static bool step_expressions(struct walk *w, const struct rule *rule)
{
	const struct recipe *recipes = w->u->rules.recipes + rule->recipes;
	struct registers before = w->now;
	uint64_t cfa = 0, pc = 0, value, stack_at;

	if (rule->returns == RETURN_UNDEFINED)
		return stop(w, UNWIND_COMPLETE);
	register_set(&before, program_counter(w), w->pc);
	if (rule->returns == RETURN_REGISTER && !register_get(&before, ARM_LR, &pc))
		return stop(w, UNWIND_BROKEN);
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
	/* A signal frame says where the stack pointer was: that is no CFA. */
	if (!rule->is_signal || !register_get(&w->now, stack_pointer(w), &stack_at))
		stack_at = cfa;
	return go_on(w, stack_at, pc, rule->is_signal);
}

/* Code that says nothing is assumed to keep frame pointers: the caller's, and above it the
 * return address, are where the register points to. */
static bool step_frame_pointer(struct walk *w, enum unwind_end otherwise)
{
	unsigned number = w->u->machine == UNWIND_X86_64 ? X86_RBP : ARM_X29;
	uint64_t at, caller, pc;

	if (!register_get(&w->now, number, &at))
		return stop(w, otherwise);
	if (!at && !w->is_exact) /* the ABI's mark of the first frame */
		return stop(w, UNWIND_COMPLETE);
	if (at & 7 || at < w->floor)
		return stop(w, otherwise);
	if (!stack_read(&w->stack, at, &caller) || !stack_read(&w->stack, at + 8, &pc)) {
		stop_unread(w);
		return stop(w, w->end == UNWIND_TRUNCATED ? UNWIND_TRUNCATED : otherwise);
	}
	if (pc && !find_mapping(w, strip_signature(w, pc) - 1))
		return stop(w, otherwise);
	w->now.values[number] = caller;
	if (!go_on(w, at + 16, pc, false))
		return false;
	/* aarch64: frames go on above their record, nobody knows how far. */
	if (w->u->machine == UNWIND_AARCH64)
		w->now.known &= ~((uint64_t)1 << ARM_SP);
	return true;
}

/* x86-64: is a number a return address: does it stand behind a call?  Needs the file. */
static bool is_return_address(struct walk *w, uint64_t pc)
{
	const struct mapping *m = find_mapping(w, pc - CALL_BYTES);
	const uint8_t *code;

	if (!m || pc - 1 >= m->end)
		return false;
	code = tables_code(&w->u->tables, w->u->modules, m->module,
			   pc - CALL_BYTES - m->start + m->offset, CALL_BYTES);
	return code && code_ends_with_call(code);
}

/* Hand-written code has few things on the stack: the first return address among words numbers is
 * its own.  Not beyond the frame pointer, if that is one: it is the caller's. */
static bool step_scan(struct walk *w, size_t words)
{
	uint64_t at, pc, frame;

	if (w->u->machine != UNWIND_X86_64 || !register_get(&w->now, X86_RSP, &at))
		return false;
	if (!register_get(&w->now, X86_RBP, &frame) || frame < at)
		frame = UINT64_MAX;
	for (size_t i = 0; i < words && at < frame && stack_read(&w->stack, at, &pc); i++, at += 8) {
		if (is_return_address(w, pc))
			return go_on(w, at + 8, pc, false);
	}
	return false;
}

/* aarch64: a function without frame that was just called, or calls nothing. */
static bool step_link_register(struct walk *w)
{
	uint64_t pc, sp;

	return w->u->machine == UNWIND_AARCH64 && w->is_exact && register_get(&w->now, ARM_LR, &pc) &&
	       register_get(&w->now, ARM_SP, &sp) && find_mapping(w, strip_signature(w, pc) - 1) &&
	       go_on(w, sp, pc, false);
}

/* JIT-compiled code: a frame that is given back as soon as what was called returns. */
static bool step_to_return(struct walk *w)
{
	uint8_t code[RETURN_BYTES];
	struct iovec to = { code, sizeof(code) }, from = { (void *)(uintptr_t)w->pc, sizeof(code) };
	uint64_t sp, size, pc;

	if (!w->u->reads_memory || w->is_exact || w->u->machine != UNWIND_X86_64 ||
	    w->u->modules->items[w->module].kind != MODULE_JIT || !register_get(&w->now, X86_RSP, &sp))
		return false;
	if (process_vm_readv(w->space->pid, &to, 1, &from, 1, 0) != sizeof(code) || !code_returns(code, &size))
		return false;
	return stack_read(&w->stack, sp + size, &pc) && find_mapping(w, pc - 1) &&
	       go_on(w, sp + size + 8, pc, false);
}

/* No table tells of the pc. */
static bool step_guess(struct walk *w, uint32_t number)
{
	enum { SCAN_WORDS = 64 };

	if (number == RULE_ENTRY)
		return stop(w, UNWIND_COMPLETE);
	if (step_to_return(w))
		return true;
	if (number == RULE_NO_FRAME)
		return step_scan(w, SCAN_WORDS) || step_link_register(w) || stop(w, UNWIND_NO_CFI);
	/* Before a function's first push, the stack pointer points to the return address. */
	if (step_scan(w, number == RULE_UNCLEAR ? SCAN_WORDS : w->is_exact))
		return true;
	return step_frame_pointer(w, number == RULE_NO_FILE ? UNWIND_NO_FILE : UNWIND_NO_CFI);
}

/* The number of the rule for the pc. */
static uint32_t find_rule(struct walk *w, uint64_t address_in_module)
{
	struct unwinder *u = w->u;
	uint32_t number = rules_find(&u->rules, w->module, address_in_module);

	if (!number) {
		if (u->modules->items[w->module].kind == MODULE_JIT)
			number = code_tables_rule(&u->code_tables, w->module, address_in_module, &u->rules,
						  u->machine);
		else
			number = tables_rule(&u->tables, u->modules, w->module, address_in_module,
					     &u->rules, u->machine);
		rules_remember(&u->rules, w->module, address_in_module, number);
	}
	return number;
}

static const struct rule no_rule;

static bool step(struct walk *w, uint32_t number, const struct rule *rule)
{
	if (number < RULE_FIRST)
		return step_guess(w, number);
	if (rule->kind == RULE_EXPRESSIONS)
		return step_expressions(w, rule);
	if (!(w->now.known >> rule->cfa_register & 1))
		return step_frame_pointer(w, UNWIND_BROKEN);
	return step_plain(w, rule);
}

/* ---- the walk --------------------------------------------------------------------- */

static bool begin(struct walk *w, const struct unwind_sample *s)
{
	uint64_t sp;

	w->end = UNWIND_NO_REGISTERS;
	if (s->abi != PERF_SAMPLE_REGS_ABI_64 || !s->regs)
		return false;
	read_registers(s, w->u->machine, &w->now);
	if (!register_get(&w->now, program_counter(w), &w->pc) ||
	    !register_get(&w->now, stack_pointer(w), &sp))
		return false;
	w->now.known &= ~((uint64_t)1 << program_counter(w));
	w->stack = (struct stack_copy){ .bytes = s->stack, .start = sp,
					.len = s->stack ? s->stack_len : 0 };
	w->stack_is_cut = s->stack_len >= s->stack_wanted;
	w->floor = sp;
	w->is_exact = true;
	return true;
}

/* The frame at w->pc: its entry to chain[0..1], and on to its caller.  Returns false: it is the last. */
static bool visit(struct walk *w, uint64_t *chain, size_t *n)
{
	uint64_t address = lookup_address(w);
	const struct mapping *m = find_mapping(w, address);
	const struct rule *rule = &no_rule;
	uint32_t number;

	w->module = UINT32_MAX;
	if (!m) {
		if (!*n)
			chain[(*n)++] = w->pc;
		return stop(w, UNWIND_UNMAPPED);
	}
	w->module = m->module;
	number = find_rule(w, address - m->start + m->offset);
	if (number >= RULE_FIRST)
		rule = &w->u->rules.items[number - RULE_FIRST];
	/* What a signal handler returns to begins there: nothing of it is before. */
	if (*n && (w->is_exact || rule->is_signal))
		chain[(*n)++] = PERF_CONTEXT_USER;
	chain[(*n)++] = w->pc;
	return step(w, number, rule);
}

size_t unwind(struct unwinder *u, const struct unwind_sample *s, uint64_t chain[UNWIND_MAX],
	      enum unwind_end *end, uint32_t *stopped)
{
	struct walk w = { .u = u, .space = s->space, .time_ns = s->time_ns, .module = UINT32_MAX };
	bool going = begin(&w, s);
	size_t n = 0;

	while (going) {
		going = visit(&w, chain, &n);
		if (going && n + 2 > UNWIND_MAX)
			going = stop(&w, UNWIND_TOO_DEEP);
	}
	*end = w.end;
	*stopped = w.end == UNWIND_COMPLETE ? UINT32_MAX : w.module;
	return n;
}

void unwinder_add_jit(struct unwinder *u, uint32_t module, uint64_t address, uint64_t size,
		      const uint8_t *eh_frame, size_t len, uint64_t eh_frame_address)
{
	code_tables_add(&u->code_tables, &(struct code_table){ .module = module, .address = address,
							       .size = size, .eh_frame = eh_frame,
							       .len = len,
							       .eh_frame_address = eh_frame_address });
}
