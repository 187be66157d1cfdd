/* Any bytes as the memory of a JVM, whose tables are right: methods, classes, lines, names of threads, code, scopes, and
 * walks through Java frames.  The same memory is repeated at all addresses, so that most pointers lead somewhere. */
#include <string.h>

#include "collect/jvm/code_cache.h"
#include "collect/jvm/frames.h"
#include "collect/jvm/methods.h"
#include "collect/jvm/scopes.h"
#include "collect/jvm/threads.h"
#include "core/unwind/registers.h"
#include "tests/fuzz/input.h"
#include "tests/unit/made_jvm.h"

/* The first bytes are not part of the memory, but say where walks begin. */
enum { WALKS = 4, WALK_BYTES = 8, STEPS_MAX = 64, STACK_BYTES = 512, ADDRESS_BITS = 47, PLACES = 24, BATCHES = 2 };

static bool read_input(const struct remote *r, uint64_t address, void *to, size_t len)
{
	const struct input *in = r->argument;
	uint8_t *bytes = to;
	size_t at, part;

	if (!in->size || address < MADE_STATICS || address >> ADDRESS_BITS)
		return false;
	at = (address - MADE_STATICS) % in->size;
	for (; len; len -= part, bytes += part, at = 0) {
		part = len < in->size - at ? len : in->size - at;
		memcpy(bytes, in->bytes + at, part);
	}
	return true;
}

static bool is_text(const char *text)
{
	return strlen(text) < 1u << 20;
}

static void ask_methods(struct java_methods *m, uint64_t address)
{
	struct java_method method;
	const char *class = java_class(m, address, UINT64_MAX);

	must(!class || is_text(class));
	if (!java_method(m, address, &method))
		return;
	must(*method.name && is_text(method.name) && (!method.file || is_text(method.file)));
	for (int bci = -1; bci < 64; bci++)
		must(java_method_line(m, address, bci) <= UINT16_MAX);
}

static void ask_scopes(struct scope_reader *scopes, struct code_cache *code, struct java_methods *m, uint64_t pc)
{
	const struct code_blob *blob = code_cache_find(code, pc);
	struct scope list[SCOPES_MAX];
	size_t count;

	if (!blob)
		return;
	must(code_cache_has(code, pc) && (blob->kind == CODE_COMPILED || blob->kind == CODE_NATIVE || blob->name));
	if (blob->kind != CODE_COMPILED)
		return;
	for (int is_exact = 0; is_exact < 2; is_exact++) {
		count = scopes_at(scopes, blob, pc, is_exact, list);
		must(count >= 1 && count <= SCOPES_MAX && list[count - 1].method == blob->method);
		for (size_t i = 0; i < count; i++)
			ask_methods(m, list[i].method);
	}
}

static void walk(struct java_frames *j, struct java_methods *m, const struct input *in, uint64_t pc, uint64_t sp)
{
	struct stack_copy stack = { .bytes = in->bytes,
				    .start = sp,
				    .len = in->size < STACK_BYTES ? in->size : STACK_BYTES };
	struct registers registers = { .known = 0xffff };
	struct unwind_made f = { .pc = pc,
				 .is_exact = true,
				 .sp = sp,
				 .fp = sp + 64,
				 .has_fp = true,
				 .stack = &stack,
				 .registers = &registers };
	struct java_frame list[JAVA_FRAMES_MAX];
	enum unwind_answer answer = UNWIND_TO_CALLER;
	size_t count;

	for (int i = 0; i < STEPS_MAX && answer == UNWIND_TO_CALLER; i++) {
		answer = java_frames_step(j, &f, list, &count);
		must(count <= SCOPES_MAX);
		for (size_t k = 0; answer != UNWIND_NOT_MINE && k < count; k++) {
			must(list[k].method || list[k].name);
			ask_methods(m, list[k].method);
		}
		f = (struct unwind_made){ .pc = f.caller_pc,
					  .is_exact = f.caller_is_exact,
					  .sp = f.caller_sp,
					  .fp = f.caller_fp,
					  .has_fp = f.caller_has_fp,
					  .stack = &stack,
					  .registers = &registers };
		registers.known = 0;
	}
}

static void ask_threads(const struct jvm *jvm)
{
	const struct runtime_thread *list;
	const char *why;
	struct java_threads *t = java_threads_new(jvm, &why);
	size_t unread = 0;
	int count = t ? java_threads_read(t, &list, &unread) : 0;

	for (int i = 0; i < count; i++)
		must(is_text(list[i].name));
	java_threads_free(t);
}

static void ask_all(const struct jvm *jvm, const struct input *starts, const struct input *memory)
{
	const char *why;
	struct java_methods *m = java_methods_new(jvm, &why);
	struct code_cache *code = code_cache_new(jvm, &why);
	struct scope_reader *scopes = scope_reader_new(jvm, false, &why);
	struct java_frames *frames = code && scopes ? java_frames_new(jvm, code, scopes, &why) : NULL;

	must(m);
	for (int batch = 0; batch < BATCHES; batch++) {
		for (uint64_t i = 0; i < PLACES; i++)
			ask_methods(m, MADE_STATICS + 8 * i * (memory->size / 8 / PLACES));
		for (size_t i = 0; i + WALK_BYTES <= starts->size; i += WALK_BYTES) {
			uint32_t pc, sp;

			memcpy(&pc, starts->bytes + i, 4);
			memcpy(&sp, starts->bytes + i + 4, 4);
			if (code && scopes)
				ask_scopes(scopes, code, m, pc);
			if (frames)
				walk(frames, m, memory, pc, sp);
		}
		java_methods_next_batch(m);
		if (code)
			code_cache_next_batch(code);
	}
	java_frames_free(frames);
	scope_reader_free(scopes);
	code_cache_free(code);
	java_methods_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct input memory = { bytes, size }, starts = input_part(&memory, WALKS * WALK_BYTES);
	static struct jvm jvm;

	if (!jvm.tables) {
		must(made_jvm(&jvm, read_input, NULL));
		jvm.lib.path[0] = '\0'; /* limit, because looking up more symbols would take longer than everything
					 * else */
	}
	jvm.remote.argument = &memory;
	ask_all(&jvm, &starts, &memory);
	ask_threads(&jvm);
	return 0;
}
