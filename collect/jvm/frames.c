#include "collect/jvm/frames.h"

#include <stdlib.h>
#include <string.h>

#include "collect/jvm/code/compiled_frame.h"
#include "collect/jvm/frame_walk.h"
#include "core/memory.h"

/* ---- tables ---------------------------------------------------- */

/* The addresses needed for virtual threads are in the tables since JDK 25; before, they are found by symbols, if there
 * are any. */
static void find_continuations(struct java_frames *j)
{
	struct runtime_symbol wanted[] = {
		{ .name = "_ZN12StubRoutines19_cont_returnBarrierE" },
		{ .name = "_ZN17ContinuationEntry10_return_pcE" },
	};
	const struct remote *r = &j->jvm->remote;

	runtime_symbols(&j->jvm->lib, wanted, 2);
	if (!wanted[1].address)
		wanted[1].address = vm_static(j->jvm->tables, "ContinuationEntry", "_return_pc");
	if (wanted[0].address)
		remote_u64(r, wanted[0].address, &j->return_barrier);
	if (wanted[1].address)
		remote_u64(r, wanted[1].address, &j->continuation_return);
}

static bool jvm_frames_find_layout(struct java_frames *j)
{
	const struct vm_tables *t = j->jvm->tables;
	uint64_t at = vm_static(t, "StubRoutines", "_call_stub_return_address");
	int64_t last_sp;

	if (!vm_constant(t, "frame::interpreter_frame_sender_sp_offset", &j->sender_sp))
		j->sender_sp = -1; /* JDK 8 */
	if (!vm_constant(t, "frame::interpreter_frame_last_sp_offset", &last_sp))
		last_sp = j->sender_sp - 1;
	j->method = last_sp - 1;
	j->const_method = vm_offset(t, "Method", "_constMethod");
	j->code_size = vm_offset(t, "ConstMethod", "_code_size");
	j->const_method_size = (int64_t)vm_size(t, "ConstMethod");
	return j->const_method >= 0 && j->code_size >= 0 && j->const_method_size > 0 && at &&
	       remote_u64(&j->jvm->remote, at, &j->call_stub_return);
}

struct java_frames *java_frames_new(const struct jvm *jvm, struct code_cache *code, struct scope_reader *scopes,
				    const char **why)
{
	struct java_frames *j = xcalloc(1, sizeof(*j));

#if !defined(__x86_64__)
	*why = "this processor is not supported yet";
	goto failed;
#endif
	j->jvm = jvm;
	j->code = code;
	j->scopes = scopes;
	if (codelets_read(&j->codelets, jvm, why) < 0)
		goto failed;
	*why = "its frames are not described";
	if (!jvm_frames_find_layout(j))
		goto failed;
	find_continuations(j);
	return j;
failed:
	java_frames_free(j);
	return NULL;
}

/* ---- the caller ---------------------------------------------------------------------- */

/* The callers of a virtual thread's frame are on the heap until the frame returns to them.  By the time we could
 * read these callers, they may have changed or moved.  The frame that mounted the virtual thread, enterSpecial, is
 * not far above on this stack. */
static enum unwind_answer skip_to_mount(struct frame_step *s, uint64_t cfa)
{
	enum { NOT_FAR = 64 };
	const struct code_blob *enter = code_cache_find(s->j->code, s->j->continuation_return);
	uint64_t size = enter ? (uint64_t)enter->frame_size * 8 : 0;

	for (uint64_t sp = cfa; size >= 16 && sp < cfa + NOT_FAR * 8; sp += 8) {
		if (!frame_can_return(s, sp + size))
			continue;
		s->f->caller_pc = s->j->continuation_return;
		s->f->caller_sp = sp;
		s->f->caller_has_fp = false;
		s->f->leaves_out = true;
		return UNWIND_TO_CALLER;
	}
	return UNWIND_LOST;
}

enum unwind_answer frame_return(struct frame_step *s, uint64_t cfa, uint64_t saved)
{
	struct unwind_made *f = s->f;

