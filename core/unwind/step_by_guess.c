#include <sys/uio.h>

#include "core/unwind/instructions.h"
#include "core/unwind/walk.h"

/* Code that says nothing is assumed to keep frame pointers: the caller's, and above it the
 * return address, are where the register points to. */
static bool step_frame_pointer(struct walk *w, enum unwind_end otherwise)
{
	unsigned number = w->u->machine == UNWIND_X86_64 ? X86_RBP : ARM_X29;
	uint64_t at, caller, pc;

	if (!register_get(&w->now, number, &at))
		return walk_stop(w, otherwise);
	if (!at && !w->is_exact && otherwise == UNWIND_NO_CFI) /* the ABI's mark of the first frame */
		return walk_stop(w, UNWIND_COMPLETE);
	if (at & 7 || at < w->floor)
		return walk_stop(w, otherwise);
	if (!stack_read(&w->stack, at, &caller) || !stack_read(&w->stack, at + 8, &pc)) {
		walk_stop_unread(w);
		return walk_stop(w, w->end == UNWIND_TRUNCATED ? UNWIND_TRUNCATED : otherwise);
	}
	if (pc ? !walk_mapping(w, walk_strip_signature(w, pc) - 1) : caller != 0)
		return walk_stop(w, otherwise);
	w->now.values[number] = caller;
	if (!walk_go_on(w, at + 16, pc, false))
		return false;
	/* aarch64: frames go on above their record, nobody knows how far. */
	if (w->u->machine == UNWIND_AARCH64)
		w->now.known &= ~((uint64_t)1 << ARM_SP);
	return true;
}

/* x86-64: is a number a return address: does it stand behind a call?  Needs the file. */
static bool is_return_address(struct walk *w, uint64_t pc)
{
	const struct mapping *m = walk_mapping(w, pc - CALL_BYTES);
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
			return walk_go_on(w, at + 8, pc, false);
	}
	return false;
}

/* aarch64: a function without frame that was just called, or calls nothing. */
static bool step_link_register(struct walk *w)
{
	uint64_t pc, sp;

	return w->u->machine == UNWIND_AARCH64 && w->is_exact && register_get(&w->now, ARM_LR, &pc) &&
	       register_get(&w->now, ARM_SP, &sp) && walk_mapping(w, walk_strip_signature(w, pc) - 1) &&
	       walk_go_on(w, sp, pc, false);
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
	return stack_read(&w->stack, sp + size, &pc) && walk_mapping(w, pc - 1) &&
	       walk_go_on(w, sp + size + 8, pc, false);
}

bool step_by_guess(struct walk *w, uint32_t number)
{
	enum { SCAN_WORDS = 64 };

	if (number == RULE_FIRST)
		return step_frame_pointer(w, UNWIND_BROKEN);
	if (number == RULE_ENTRY)
		return walk_stop(w, UNWIND_COMPLETE);
	if (step_to_return(w))
		return true;
	if (number == RULE_NO_FRAME)
		return step_scan(w, SCAN_WORDS) || step_link_register(w) || walk_stop(w, UNWIND_NO_CFI);
	/* Before a function's first push, the stack pointer points to the return address. */
	if (step_scan(w, number == RULE_UNCLEAR ? SCAN_WORDS : w->is_exact))
		return true;
	return step_frame_pointer(w, number == RULE_NO_FILE ? UNWIND_NO_FILE : UNWIND_NO_CFI);
}
