/* collect/jvm/frames.c: which word on the stack is the return address of compiled code, with memory made here: a method
 * LEAF, its CALLER, and OTHER, which calls CALLER. */
#include "collect/jvm/frames.h"

#include <stdlib.h>

#include "collect/jvm/frame_walk.h"
#include "tests/unit/check.h"
#include "tests/unit/made_jvm.h"

enum {
	BASE = MADE_STATICS,
	SIZE = 0x8000,
	HEAPS = MADE_STATICS + 8 * 6,
	VERSION = MADE_STATICS + 8 * 13,
	LIST = 0x2000,
	HEAP = 0x2100,
	MAP = 0x2300,
	METHODS = 0x2500,
	NMETHOD = 0x2800,
	SEGMENT = 128,
	BLOCK = 6 /* segments */,
	LOW = 0x4000,
	HIGH = LOW + 64 * SEGMENT,
	END = 0x8000,
	CODE = 16 + 0x180,
	FRAME_WORDS = 6,
	STACK = 0x7000000,
	WORDS = 32,
};

enum { LEAF, CALLER, OTHER, COUNT };

static uint8_t memory[SIZE];
static bool is_gone;

static bool read_made(const struct remote *r, uint64_t address, void *to, size_t len)
{
	(void)r;
	if (is_gone || address < BASE || len > SIZE || address - BASE > SIZE - len)
		return false;
	memcpy(to, memory + (address - BASE), len);
	return true;
}

static void put(uint64_t address, uint64_t value, size_t size)
{
	memcpy(memory + (address - BASE), &value, size);
}

static uint64_t code_of(unsigned which)
{
	return LOW + which * BLOCK * SEGMENT + CODE;
}

static void put_method(unsigned which)
{
	uint64_t start = LOW + which * BLOCK * SEGMENT, blob = start + 16, method = METHODS + which * 128;

	for (unsigned i = 0; i < BLOCK; i++)
		put(MAP + which * BLOCK + i, i < 3 ? i : 3, 1);
	put(start, BLOCK, 8), put(start + 8, 1, 1);
	put(method + 8, method + 64, 8);
	put(blob + 12, 0x2a0, 4), put(blob + 20, 12, 4), put(blob + 28, FRAME_WORDS, 4);
	put(blob + 32, blob + 0x180, 8), put(blob + 40, blob + 0x200, 8), put(blob + 96, NMETHOD, 8);
	put(blob + 112, method, 8), put(blob + 120, blob + 0x210, 8);
	put(blob + 260, 0x200, 4), put(blob + 268, 0x230, 4), put(blob + 272, 0x230, 4);
	put(blob + 304, which, 4), put(blob + 308, 4, 4);
}

/* The return address of a call of a method, at an offset in the code of another. */
static uint64_t put_call(unsigned from, unsigned at, unsigned to)
{
	uint64_t pc = code_of(from) + at;

	put(pc - 5, 0xe8, 1);
	put(pc - 4, (uint32_t)(code_of(to) - pc), 4);
	return pc;
}

static void make(void)
{
	memset(memory, 0, sizeof(memory));
	memcpy(memory + (NMETHOD - BASE), "nmethod", 8);
	put(HEAPS, LIST, 8);
	put(LIST, 1, 4), put(LIST + 8, LIST + 64, 8), put(LIST + 64, HEAP, 8);
	put(HEAP + 8 + 8, END, 8), put(HEAP + 8 + 16, LOW, 8), put(HEAP + 8 + 24, HIGH, 8);
	put(HEAP + 120 + 16, MAP, 8), put(HEAP + 120 + 24, MAP + 64, 8), put(HEAP + 256, 7, 4);
	memset(memory + (MAP - BASE), 0xff, 64);
	put(VERSION, 17, 1);
	for (unsigned i = 0; i < COUNT; i++)
		put_method(i);
}

/* The word that is taken for the leaf's return address; 0: none. */
static uint64_t caller_of(struct java_frames *j, const uint64_t words[WORDS], uint64_t *sp)
{
	static struct java_frame list[JAVA_FRAMES_MAX];
	struct stack_copy stack = { .bytes = (const uint8_t *)words, .start = STACK, .len = WORDS * 8 };
	struct registers registers = { 0 };
	struct unwind_made f = {
		.pc = code_of(LEAF) + 0x20, .is_exact = true, .sp = STACK, .stack = &stack, .registers = &registers
	};
	size_t count;

	if (java_frames_step(j, &f, list, &count) != UNWIND_TO_CALLER)
		return 0;
	*sp = f.caller_sp - STACK;
	return f.caller_pc;
}

static void try_callers(struct java_frames *j)
{
	uint64_t called = put_call(CALLER, 0x30, LEAF), stale = put_call(OTHER, 0x30, CALLER),
		 outer = put_call(OTHER, 0x50, CALLER), sp = 0;
	uint64_t plain[WORDS] = { [5] = called, [11] = outer };
	/* A word was pushed, so the return address is one word further up.  At its usual place, another call has left a
	 * return address that looks plausible. */
	uint64_t pushed[WORDS] = { [5] = stale, [6] = called, [11] = called, [12] = outer };
	/* The word at the usual place could be a return address, but above it there is none of its caller. */
	uint64_t unfit[WORDS] = { [5] = called, [6] = called, [12] = outer };

	CHECK(caller_of(j, plain, &sp) == called && sp == 48);
	CHECK(caller_of(j, pushed, &sp) == called && sp == 56);
	CHECK(caller_of(j, unfit, &sp) == called && sp == 56);

	is_gone = true; /* the called method is known, but not how far up the caller is */
	CHECK(caller_of(j, plain, &sp) == called && sp == 48);
	CHECK(!caller_of(j, pushed, &sp));
	CHECK(!caller_of(j, unfit, &sp));
}

int main(void)
{
	static struct java_frames j;
	const char *why = "";
	struct jvm jvm;

	make();
	if (!made_jvm(&jvm, read_made, NULL))
		return 1;
	jvm.lib.start = NMETHOD;
	jvm.lib.end = NMETHOD + 64;
	j.jvm = &jvm;
	j.code = code_cache_new(&jvm, &why);
	j.scopes = scope_reader_new(&jvm, false, &why);
	CHECK(j.code && j.scopes);
	if (j.code && j.scopes)
		try_callers(&j);
	scope_reader_free(j.scopes);
	code_cache_free(j.code);
	jvm_close(&jvm);
	return check_done();
}
