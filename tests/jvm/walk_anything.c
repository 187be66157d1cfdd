/* walk_anything PID ROUNDS SEED: steps through frames of a JVM, in all kinds of its code, with registers and a stack
 * that make little or no sense.  Each step must end, read only its own memory, and find callers only further up the
 * stack.  Prints how many steps were made, and how many found a caller. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/jvm/code_heaps.h"
#include "collect/jvm/frames.h"

enum { CODES_MAX = 4096, WORDS = 512 };

static const uint64_t stack_start = 0x7ffd00000000;
static uint64_t codes[CODES_MAX];
static size_t code_count;
static uint64_t state;

static uint64_t any(uint64_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 24) % below;
}

static void find_codes(struct code_cache *c, const struct code_heap *h)
{
	for (uint64_t pc = h->low; pc < h->high && code_count < CODES_MAX; pc += 64) {
		const struct code_blob *b = code_cache_find(c, pc);

		if (b)
			codes[code_count++] = b->code_begin;
		if (b && b->method)
			pc = b->code_end;
	}
}

static uint64_t any_code(void)
{
	return codes[any(code_count)] + any(any(4) ? 64 : 4096);
}

static uint64_t any_word(void)
{
	switch (any(8)) {
	case 0: return any(100);
	case 1: return state;
	case 2: case 3: return any_code();
	default: return stack_start + any(8 * WORDS + 64) - any(2) * 64;
	}
}

/* Returns whether a caller was found. */
static bool step(struct java_frames *j, struct space *space)
{
	static struct java_frame list[JAVA_FRAMES_MAX];
	uint64_t *words = malloc(sizeof(*words) * WORDS), entries[1];
	size_t len = 8 * any(WORDS + 1), count = 0;
	struct stack_copy stack = { .bytes = (uint8_t *)words, .start = stack_start };
	struct registers registers = { .known = any(2) ? 0xffff : any(0x10000) };
	struct unwind_made f = { .space = space, .pc = any_code(), .is_exact = any(2), .registers = &registers,
				 .stack = &stack, .entries = entries };
	enum unwind_answer answer;

	words = realloc(words, len ? len : 1); /* exactly as large as needed, so that a sanitizer sees reads beyond
					        * it */
	stack.bytes = (uint8_t *)words;
	stack.len = len;
	for (size_t i = 0; i < len / 8; i++)
		words[i] = any_word();
	for (size_t i = 0; i < REGISTERS_MAX; i++)
		registers.values[i] = any_word();
	f.sp = stack_start + (any(8) ? 0 : any(64));
	f.has_fp = any(8);
	f.fp = any(4) ? stack_start + 8 * any(WORDS) : any_word();
	answer = java_frames_step(j, &f, list, &count);
	free(words);
	if (count > SCOPES_MAX || (answer == UNWIND_TO_CALLER && f.caller_sp < f.sp))
		exit(1);
	return answer == UNWIND_TO_CALLER;
}

int main(int argc, char **argv)
{
	struct spaces spaces = {0};
	struct code_heaps heaps;
	struct code_cache *c;
	struct scope_reader *scopes;
	struct java_frames *j;
	struct jvm jvm;
	const char *why;
	unsigned long found = 0;

	if (argc < 4 || jvm_open(&jvm, atoi(argv[1]), &why) < 0 || !code_heaps_init(&heaps, &jvm, &why))
		return 1;
	state = (uint64_t)atol(argv[3]);
	c = code_cache_new(&jvm, &why);
	scopes = scope_reader_new(&jvm, false, &why);
	j = c && scopes ? java_frames_new(&jvm, c, scopes, &why) : NULL;
	code_heaps_read(&heaps);
	for (size_t i = 0; i < heaps.count; i++)
		find_codes(c, &heaps.list[i]);
	if (!j || !code_count)
		return 1;
	for (long i = 0; i < atol(argv[2]); i++) {
		found += step(j, spaces_find(&spaces, jvm.remote.pid, 0));
		if (i % 100 == 0)
			code_cache_next_batch(c);
	}
	printf("%s steps, %lu callers\n", argv[2], found);
	java_frames_free(j);
	scope_reader_free(scopes);
	code_cache_free(c);
	jvm_close(&jvm);
	return 0;
}
