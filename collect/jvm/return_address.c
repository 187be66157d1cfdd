#include <string.h>

#include "collect/jvm/frame_walk.h"
#include "core/hash.h"
#include "core/unwind/instructions.h"

enum { FAR_CALL_BYTES = 13, CODE_BYTES = 15, INTERPRETED_MAX = 1 << 20 };

/* mov $number, %r10; call *%r10 */
static bool is_far_call(const uint8_t *code, uint64_t *target)
{
	if (memcmp(code, "\x49\xba", 2) || memcmp(code + 10, "\x41\xff\xd2", 3))
		return false;
	memcpy(target, code + 2, 8);
	return true;
}

/* Is this "mov $class, %rax; call"?  The target of such a call changes as classes are loaded, even after the sample. */
static bool is_inline_cache(const uint8_t code[CODE_BYTES])
{
	return !memcmp(code, "\x48\xb8", 2);
}

static bool ends_with_call(const uint8_t code[CODE_BYTES], uint64_t pc, uint64_t *target)
{
	int32_t distance;

	if (is_far_call(code + CODE_BYTES - FAR_CALL_BYTES, target))
		return true;
	switch (code_ends_with_call(code + CODE_BYTES - CALL_BYTES, &distance)) {
	case CALL_DIRECT: *target = is_inline_cache(code) ? 0 : pc + (uint64_t)(int64_t)distance; return true;
	case CALL_INDIRECT: return true;
	default: return false;
	}
}

/* When the JVM has ended, trust what was known about its methods.  Any other word that looks like a return address may
 * be the caller, and must not be skipped for a later one. */
static bool is_believed(struct frame_step *s, uint64_t pc)
{
	s->is_blind = !frame_is_in_method(s, pc);
	return !s->is_blind;
}

/* The last samples of a JVM are walked when its memory is gone; what was read earlier is used for them. */
static bool is_behind_call(struct frame_step *s, uint64_t pc, uint64_t *target)
{
	struct seen_return *seen = &s->j->returns[hash_mix(pc, 1) % JAVA_RETURNS];
	uint8_t code[CODE_BYTES];
	bool is_call;

	if (!code_cache_bytes(s->j->code, pc - sizeof(code), code, sizeof(code))) {
		*target = seen->pc == pc ? seen->target : 0;
		return seen->pc == pc || is_believed(s, pc);
	}
	is_call = ends_with_call(code, pc, target);
	if (is_call)
		*seen = (struct seen_return){ pc, *target };
	return is_call;
}

/* Is pc in a library, not on the heap? */
static bool is_in_file(const struct unwind_made *f, uint64_t pc)
{
	const struct mapping *m = space_lookup(f->space, pc - 1, f->time_ns);

	return m && !m->memory;
}

bool frame_is_deoptimised(const struct code_blob *blob, uint64_t pc)
{
	return blob && blob->method && (pc == blob->deopt_handlers[0] || pc == blob->deopt_handlers[1]);
}

static bool find_out(struct frame_step *s, uint64_t pc, uint64_t *target)
{
	const struct codelet *codelet = codelet_find(&s->j->codelets, pc);

	if (pc < 4096 || s->is_blind)
		return false;
	if (codelet && codelet->kind == CODELET_RETURNS)
		return true;
	if (!code_cache_has(s->j->code, pc) && !is_in_file(s->f, pc))
		return false;
	return is_behind_call(s, pc, target) || frame_is_deoptimised(code_cache_find(s->j->code, pc), pc);
}

bool frame_is_return(struct frame_step *s, uint64_t pc, uint64_t *target)
{
	*target = 0;
	return find_out(s, pc, target);
}

bool frame_probe(const struct frame_step *s, uint64_t address, uint64_t *value)
{
	struct stack_copy copy = *s->f->stack;

	return stack_read(&copy, address, value);
}

bool frame_can_return(struct frame_step *s, uint64_t cfa)
{
	uint64_t pc, target;

	return !(cfa & 7) && cfa > s->f->sp && frame_probe(s, cfa - 8, &pc) &&
	       (pc == s->j->return_barrier ? pc != 0 : frame_is_return(s, pc, &target));
}

bool frame_is_in_method(struct frame_step *s, uint64_t pc)
{
	const struct codelet *codelet = codelet_find(&s->j->codelets, pc);
	const struct code_blob *blob = codelet ? NULL : code_cache_find(s->j->code, pc - 1);

	if (codelet)
		return codelet->kind == CODELET_RETURNS;
	return blob && blob->method && pc > blob->frame_complete && blob->frame_size >= 2;
}

bool frame_fits_interpreter(struct frame_step *s, uint64_t cfa)
{
	const struct codelet *codelet;
	uint64_t pc, fp, sender, above;

	if (!frame_probe(s, cfa - 8, &pc) || !frame_probe(s, cfa - 16, &fp))
		return false;
	codelet = codelet_find(&s->j->codelets, pc);
	if (!codelet)
		return true;
	if (fp <= cfa || fp & 7)
		return false;
	if (!frame_probe(s, fp + 8, &above)) /* the word is not in the copy */
		return fp - cfa < INTERPRETED_MAX;
	return frame_probe(s, fp + (uint64_t)(s->j->sender_sp * 8), &sender) && sender >= fp + 16 &&
	       (frame_is_in_method(s, above) || frame_can_return(s, fp + 16));
}

bool frame_fits(struct frame_step *s, uint64_t pc, uint64_t sp)
{
	const struct code_blob *blob = code_cache_find(s->j->code, pc - 1);
	uint64_t above;

	if (!blob || !blob->method || blob->frame_size < 2)
		return true;
	return !frame_probe(s, sp + (uint64_t)blob->frame_size * 8 - 8, &above) || /* the word is not in the copy */
	       frame_is_in_method(s, above) || frame_can_return(s, sp + (uint64_t)blob->frame_size * 8);
}

/* The stubs that calls go through before they are bound to a method. */
static bool leads_to_methods(const char *name)
{
	static const char *const parts[] = { "resolve", "InlineCache", "wrong_method", "ic_miss",
					     "vtable",  "itable",      "dapter",       "C2I" };

	for (size_t i = 0; name && i < sizeof(parts) / sizeof(*parts); i++) {
		if (strstr(name, parts[i]))
			return true;
	}
	return false;
}

bool frame_is_called(struct frame_step *s, uint64_t pc)
{
	const struct code_blob *called;
	uint64_t target;

	if (!frame_is_return(s, pc, &target) || !target)
		return true;
	called = code_cache_find(s->j->code, target);
	if (!called)
		return code_cache_has(s->j->code, target);
	if (!called->method) /* from JDK 26 on, a call stands before the address to which a deoptimised frame returns */
		return leads_to_methods(called->name) || frame_is_deoptimised(code_cache_find(s->j->code, pc), pc);
	/* A method handle's jump, or a stub of the caller that leads to the interpreter. */
	return called->method == s->blob->method || called->frame_size < 2 || (pc > called->start && pc <= called->end);
}

bool frame_returns_to_java(struct frame_step *s, uint64_t cfa)
{
	const struct codelet *codelet;
	const struct code_blob *blob;
	uint64_t pc;

	if (!frame_can_return(s, cfa) || !frame_probe(s, cfa - 8, &pc))
		return false;
	if (pc == s->j->call_stub_return || pc == s->j->return_barrier)
		return true;
	codelet = codelet_find(&s->j->codelets, pc);
	if (codelet)
		return codelet->kind == CODELET_RETURNS;
	blob = code_cache_find(s->j->code, pc - 1);
	return blob && blob->method;
}
