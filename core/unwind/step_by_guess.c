#include <string.h>
#include <sys/uio.h>

#include "core/unwind/instructions.h"
#include "core/unwind/walk.h"

/* Code without information is assumed to keep frame pointers: the register points to the caller's frame pointer,
 * and the return address is above that. */
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
	/* aarch64: a frame extends above its record by an unknown size. */
	if (w->u->machine == UNWIND_AARCH64)
		w->now.known &= ~((uint64_t)1 << ARM_SP);
	return true;
}

/* Read code that was generated at run time, from the memory of its process. */
static bool read_made_code(struct walk *w, const struct mapping *m, uint64_t address, uint8_t *code, size_t len)
{
	struct iovec to = { code, len }, from = { (void *)(uintptr_t)address, len };

	return w->u->reads_memory && w->u->modules->items[m->module].kind == MODULE_JIT &&
	       process_vm_readv(w->space->pid, &to, 1, &from, 1, 0) == (ssize_t)len;
}

/* x86-64: is pc a return address, and after which kind of call?  *target: of a direct call. */
static enum call_kind find_call(struct walk *w, uint64_t pc, uint64_t *target)
{
	const struct mapping *m = walk_mapping(w, pc - CALL_BYTES);
	uint8_t made[CALL_BYTES];
	enum call_kind kind;
	const uint8_t *code;
	int32_t distance = 0;

	if (!m || pc - 1 >= m->end)
		return CALL_NONE;
	code = tables_code(&w->u->tables, w->u->modules, m->module, pc - CALL_BYTES - m->start + m->offset, CALL_BYTES);
	if (!code && read_made_code(w, m, pc - CALL_BYTES, made, sizeof(made)))
		code = made;
	kind = code ? code_ends_with_call(code, &distance) : CALL_NONE;
	*target = pc + (uint64_t)(int64_t)distance;
	return kind;
}

bool walk_is_behind_call(struct walk *w, uint64_t pc)
{
	uint64_t target;

	return w->u->machine != UNWIND_X86_64 || find_call(w, pc, &target) != CALL_NONE;
}

bool walk_call_target(struct walk *w, uint64_t pc, uint64_t *target)
{
	return w->u->machine == UNWIND_X86_64 && find_call(w, pc, target) == CALL_DIRECT;
}

/* What is known about the function at the pc. */
struct function {
	uint64_t pc, start;
	bool has_start;
};

/* Is the code between two addresses of this module free of instructions that set up a frame pointer? */
static bool sets_no_frame(struct walk *w, uint64_t from, uint64_t to)
{
	const struct mapping *m = walk_mapping(w, from);
	const uint8_t *code = NULL;

	if (m && m->module == w->module)
		code = tables_code(&w->u->tables, w->u->modules, m->module, from - m->start + m->offset, to - from);
	return code && !code_sets_frame_pointer(code, to - from, w->u->machine);
}

/* Does a call of target call this function?  If the function has no symbol: is target shortly before the pc? */
static bool calls(const struct function *f, uint64_t target)
{
	enum { NOT_FAR = 4096 };

	return f->has_start ? target == f->start : f->pc - target < NOT_FAR;
}

/* A function without a frame pointer: its return address is on the stack at an unknown distance, and remains of
 * earlier calls may be below it.  The return address is the first one after a call of this function.
 * A direct call stays in its module: nearly all other words are skipped quickly. */
static bool step_scan(struct walk *w, const struct function *f, uint64_t end)
{
	enum { WORDS_MAX = 512 };
	const struct mapping *m = walk_mapping(w, f->pc);
	uint64_t at, pc, target;

	if (w->u->machine != UNWIND_X86_64 || !m || !register_get(&w->now, X86_RSP, &at))
		return false;
	for (size_t i = 0; i < WORDS_MAX && at < end && stack_read(&w->stack, at, &pc); i++, at += 8) {
		if (pc - m->start <= m->end - m->start && find_call(w, pc, &target) == CALL_DIRECT &&
		    calls(f, target) && (f->has_start || sets_no_frame(w, target, f->pc)))
			return walk_go_on(w, at + 8, pc, false);
	}
	return false;
}

/* x86-64: does the frame pointer lead to the return address of this function? */
static bool has_own_frame(struct walk *w, const struct function *f)
{
	uint64_t at, pc, target;

	return w->u->machine == UNWIND_X86_64 && register_get(&w->now, X86_RBP, &at) && at >= w->floor &&
	       stack_read(&w->stack, at + 8, &pc) && find_call(w, pc, &target) == CALL_DIRECT && calls(f, target);
}