	if (!stack_read(f->stack, cfa - 8, &f->caller_pc))
		return UNWIND_LOST;
	if (f->caller_pc == s->j->return_barrier && f->caller_pc)
		return skip_to_mount(s, cfa);
	f->caller_sp = cfa;
	f->caller_fp = f->fp;
	f->caller_has_fp = f->has_fp;
	if (saved != UINT64_MAX && !stack_read(f->stack, saved, &f->caller_fp))
		return UNWIND_LOST;
	f->caller_has_fp |= saved != UINT64_MAX;
	return UNWIND_TO_CALLER;
}

/* ---- compiled code ------------------------------------------------------------------- */

static struct compiled_frame read_prologue(struct frame_step *s, uint64_t size)
{
	uint64_t begin = s->blob->code_begin, end = s->blob->frame_complete;
	uint8_t code[PROLOGUE_BYTES];
	uint64_t from = end - begin > sizeof(code) ? end - sizeof(code) : begin;

	if (s->f->pc < from || !code_cache_bytes(s->j->code, from, code, end - from))
		return (struct compiled_frame){ 8, UINT64_MAX };
	return compiled_frame_in_prologue(code, end - from, s->f->pc - from, size);
}

static struct compiled_frame read_body(struct frame_step *s, uint64_t size)
{
	uint8_t code[EPILOGUE_BEFORE + EPILOGUE_AFTER];

	if (!code_cache_bytes(s->j->code, s->f->pc - EPILOGUE_BEFORE, code, sizeof(code)))
		return compiled_frame_whole(size);
	return compiled_frame_in_body(code, size);
}

/* Is the word at cfa - 8 this method's caller, as far as known? saved: as of frame_return(). */
static bool is_caller(struct frame_step *s, uint64_t cfa, uint64_t saved)
{
	uint64_t pc;

	return frame_returns_to_java(s, cfa) && frame_probe(s, cfa - 8, &pc) && frame_is_called(s, pc) &&
	       frame_fits(s, pc, cfa) && (saved == UINT64_MAX || frame_fits_interpreter(s, cfa));
}

/* The code may have pushed more than its frame: JDK 8 does for the x87 unit around calls, and so do GC barriers, which
 * save all registers. */
static enum unwind_answer jvm_frames_step_pushed(struct frame_step *s, uint64_t size)
{
	enum { PUSHED_MAX = 160 };

	for (uint64_t cfa = s->f->sp + size, i = 0; i < PUSHED_MAX; i++) {
		cfa += 8;
		if (is_caller(s, cfa, cfa - 16))
			return frame_return(s, cfa, cfa - 16);
	}
	return UNWIND_LOST;
}

/* The JVM's memory is gone.  Only one thing distinguishes the caller from leftovers of earlier calls: it is a method
 * whose own caller is in place. */
static enum unwind_answer step_remembered(struct frame_step *s, uint64_t size)
{
	uint64_t cfa = s->f->sp + size, pc;

	return frame_probe(s, cfa - 8, &pc) && frame_is_in_method(s, pc) && frame_is_called(s, pc) &&
			       frame_fits(s, pc, cfa) && frame_fits_interpreter(s, cfa)
		       ? frame_return(s, cfa, cfa - 16)
		       : UNWIND_LOST;
}

/* A leaf frame: first try the place that its code shows; if no caller is there, try other places. */
static enum unwind_answer step_compiled_leaf(struct frame_step *s, uint64_t size)
{
	struct compiled_frame tries[4] = { { 0, 0 }, compiled_frame_whole(size), { 8, UINT64_MAX }, { 16, 0 } };
	uint64_t sp = s->f->sp;
	uint8_t code;

	if (s->blob->frame_complete && s->f->pc < s->blob->frame_complete)
		tries[0] = read_prologue(s, size);
	else
		tries[0] = read_body(s, size);
	for (size_t i = 0; i < 4; i++) {
		uint64_t cfa = sp + tries[i].cfa_above;
		uint64_t saved = tries[i].saved_above == UINT64_MAX ? UINT64_MAX : sp + tries[i].saved_above;

		if (is_caller(s, cfa, saved))
			return frame_return(s, cfa, saved);
	}
	return remote_u8(&s->j->jvm->remote, s->f->pc, &code) ? jvm_frames_step_pushed(s, size)
							      : step_remembered(s, size);
}

/* A frame that has called another one; usually, the code before the return address need not be read. has_scope: the
 * call has debug information, so nothing was pushed around the call. */
