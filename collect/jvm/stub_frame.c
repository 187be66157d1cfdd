#include <string.h>

#include "collect/jvm/frame_walk.h"

enum { SCAN_WORDS = 256, FRAME_MAX = 1 << 16 };

/* Does the return address at cfa - 8 follow a direct call of a stub? */
static bool was_called(struct frame_step *s, uint64_t cfa, uint64_t *entry)
{
	const struct code_blob *blob;
	uint64_t pc;

	if (!frame_probe(s, cfa - 8, &pc) || !frame_is_return(s, pc, entry) || !*entry)
		return false;
	blob = code_cache_find(s->j->code, *entry);
	return blob && (blob->kind == CODE_STUB || blob->kind == CODE_CALL_STUB);
}

/* Does the stub begin with "push %rbp"? */
static bool saves_fp(struct frame_step *s, uint64_t entry)
{
	uint8_t code[5];

	if (!code_cache_bytes(s->j->code, entry, code, sizeof(code)))
		return false;
	return code[0] == 0x55 || (!memcmp(code, "\xf3\x0f\x1e\xfa", 4) && code[4] == 0x55);
}

/* The nearest return address that follows a call of a stub. */
static bool stub_frame_scan(struct frame_step *s, enum unwind_answer *answer)
{
	uint64_t cfa = s->f->sp + 8, entry;

	for (int i = 0; i < SCAN_WORDS; i++, cfa += 8) {
		if (was_called(s, cfa, &entry)) {
			*answer = frame_return(s, cfa, saves_fp(s, entry) ? cfa - 16 : UINT64_MAX);
			return true;
		}
	}
	return false;
}

/* Does the frame pointer make sense, and does the return address at cfa - 8 follow the call of a stub that saves
 * it? */
static bool stub_frame_has_frame(struct frame_step *s, uint64_t cfa)
{
	uint64_t entry;

	return s->f->has_fp && s->f->fp >= s->f->sp && s->f->fp - s->f->sp < FRAME_MAX && was_called(s, cfa, &entry) &&
	       saves_fp(s, entry);
}

/* Is the caller C++ code of libjvm? */
static bool returns_to_libjvm(struct frame_step *s, uint64_t cfa)
{
	const struct runtime_file *lib = &s->j->jvm->lib;
	uint64_t pc;

	return frame_can_return(s, cfa) && frame_probe(s, cfa - 8, &pc) && pc >= lib->start && pc < lib->end;
}

/* Code close to the address where Java returns to C++ is the call stub, which sets up a frame. */
static bool step_call_stub(struct frame_step *s, enum unwind_answer *answer)
{
	enum { BEFORE = 512, BEHIND = 256 };
	struct unwind_made *f = s->f;
	uint64_t at = s->j->call_stub_return;

	if (f->pc < at - BEFORE || f->pc > at + BEHIND || (!f->is_exact && f->pc != at))
		return false;
	if (f->is_exact && returns_to_libjvm(s, f->sp + 8))
		*answer = frame_return(s, f->sp + 8, UINT64_MAX);
	else if (f->is_exact && returns_to_libjvm(s, f->sp + 16))
		*answer = frame_return(s, f->sp + 16, f->sp);
	else if (f->has_fp && f->fp >= f->sp &&
		 (f->is_exact ? returns_to_libjvm(s, f->fp + 16) : frame_can_return(s, f->fp + 16)))
		*answer = frame_return(s, f->fp + 16, f->fp);
	else
		return false;
	return true;
}

/* Is there a return address at cfa - 8, or the address of a throw, which does not follow a call? */
static bool is_return_or_throw(struct frame_step *s, uint64_t cfa)
{
	uint64_t pc;

	return frame_can_return(s, cfa) || (frame_probe(s, cfa - 8, &pc) && frame_is_in_method(s, pc));
}

/* The frame has the size given in its blob, unless the interrupted code was setting up or removing the frame. */
static bool has_whole_frame(struct frame_step *s, uint64_t cfa)
{
	if (s->blob->frame_size < 2 || s->blob->frame_size >= FRAME_MAX)
		return false;
	return !s->f->is_exact || s->f->fp == cfa - 16 ? is_return_or_throw(s, cfa) : frame_can_return(s, cfa);
}

/* The stub begins with "push %rbp; mov %rsp, %rbp": which of the two instructions is next? */
static bool step_framed(struct frame_step *s, enum unwind_answer *answer)
{
	enum { RET = 0xc3 };
	struct unwind_made *f = s->f;
	uint64_t at = f->pc - s->blob->code_begin;
	uint8_t code[4], next;

	if (!f->is_exact || !code_cache_bytes(s->j->code, s->blob->code_begin, code, sizeof(code)) ||
	    !code_cache_bytes(s->j->code, f->pc, &next, 1) ||
	    (memcmp(code, "\x55\x48\x8b\xec", 4) && memcmp(code, "\x55\x48\x89\xe5", 4)))
		return false;
	if (!at || next == RET) {
		if (!frame_can_return(s, f->sp + 8))
			return false;
		*answer = frame_return(s, f->sp + 8, UINT64_MAX);
	} else if (at < 4) {
		if (!frame_can_return(s, f->sp + 16))
			return false;
		*answer = frame_return(s, f->sp + 16, f->sp);
	} else {
		if (!f->has_fp || f->fp < f->sp || f->fp - f->sp >= FRAME_MAX || !is_return_or_throw(s, f->fp + 16))
			return false;
		*answer = frame_return(s, f->fp + 16, f->fp);
	}
	return true;
}