/* x86-64: the frame pointer, if it leads to a chain of frames: to a return address after any call, and to another
 * frame further up.  Else UINT64_MAX. */
static uint64_t step_by_guess_find_frame(struct walk *w)
{
	enum { FRAME_MAX = 1 << 24 };
	const struct mapping *m;
	uint64_t at, above, pc, target;

	if (w->u->machine != UNWIND_X86_64 || !register_get(&w->now, X86_RBP, &at) || at & 7 || at < w->floor ||
	    !stack_read(&w->stack, at, &above) || !stack_read(&w->stack, at + 8, &pc))
		return UINT64_MAX;
	m = walk_mapping(w, pc - 1);
	if (!m || above & 7 || above <= at || above - at > FRAME_MAX)
		return UINT64_MAX;
	if (w->u->modules->items[m->module].kind != MODULE_JIT && find_call(w, pc, &target) == CALL_NONE)
		return UINT64_MAX;
	return at;
}

/* Is the code from the function's symbol to the pc free of pushes and of subtractions from the stack pointer?  Then
 * the return address is on top of the stack. */
static bool leaves_stack(struct walk *w, const struct function *f)
{
	enum { NOT_FAR = 1024 };
	uint64_t len = f->pc - f->start;
	const struct mapping *m = walk_mapping(w, f->pc);
	const uint8_t *code;

	if (!f->has_start || len > NOT_FAR || !m || m->module != w->module || f->start < m->start)
		return false;
	code = len ? tables_code(&w->u->tables, w->u->modules, m->module, f->start - m->start + m->offset, len) : NULL;
	return len == 0 || (code && code_leaves_stack(code, len));
}

/* Can the function at target have reached the pc without another call?  It can if the pc is in that same function,
 * whose labels are symbols, too, or if that function jumps to this one. */
static bool comes_here(struct walk *w, const struct function *f, uint64_t target)
{
	enum { NOT_FAR = 1024, JUMPS_WITHIN = 256, JMP = 0xe9 };
	const struct mapping *m = walk_mapping(w, target);
	const uint8_t *code;
	int32_t distance;

	if (target <= f->pc && f->pc - target < NOT_FAR)
		return true;
	if (!m || m->module != w->module)
		return false;
	code = tables_code(&w->u->tables, w->u->modules, m->module, target - m->start + m->offset, JUMPS_WITHIN);
	for (uint64_t i = 0; code && i + 5 <= JUMPS_WITHIN; i++) {
		if (code[i] != JMP)
			continue;
		memcpy(&distance, code + i + 1, 4);
		if (f->pc - (target + i + 5 + (uint64_t)(int64_t)distance) < NOT_FAR)
			return true;
	}
	return false;
}

/* x86-64: a leaf function that has nothing on the stack, called through a pointer, or from another module through
 * its PLT: the stack pointer points to the return address. */
static bool step_called(struct walk *w, const struct function *f)
{
	const struct mapping *to;
	enum call_kind kind;
	uint64_t at, pc, target;

	if (w->u->machine != UNWIND_X86_64 || !w->is_exact || !register_get(&w->now, X86_RSP, &at) ||
	    !stack_read(&w->stack, at, &pc))
		return false;
	kind = find_call(w, pc, &target);
	if (kind == CALL_DIRECT && !(f->has_start && target == f->start)) {
		to = walk_mapping(w, target);
		if (!to || (to->module == w->module && !(leaves_stack(w, f) && comes_here(w, f, target))))
			return false;
	}
	return kind != CALL_NONE && walk_go_on(w, at + 8, pc, false);
}

static struct function step_by_guess_find_function(struct walk *w)
{
	struct function f = { .pc = w->is_exact ? w->pc : w->pc - 1 };
	const struct mapping *m = walk_mapping(w, f.pc);
	uint64_t in_module = m ? f.pc - m->start + m->offset : 0, start;

	f.has_start = m && tables_function(&w->u->tables, w->u->modules, m->module, in_module, &start);
	if (f.has_start)
		f.start = f.pc - (in_module - start);
	return f;
}

/* aarch64: a function without a frame, which has just been called or calls nothing. */
static bool step_link_register(struct walk *w)
{
	uint64_t pc, sp;

	return w->u->machine == UNWIND_AARCH64 && w->is_exact && register_get(&w->now, ARM_LR, &pc) &&
	       register_get(&w->now, ARM_SP, &sp) && walk_mapping(w, walk_strip_signature(w, pc) - 1) &&
	       walk_go_on(w, sp, pc, false);
}

