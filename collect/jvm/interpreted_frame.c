#include "collect/jvm/frame_walk.h"
#include "core/hash.h"

/* hotspot/cpu/x86/frame_x86.hpp, words from %rbp:
 *
 *      1  return address            -2  last sp
 *      0  caller's frame pointer    -3  Method*
 *     -1  sender sp                 -7 or -8, since JDK 9: bytecode pointer
 *
 * Sender sp is the caller's stack pointer before the arguments were pushed; it is in %r13 when the method is entered,
 * while the Method* is in %rbx.  Later, %r13 is the bytecode pointer. */
enum { X86_RAX = 0, X86_RBX = 3, X86_R13 = 13, SENDER_MAX = 1 << 20 };

static bool interpreted_frame_get(const struct frame_step *s, unsigned number, uint64_t *value)
{
	return register_get(s->f->registers, number, value);
}

static bool read_bytecodes(const struct java_frames *j, uint64_t method, struct seen_bytecodes *b)
{
	const struct remote *r = &j->jvm->remote;
	uint64_t codes;

	b->method = 0;
	if (!method || method & 7 || !remote_u64(r, method + (uint64_t)j->const_method, &codes) || codes & 7 ||
	    !remote_u16(r, codes + (uint64_t)j->code_size, &b->size))
		return false;
	b->method = method;
	b->start = codes + (uint64_t)j->const_method_size;
	return true;
}

/* The index of the candidate that points into the bytecodes; -1: none does. */
static int bci_of(const struct seen_bytecodes *b, const uint64_t *at, int count)
{
	for (int i = 0; i < count; i++) {
		if (at[i] - b->start < b->size)
			return (int)(at[i] - b->start);
	}
	return -1;
}

static int find_bci(struct frame_step *s, uint64_t method)
{
	struct java_frames *j = s->j;
	struct seen_bytecodes *b = &j->bytecodes[hash_mix(method, 1) % 256];
	uint64_t at[3];
	int count = 0, bci = -1;

	if (s->f->is_exact)
		count += interpreted_frame_get(s, X86_R13, &at[count]);
	for (int64_t word = j->method - 5; word <= j->method - 4; word++)
		count += frame_probe(s, s->f->fp + (uint64_t)(word * 8), &at[count]);
	if (b->method == method)
		bci = bci_of(b, at, count);
	/* The bytecodes are not known yet, or a class was unloaded and another method is here now. */
	if (bci < 0 && read_bytecodes(j, method, b))
		bci = bci_of(b, at, count);
	return bci;
}

/* The frame of the method is set up, or is being filled. */
static enum unwind_answer step_frame(struct frame_step *s, struct java_frame *to)
{
	struct java_frames *j = s->j;
	struct unwind_made *f = s->f;
	uint64_t sender, method_at = f->fp + (uint64_t)(j->method * 8),
			 sender_at = f->fp + (uint64_t)(j->sender_sp * 8);
	enum unwind_answer answer;

	if (!f->has_fp || f->fp & 7 || f->fp < f->sp)
		return UNWIND_LOST;
	if (!(f->is_exact && f->sp > method_at ? interpreted_frame_get(s, X86_RBX, &to->method)
					       : stack_read(f->stack, method_at, &to->method)))
		return UNWIND_LOST;
	to->bci = find_bci(s, to->method);
	if (!(f->is_exact && f->sp > sender_at ? interpreted_frame_get(s, X86_R13, &sender)
					       : stack_read(f->stack, sender_at, &sender)))
		return UNWIND_LOST;
	answer = frame_return(s, f->fp + 16, f->fp);
	if (answer == UNWIND_TO_CALLER && !(sender & 7) && sender >= f->fp + 16 && sender - f->fp < SENDER_MAX)
		f->caller_sp = sender;
	return answer;
}

/* A step while the return address is in a register, because it was popped. */
static enum unwind_answer step_popped(struct frame_step *s, uint64_t sender)
{
	struct unwind_made *f = s->f;
	uint64_t pc, target;

	if (!sender || !interpreted_frame_get(s, X86_RAX, &pc) || !frame_is_return(s, pc, &target))
		return UNWIND_LOST;
	f->caller_pc = pc;
	f->caller_sp = sender;
	f->caller_fp = f->fp;
	f->caller_has_fp = f->has_fp;
	return UNWIND_TO_CALLER;
}

/* The return address is at the stack pointer, or not far above, since calls made by an entry may need arguments. */
static enum unwind_answer step_pushed_some(struct frame_step *s, uint64_t sender)
{
	enum { PUSHED_MAX = 160 };
	struct unwind_made *f = s->f;
	enum unwind_answer answer;

	for (uint64_t i = 1; i <= PUSHED_MAX; i++) {
		if (!frame_returns_to_java(s, f->sp + 8 * i))
			continue;
		answer = frame_return(s, f->sp + 8 * i, UINT64_MAX);
		if (sender > f->caller_sp)
			f->caller_sp = sender;
		return answer;
	}
	return UNWIND_LOST;
}

/* A step out of an entry whose frame is not set up yet, or never is. */
static enum unwind_answer step_entry(struct frame_step *s, struct java_frame *to)
{
	struct unwind_made *f = s->f;
	uint64_t sender;
	enum unwind_answer answer;