/* Adapters between the interpreter and compiled code have no frame.  To make room for arguments, an adapter pops the
 * return address into %rax.  Then %r13 is the caller's stack pointer or, around a call of the JVM, the address of the
 * return address. */
static enum unwind_answer step_adapter(struct frame_step *s)
{
	enum { X86_RAX = 0, X86_R13 = 13, ARGUMENTS_MAX = 1 << 12 };
	struct unwind_made *f = s->f;
	uint64_t sender, pc, target;

	if (!register_get(f->registers, X86_R13, &sender) || sender & 7 || sender < f->sp ||
	    sender - f->sp > ARGUMENTS_MAX)
		sender = 0;
	if (!f->is_exact)
		return sender && frame_can_return(s, sender + 8) ? frame_return(s, sender + 8, UINT64_MAX)
								 : UNWIND_LOST;
	if (frame_can_return(s, f->sp + 8)) {
		enum unwind_answer answer = frame_return(s, f->sp + 8, UINT64_MAX);

		if (sender > f->caller_sp && frame_fits(s, f->caller_pc, sender))
			f->caller_sp = sender;
		return answer;
	}
	if (!register_get(f->registers, X86_RAX, &pc) || !frame_is_return(s, pc, &target))
		return UNWIND_LOST;
	f->caller_pc = pc;
	f->caller_sp = sender && frame_fits(s, pc, sender) ? sender : f->sp;
	f->caller_fp = f->fp;
	f->caller_has_fp = f->has_fp;
	return UNWIND_TO_CALLER;
}

static bool is_adapter(const struct code_blob *blob)
{
	return blob->name && strstr(blob->name, "C2I");
}

static bool is_exception_blob(const struct code_blob *blob)
{
	return blob->name && (strstr(blob->name, "ExceptionBlob") || strstr(blob->name, "exception_blob"));
}

static bool is_thrower(struct frame_step *s, uint64_t cfa)
{
	uint64_t pc;

	return frame_probe(s, cfa - 8, &pc) && frame_is_in_method(s, pc) && frame_fits(s, pc, cfa);
}

/* A method that throws jumps to this stub.  The throwing address is in %rdx, except while it is pushed like a return
 * address. */
static enum unwind_answer step_exception(struct frame_step *s, uint64_t whole)
{
	enum { X86_RDX = 1 };
	struct unwind_made *f = s->f;
	uint64_t pc;

	if (is_thrower(s, whole))
		return frame_return(s, whole, whole - 16);
	if (!register_get(f->registers, X86_RDX, &pc) || !frame_is_in_method(s, pc) || !frame_fits(s, pc, f->sp))
		return is_thrower(s, f->sp + 8) ? frame_return(s, f->sp + 8, UINT64_MAX) : UNWIND_LOST;
	f->caller_pc = pc;
	f->caller_sp = f->sp;
	f->caller_fp = f->fp;
	f->caller_has_fp = f->has_fp;
	return UNWIND_TO_CALLER;
}

enum unwind_answer frame_stub(struct frame_step *s)
{
	struct unwind_made *f = s->f;
	uint64_t whole = f->sp + (uint64_t)s->blob->frame_size * 8;
	enum unwind_answer answer;

	if (step_call_stub(s, &answer))
		return answer;
	if (is_adapter(s->blob))
		return step_adapter(s);
	if (f->is_exact && is_exception_blob(s->blob))
		return step_exception(s, whole);
	if (step_framed(s, &answer))
		return answer;
	if (has_whole_frame(s, whole))
		return frame_return(s, whole, whole - 16);
	if (f->is_exact && frame_can_return(s, f->sp + 8))
		return frame_return(s, f->sp + 8, UINT64_MAX);
	if (f->is_exact && stub_frame_has_frame(s, f->sp + 16))
		return frame_return(s, f->sp + 16, f->sp);
	if (f->has_fp && stub_frame_has_frame(s, f->fp + 16))
		return frame_return(s, f->fp + 16, f->fp);
	if (stub_frame_scan(s, &answer))
		return answer;
	/* The stub was reached by a jump and has called the JVM, for which it had to align the stack. */
	for (uint64_t cfa = f->sp + 8; cfa <= f->sp + 16; cfa += 8) {
		if (frame_can_return(s, cfa))
			return frame_return(s, cfa, UINT64_MAX);
	}
	return UNWIND_LOST;
}