/* Find JIT-compiled code that frees its frame as soon as its callee returns.  *size: of the frame.  The code is
 * read once and remembered: the last samples are mostly walked after the process has ended. */
static bool find_return(struct walk *w, uint64_t *size)
{
	enum { NONE = 1, SIZES };
	struct rules *returns = &w->u->returns;
	const struct mapping *m = walk_mapping(w, w->pc - 1);
	uint32_t known = unwind_rules_find(returns, w->module, w->pc);
	uint8_t code[RETURN_BYTES];

	if (m && read_made_code(w, m, w->pc, code, sizeof(code))) {
		uint32_t now = code_returns(code, size) ? SIZES + (uint32_t)*size : NONE;

		if (!known)
			unwind_rules_remember(returns, w->module, w->pc, now);
		known = now;
	}
	*size = known - SIZES;
	return known >= SIZES;
}

static bool step_to_return(struct walk *w)
{
	uint64_t sp, size, pc;

	if (!w->u->reads_memory || w->is_exact || w->u->machine != UNWIND_X86_64 ||
	    w->u->modules->items[w->module].kind != MODULE_JIT || !register_get(&w->now, X86_RSP, &sp))
		return false;
	return find_return(w, &size) && stack_read(&w->stack, sp + size, &pc) && walk_mapping(w, pc - 1) &&
	       walk_go_on(w, sp + size + 8, pc, false);
}

/* x86-64: the next instruction shows that the frame pointer is not set up yet, or is the caller's again. */
static bool step_next(struct walk *w)
{
	const struct mapping *m = walk_mapping(w, w->pc);
	const uint8_t *code;
	uint64_t sp, above, pc, target;

	if (w->u->machine != UNWIND_X86_64 || !w->is_exact || !m || w->pc == m->start ||
	    !register_get(&w->now, X86_RSP, &sp))
		return false;
	code = tables_code(&w->u->tables, w->u->modules, m->module, w->pc - 1 - m->start + m->offset, NEXT_BYTES);
	if (!code || !code_shows_return(code, &above) || !stack_read(&w->stack, sp + above, &pc) ||
	    find_call(w, pc, &target) == CALL_NONE)
		return false;
	if (above && !stack_read(&w->stack, sp, &w->now.values[X86_RBP]))
		return false;
	return walk_go_on(w, sp + above + 8, pc, false);
}

/* A function that does not set up a frame pointer, at least not at its start.  The frame pointer may lead to the
 * frame of its caller, which would then be skipped.  But a function that calls others may have set up a frame after
 * all. */
static bool step_no_frame(struct walk *w, const struct function *f)
{
	uint64_t frame = w->is_exact ? UINT64_MAX : step_by_guess_find_frame(w);

	if (frame != UINT64_MAX && has_own_frame(w, f))
		return step_frame_pointer(w, UNWIND_NO_CFI);
	if (step_scan(w, f, frame) || step_called(w, f) || step_link_register(w))
		return true;
	return frame != UINT64_MAX ? step_frame_pointer(w, UNWIND_NO_CFI) : walk_stop(w, UNWIND_NO_CFI);
}

/* A function that may or may not set up a frame pointer.  If it has no symbol, a chain of frames is better evidence
 * than words on the stack. */
static bool step_unclear(struct walk *w, const struct function *f)
{
	uint64_t frame = step_by_guess_find_frame(w);

	if (has_own_frame(w, f) || (frame != UINT64_MAX && !f->has_start))
		return step_frame_pointer(w, UNWIND_NO_CFI);
	return step_scan(w, f, frame) || step_called(w, f) || step_frame_pointer(w, UNWIND_NO_CFI);
}

bool step_by_guess(struct walk *w, uint32_t number)
{
	struct function f;

	if (number == RULE_FIRST)
		return step_frame_pointer(w, UNWIND_BROKEN);
	if (number == RULE_ENTRY)
		return walk_stop(w, UNWIND_COMPLETE);
	if (step_to_return(w) || (number != RULE_NO_FILE && step_next(w)))
		return true;
	if (number == RULE_NO_FRAME || number == RULE_UNCLEAR) {
		f = step_by_guess_find_function(w);
		return number == RULE_NO_FRAME ? step_no_frame(w, &f) : step_unclear(w, &f);
	}
	return step_frame_pointer(w, number == RULE_NO_FILE ? UNWIND_NO_FILE : UNWIND_NO_CFI);
}