static enum unwind_answer step_compiled_caller(struct frame_step *s, uint64_t size, bool has_scope)
{
	uint64_t cfa = s->f->sp + size, pc;
	bool is_plain;

	if (!frame_probe(s, cfa - 8, &pc))
		return frame_return(s, cfa, cfa - 16);
	is_plain = frame_is_in_method(s, pc) || frame_can_return(s, cfa);
	if (is_plain && (has_scope || is_caller(s, cfa, cfa - 16)))
		return frame_return(s, cfa, cfa - 16);
	if (jvm_frames_step_pushed(s, size) == UNWIND_TO_CALLER)
		return UNWIND_TO_CALLER;
	return is_plain ? frame_return(s, cfa, cfa - 16) : UNWIND_LOST;
}

static enum unwind_answer step_compiled(struct frame_step *s, bool has_scope)
{
	uint64_t size = (uint64_t)s->blob->frame_size * 8, sp = s->f->sp;

	if (size < 16) /* the jump of a method handle has no frame */
		return frame_can_return(s, sp + 8) ? frame_return(s, sp + 8, UINT64_MAX) : UNWIND_LOST;
	return s->f->is_exact ? step_compiled_leaf(s, size) : step_compiled_caller(s, size, has_scope);
}

static enum java_tier jvm_frames_tier_of(const struct code_blob *blob)
{
	return blob->kind == CODE_COMPILED && blob->level > 0 && blob->level < 4 ? JAVA_C1 : JAVA_C2;
}

static enum java_tier inlined_tier(const struct scope *scope)
{
	return scope->is_likely ? JAVA_LIKELY : JAVA_INLINED;
}

/* The pc that identifies the frame's methods: in a frame that was marked for deoptimisation, the saved pc. */
static uint64_t find_described_pc(const struct frame_step *s)
{
	const struct code_blob *blob = s->blob;
	uint64_t at = s->f->sp + (uint64_t)(int64_t)blob->orig_pc_offset, saved;

	if (s->f->is_exact || !frame_is_deoptimised(blob, s->f->pc) || !frame_probe(s, at, &saved))
		return s->f->pc;
	return saved > blob->code_begin && saved <= blob->code_end ? saved : s->f->pc;
}

static size_t list_compiled(struct frame_step *s, struct java_frame list[SCOPES_MAX])
{
	struct scope scopes[SCOPES_MAX];
	size_t count = scopes_at(s->j->scopes, s->blob, find_described_pc(s), s->f->is_exact, scopes);

	for (size_t i = 0; i < count; i++)
		list[i] = (struct java_frame){ .method = scopes[i].method,
					       .bci = scopes[i].bci,
					       .tier = i + 1 < count ? inlined_tier(&scopes[i])
								     : jvm_frames_tier_of(s->blob) };
	return count;
}

/* ---- one step ------------------------------------------------------------------------ */

static enum unwind_answer jvm_frames_step(struct frame_step *s, struct java_frame list[SCOPES_MAX], size_t *count)
{
	*count = 1;
	list[0] = (struct java_frame){ .name = s->blob->name, .bci = -1, .tier = JAVA_C2 };
	switch (s->blob->kind) {
	case CODE_COMPILED:
	case CODE_NATIVE: *count = list_compiled(s, list); return step_compiled(s, list[0].bci >= 0);
	case CODE_INTERPRETER: list[0].tier = JAVA_INTERPRETED; return frame_interpreted(s, &list[0]);
	default: return frame_stub(s);
	}
}

enum unwind_answer java_frames_step(struct java_frames *j, struct unwind_made *f,
				    struct java_frame list[JAVA_FRAMES_MAX], size_t *count)
{
	struct frame_step s = { .j = j, .f = f };
	enum unwind_answer answer;

	*count = 0;
	s.blob = code_cache_find(j->code, f->pc - !f->is_exact);
	if (!s.blob)
		return code_cache_has(j->code, f->pc) ? UNWIND_LOST : UNWIND_NOT_MINE;
	answer = jvm_frames_step(&s, list, count);
	if (f->leaves_out)
		list[(*count)++] = (struct java_frame){ .name = "[frames on the heap]", .bci = -1 };
	return answer;
}

void java_frames_free(struct java_frames *j)
{
	if (j)
		codelets_free(&j->codelets);
	free(j);
}
