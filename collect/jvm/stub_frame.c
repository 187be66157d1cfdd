#include <string.h>

#include "collect/jvm/frame_walk.h"

enum { SCAN_WORDS = 256, FRAME_MAX = 1 << 16 };

/* Does the return address at cfa - 8 stand behind a call of a stub, by its address? */
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

	if (!remote_read(&s->j->jvm->remote, entry, code, sizeof(code)))
		return false;
	return code[0] == 0x55 || (!memcmp(code, "\xf3\x0f\x1e\xfa", 4) && code[4] == 0x55);
}

/* The nearest return address behind a call of a stub. */
static enum unwind_answer scan(struct frame_step *s)
{
	uint64_t cfa = s->f->sp + 8, entry;

	for (int i = 0; i < SCAN_WORDS; i++, cfa += 8) {
		if (was_called(s, cfa, &entry))
			return frame_return(s, cfa, saves_fp(s, entry) ? cfa - 16 : UINT64_MAX);
	}
	return UNWIND_LOST;
}

/* In a stub that has a frame of its own, or in none of them. */
static bool has_frame(struct frame_step *s, uint64_t cfa)
{
	uint64_t entry;

	return s->f->has_fp && s->f->fp >= s->f->sp && s->f->fp - s->f->sp < FRAME_MAX &&
	       was_called(s, cfa, &entry) && saves_fp(s, entry);
}

static enum unwind_answer step_call_stub(struct frame_step *s)
{
	struct unwind_made *f = s->f;

	if (!f->has_fp || f->fp < f->sp || !frame_can_return(s, f->fp + 16))
		return UNWIND_LOST;
	return frame_return(s, f->fp + 16, f->fp);
}

enum unwind_answer frame_stub(struct frame_step *s)
{
	struct unwind_made *f = s->f;
	uint64_t whole = f->sp + (uint64_t)s->blob->frame_size * 8;
	bool is_set_up = !f->is_exact || f->pc >= s->blob->frame_complete;

	if (!f->is_exact && f->pc == s->j->call_stub_return)
		return step_call_stub(s);
	if (f->is_exact && !is_set_up && frame_can_return(s, f->sp + 8))
		return frame_return(s, f->sp + 8, UINT64_MAX);
	if (s->blob->frame_size >= 2 && s->blob->frame_size < FRAME_MAX &&
	    frame_can_return(s, whole))
		return frame_return(s, whole, whole - 16);
	if (f->is_exact && frame_can_return(s, f->sp + 8))
		return frame_return(s, f->sp + 8, UINT64_MAX);
	if (f->is_exact && frame_can_return(s, f->sp + 16) && frame_probe(s, f->sp, &whole) &&
	    has_frame(s, f->sp + 16))
		return frame_return(s, f->sp + 16, f->sp);
	if (f->has_fp && has_frame(s, f->fp + 16))
		return frame_return(s, f->fp + 16, f->fp);
	return scan(s);
}
