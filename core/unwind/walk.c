#include "core/unwind/walk.h"

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

/* A caller is mostly in the mapping of its callee: look there first, unless mappings replaced each other; then the
 * time decides. */
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