	if (f->is_exact)
		interpreted_frame_get(s, X86_RBX, &to->method);
	if (!interpreted_frame_get(s, X86_R13, &sender) || !f->is_exact || sender & 7 || sender < f->sp ||
	    sender - f->sp > SENDER_MAX)
		sender = 0;
	if (!frame_returns_to_java(s, f->sp + 8)) {
		answer = step_popped(s, sender);
		if (answer == UNWIND_TO_CALLER)
			return answer;
	}
	return step_pushed_some(s, sender);
}

/* A step out of code between "push %rbp" and "mov %rsp, %rbp". */
static enum unwind_answer interpreted_frame_step_pushed(struct frame_step *s, struct java_frame *to)
{
	uint64_t sender;
	enum unwind_answer answer = frame_return(s, s->f->sp + 16, s->f->sp);

	interpreted_frame_get(s, X86_RBX, &to->method);
	if (answer == UNWIND_TO_CALLER && interpreted_frame_get(s, X86_R13, &sender) && !(sender & 7) &&
	    sender >= s->f->sp + 16 && sender - s->f->sp < SENDER_MAX)
		s->f->caller_sp = sender;
	return answer;
}

/* Register numbers as in instructions and in DWARF. */
static const uint8_t dwarf_numbers[16] = { 0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15 };

/* How a method returns: "leave; pop %rsi; mov %rbx, %rsp; jmp *%rsi", perhaps with other registers. */
struct leaving {
	unsigned pc, sp; /* numbers of the registers that hold the return address and the caller's stack pointer */
	bool is_popped, is_moved;
};

static size_t decode_pop(const uint8_t *code, unsigned *number)
{
	size_t prefix = code[0] == 0x41;

	if ((code[prefix] & 0xf8) != 0x58)
		return 0;
	*number = dwarf_numbers[(code[prefix] & 7) + 8 * prefix];
	return prefix + 1;
}

static size_t decode_mov_to_sp(const uint8_t *code, unsigned *number)
{
	if ((code[0] & 0xfa) == 0x48 && code[1] == 0x8b && (code[2] & 0xf8) == 0xe0) {
		*number = dwarf_numbers[(code[2] & 7) + 8 * (code[0] & 1)];
		return 3;
	}
	if ((code[0] & 0xfa) == 0x48 && code[1] == 0x89 && (code[2] & 0xc7) == 0xc4) {
		*number = dwarf_numbers[(code[2] >> 3 & 7) + (code[0] & 4 ? 8 : 0)];
		return 3;
	}
	return 0;
}

static size_t decode_jmp(const uint8_t *code, unsigned *number)
{
	size_t prefix = code[0] == 0x41;

	if (code[prefix] != 0xff || (code[prefix + 1] & 0xf8) != 0xe0)
		return 0;
	*number = dwarf_numbers[(code[prefix + 1] & 7) + 8 * prefix];
	return prefix + 2;
}

/* Is the code inside the sequence of struct leaving, after "leave"? */
static bool is_leaving(const uint8_t code[8], struct leaving *l)
{
	unsigned popped = 0;
	size_t at = decode_pop(code, &popped), moved;

	l->is_popped = !at;
	moved = decode_mov_to_sp(code + at, &l->sp);
	l->is_moved = !moved;
	if (at && !moved)
		return false;
	return decode_jmp(code + at + moved, &l->pc) && (l->is_popped || l->pc == popped);
}

static enum unwind_answer step_leaving(struct frame_step *s, const struct leaving *l)
{
	struct unwind_made *f = s->f;
	uint64_t sp = f->sp, target;

	if (!(l->is_popped ? interpreted_frame_get(s, l->pc, &f->caller_pc) : frame_probe(s, f->sp, &f->caller_pc)) ||
	    !frame_is_return(s, f->caller_pc, &target))
		return UNWIND_LOST;
	if (!l->is_moved && (!interpreted_frame_get(s, l->sp, &sp) || sp & 7 || sp < f->sp || sp - f->sp > SENDER_MAX))
		return UNWIND_LOST;
	f->caller_sp = sp;
	f->caller_fp = f->fp;
	f->caller_has_fp = f->has_fp;
	return UNWIND_TO_CALLER;
}

enum unwind_answer frame_interpreted(struct frame_step *s, struct java_frame *to)
{
	const struct codelet *codelet = codelet_find(&s->j->codelets, s->f->pc - !s->f->is_exact);
	struct unwind_made *f = s->f;
	struct leaving leaving = { 0 };
	uint8_t code[8];

	if (!codelet)
		return UNWIND_LOST;
	if (codelet->kind == CODELET_ENTRY && f->pc <= codelet->frame)
		return step_entry(s, to);
	if (codelet->kind == CODELET_ENTRY && f->is_exact && f->pc == codelet->frame + 1)
		return interpreted_frame_step_pushed(s, to);
	if (f->is_exact && code_cache_bytes(s->j->code, f->pc, code, sizeof(code)) && is_leaving(code, &leaving)) {
		enum unwind_answer answer = step_leaving(s, &leaving);

		if (answer == UNWIND_TO_CALLER)
			return answer;
	}
	return step_frame(s, to);
}
