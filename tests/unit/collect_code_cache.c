/* collect/jvm/code_*.c, scopes.c: with memory made here, both valid and invalid. */
#include "collect/jvm/code_cache.h"

#include <stdio.h>
#include <stdlib.h>

#include "collect/jvm/code_names.h"
#include "collect/jvm/scopes.h"
#include "tests/unit/check.h"
#include "tests/unit/made_jvm.h"

/* Addresses in the memory made here: what the tables describe, then one heap of 64 segments of 128 bytes each. */
enum {
	BASE = MADE_STATICS,
	SIZE = 0x8000,
	HEAPS = MADE_STATICS + 8 * 6,
	CODE = MADE_STATICS + 8 * 7,
	CALL_STUB = MADE_STATICS + 8 * 8,
	LIST = 0x2000,
	HEAP = 0x2100,
	MAP = 0x2300,
	QUEUE = 0x2400,
	METHOD = 0x2500,
	INLINED = 0x2600,
	TEXTS = 0x2800,
	NMETHOD = TEXTS,
	NATIVE = TEXTS + 16,
	STUBS = TEXTS + 32,
	INTERPRETER = TEXTS + 64,
	RETURNS = TEXTS + 80,
	FLAG_NAME = TEXTS + 128,
	FLAGS = MADE_STATICS + 8 * 10,
	FLAG = 0x2f00,
	FLAG_VALUE = 0x2f40,
	VERSION = MADE_STATICS + 8 * 13,
	SEGMENT = 128,
	LOW = 0x4000,
	HIGH = LOW + 64 * SEGMENT,
	END = 0x8000,
};

#include "tests/unit/made_memory.h"

static void put_text(uint64_t address, const char *text)
{
	memcpy(memory + (address - BASE), text, strlen(text) + 1);
}

/* A block from segment first on; returns the address of the blob in it. */
static uint64_t put_block(unsigned first, unsigned count)
{
	uint64_t start = LOW + first * SEGMENT;

	for (unsigned i = 0; i < count; i++)
		put(MAP + first + i, i < 3 ? i : 3, 1);
	put(start, count, 8);
	put(start + 8, 1, 1);
	return start + 16;
}

static void put_blob(uint64_t blob, uint64_t name, unsigned size, unsigned code, unsigned code_end)
{
	put(blob + 12, size, 4);
	put(blob + 20, 12, 4); /* frame complete */
	put(blob + 28, 6, 4);  /* words of a frame */
	put(blob + 32, blob + code, 8);
	put(blob + 40, blob + code_end, 8);
	put(blob + 96, name, 8);
}

/* [header 352] [code 0x180 to 0x200] [metadata] [scopes] [pcs] */
enum { METADATA_AT = 0x200, SCOPES_AT = 0x210, PCS_AT = 0x230, PCS_END = 0x2a0, BLOB_SIZE = 0x2a0 };

static void put_nmethod(uint64_t blob, const uint8_t *scopes, size_t len)
{
	static const int32_t descs[][2] = { { -1, 0 },   { 0x20, 11 }, { 0x24, 11 },    { 0x28, 11 },
					    { 0x2c, 8 }, { 0x30, 1 },  { INT32_MAX, 0 } };

	put_blob(blob, NMETHOD, BLOB_SIZE, 0x180, 0x200);
	put(blob + 112, METHOD, 8);
	put(blob + 120, blob + SCOPES_AT, 8);
	put(blob + 128, blob + 0x1f0, 8); /* where what is deoptimised returns to */
	put(blob + 260, METADATA_AT, 4);
	put(blob + 268, PCS_AT, 4);
	put(blob + 272, PCS_END, 4);
	put(blob + 300, 16, 4);
	put(blob + 304, 77, 4);
	put(blob + 308, 4, 4);
	put(blob + METADATA_AT, METHOD, 8);
	put(blob + METADATA_AT + 8, INLINED, 8);
	memcpy(memory + (blob + SCOPES_AT - BASE), scopes, len);
	for (unsigned i = 0; i < 7; i++) {
		put(blob + PCS_AT + 16 * i, (uint32_t)descs[i][0], 4);
		put(blob + PCS_AT + 16 * i + 4, (uint32_t)descs[i][1], 4);
	}
}

/* At 1: the method itself, bci 200 (two bytes: 192 + 9, and 0 of the next six bits).  At 8: called from 1,
 * the second method, bci -1; at 11: bci 4.  Both the form up to JDK 19, and the one since 20. */
static const uint8_t scopes_19[] = { 0xff, 0, 1, 201, 0, 0, 0, 0, 1, 2, 0, 1, 2, 5 };
static const uint8_t scopes_20[] = { 0xff, 1, 2, 202, 1, 1, 1, 1, 2, 3, 1, 2, 3, 6 };

/* Blocks: 0 to 5 are an nmethod, 6 to 8 stubs, 9 to 12 the interpreter with two codelets; from 13 on, free. */
static uint64_t make(void)
{
	uint64_t nmethod, stubs, interpreter, codelets;

	memset(memory, 0, sizeof(memory));
	put_text(NMETHOD, "nmethod"), put_text(NATIVE, "native nmethod"), put_text(STUBS, "StubRoutines (1)");
	put_text(INTERPRETER, "Interpreter"), put_text(RETURNS, "invoke return entry points");
	put(HEAPS, LIST, 8);
	put(LIST, 1, 4), put(LIST + 8, LIST + 64, 8), put(LIST + 64, HEAP, 8);
	put(HEAP + 8 + 8, END, 8), put(HEAP + 8 + 16, LOW, 8), put(HEAP + 8 + 24, HIGH, 8);
	put(HEAP + 120 + 16, MAP, 8), put(HEAP + 120 + 24, MAP + 64, 8), put(HEAP + 256, 7, 4);
	memset(memory + (MAP - BASE), 0xff, 64);
	put(METHOD + 8, METHOD + 64, 8), put(INLINED + 8, INLINED + 64, 8);
	put(VERSION, 17, 1);
	nmethod = put_block(0, 6);
	put_nmethod(nmethod, scopes_19, sizeof(scopes_19));
	stubs = put_block(6, 3);
	put_blob(stubs, STUBS, 0x160, 0x80, 0x160);
	put(CALL_STUB, stubs + 0x90, 8);
	interpreter = put_block(9, 4);
	put_blob(interpreter, INTERPRETER, 0x1f0, 0x70, 0x1f0);
	codelets = interpreter + 0x70;
	put(CODE, QUEUE, 8), put(QUEUE + 8, codelets, 8), put(QUEUE + 28, 0xc0, 4);
	put(codelets, RETURNS, 8), put(codelets + 8, 0x60, 4);
	put(codelets + 32, 0x90, 1), put(codelets + 0x60, 0, 8), put(codelets + 0x68, 0x60, 4);
	return nmethod;
}

static struct code_cache *open_cache(struct jvm *jvm)
{
	const char *why = "";
	struct code_cache *c;

	if (!made_jvm(jvm, read_made, NULL))
		return NULL;
	jvm->lib.start = TEXTS;
	jvm->lib.end = TEXTS + 0x200;
	c = code_cache_new(jvm, &why);
	if (!c)
		printf("# %s\n", why);
	return c;
}

static void try_kinds(struct code_cache *c, uint64_t nmethod)
{
	uint64_t stubs = LOW + 6 * SEGMENT + 16, codelets = LOW + 9 * SEGMENT + 16 + 0x70;
	const struct code_blob *b = code_cache_find(c, nmethod + 0x1a0);

	CHECK(b && b->kind == CODE_COMPILED && b->start == nmethod && b->method == METHOD);
	CHECK(b && b->compile_id == 77 && b->level == 4 && b->frame_size == 6);
	CHECK(b && b->frame_complete == nmethod + 0x18c && b->code_end == nmethod + 0x200);
	CHECK(b && b->deopt_handlers[0] == nmethod + 0x1f0 && !b->deopt_handlers[1] && b->orig_pc_offset == 16);
	CHECK(!code_cache_find(c, nmethod + 0x17f)); /* its header */
	CHECK(!code_cache_find(c, nmethod + 0x210)); /* its tables */
	CHECK(code_cache_find(c, nmethod + 0x180) == b);

	b = code_cache_find(c, stubs + 0x100);
	CHECK(b && b->kind == CODE_STUB && !strcmp(b->name, "StubRoutines (1)") && !b->method);
	b = code_cache_find(c, stubs + 0x90);
	CHECK(b && b->kind == CODE_CALL_STUB && !strcmp(b->name, "StubRoutines::call_stub"));

	b = code_cache_find(c, codelets + 0x20);
	CHECK(b && b->kind == CODE_INTERPRETER && !strcmp(b->name, "invoke return entry points"));
	CHECK(b && b->start == codelets && b->code_begin == codelets + 32 && b->end == codelets + 0x60);
	b = code_cache_find(c, codelets + 0xbf);
	CHECK(b && b->kind == CODE_INTERPRETER && b->start == codelets + 0x60);
	b = code_cache_find(c, codelets + 0xc0); /* behind the last */
	CHECK(b && b->kind == CODE_INTERPRETER && b->start == LOW + 9 * SEGMENT + 16);

	b = code_cache_find(c, codelets + 8); /* the header of one */
	CHECK(b && b->kind == CODE_INTERPRETER && b->start == LOW + 9 * SEGMENT + 16);
	CHECK(!code_cache_find(c, LOW + 20 * SEGMENT));
	CHECK(code_cache_has(c, LOW) && code_cache_has(c, END - 1) && !code_cache_has(c, END) &&
	      !code_cache_has(c, LOW - 1));
	CHECK(!code_cache_find(c, HIGH + 8) && !code_cache_find(c, END) && !code_cache_find(c, 0));
}

/* A change is seen in the next batch, and costs little. */
static void try_changes(struct code_cache *c, uint64_t nmethod)
{
	uint64_t pc = nmethod + 0x1a0;
	const struct code_blob *b;

	CHECK(code_cache_find(c, pc) == code_cache_find(c, pc + 0x40));
	reads = 0;
	CHECK(code_cache_find(c, pc) && code_cache_find(c, pc + 0x40) && reads == 0);
	code_cache_next_batch(c);
	reads = 0;
	CHECK(code_cache_find(c, pc) && reads == 3); /* made memory reads each part for itself */

	put(nmethod + 304, 78, 4);
	code_cache_next_batch(c);
	b = code_cache_find(c, pc);
	CHECK(b && b->compile_id == 78);
	put(nmethod + 112, 0, 8); /* unloaded */
	code_cache_next_batch(c);
	CHECK(!code_cache_find(c, pc));
	put(nmethod + 112, METHOD, 8);
	put(LOW, 4, 8); /* the block is too short for the method */
	code_cache_next_batch(c);
	CHECK(!code_cache_find(c, pc));
	put(LOW, 6, 8);
	put(MAP, 0xff, 1); /* none begins there */
	code_cache_next_batch(c);
	CHECK(!code_cache_find(c, pc));
	put(MAP, 0, 1);
	code_cache_next_batch(c);
	CHECK(code_cache_find(c, pc));
	put(LOW + 8, 0, 1); /* freed */
	code_cache_next_batch(c);
	CHECK(!code_cache_find(c, pc));

	put_block(0, 1); /* another one came: the code is now in a block that begins later */
	put_nmethod(put_block(1, 6), scopes_19, sizeof(scopes_19));
	code_cache_next_batch(c);
	CHECK(!code_cache_find(c, nmethod + 0x1a0));
	b = code_cache_find(c, nmethod + SEGMENT + 0x1a0);
	CHECK(b && b->start == nmethod + SEGMENT);
	put(HEAP + 8 + 24, LOW, 8); /* the heap is none any more */
	code_cache_next_batch(c);
	CHECK(!code_cache_find(c, nmethod + SEGMENT + 0x1a0));
}

static bool read_nothing(const struct remote *r, uint64_t address, void *to, size_t len)
{
	(void)r, (void)address, (void)to, (void)len;
	return false;
}

/* The JVM ends just before a batch begins: for its last samples, what was read before still holds. */
static void try_ended(struct jvm *jvm, struct code_cache *c, uint64_t nmethod)
{
	uint64_t stubs = LOW + 6 * SEGMENT + 16, codelets = LOW + 9 * SEGMENT + 16 + 0x70;
	const struct code_blob *b;

	jvm->remote.read = read_nothing;
	code_cache_next_batch(c);
	b = code_cache_find(c, nmethod + 0x1a0);
	CHECK(b && b->kind == CODE_COMPILED && b->method == METHOD);
	b = code_cache_find(c, stubs + 0x90);
	CHECK(b && b->kind == CODE_CALL_STUB);
	b = code_cache_find(c, codelets + 0x20);
	CHECK(b && b->kind == CODE_INTERPRETER && b->start == codelets);
	jvm->remote.read = read_made;
	code_cache_next_batch(c);
}

static bool is_alone(const struct scope *s, size_t count)
{
	return count == 1 && s[0].method == METHOD && s[0].bci == -1;
}

static void try_scopes(const struct jvm *jvm, struct code_cache *c, uint64_t nmethod)
{
	const char *why;
	struct scope_reader *reader = scope_reader_new(jvm, true, &why);
	const struct code_blob *b = code_cache_find(c, nmethod + 0x1a0);
	struct scope s[SCOPES_MAX];
	uint64_t begin = nmethod + 0x180;
	size_t count;

	for (int again = 0; again < 2; again++) {
		count = scopes_at(reader, b, begin + 0x2c, false, s);
		CHECK(count == 2 && s[0].method == INLINED && s[0].bci == -1 && s[1].method == METHOD &&
		      s[1].bci == 200);
	}
	CHECK(scopes_at(reader, b, begin + 0x30, false, s) == 1 && s[0].bci == 200);
	CHECK(is_alone(s, scopes_at(reader, b, begin + 0x21, false, s)));
	for (uint64_t pc = begin + 0x24; pc < begin + 0x28; pc++) /* what is around agrees */
		CHECK(scopes_at(reader, b, pc, true, s) == 2 && s[0].method == INLINED && s[0].bci == 4 &&
		      s[1].bci == 200);
	CHECK(scopes_at(reader, b, begin + 0x28, true, s) == 2 && s[0].bci == -1 && s[1].bci == 200);
	CHECK(scopes_at(reader, b, begin + 0x2c, true, s) == 1 && s[0].bci == 200);
	for (uint64_t pc = begin + 0x30; pc < begin + 0x34; pc++) /* ... is not known */
		CHECK(is_alone(s, scopes_at(reader, b, pc, true, s)));
	CHECK(is_alone(s, scopes_at(reader, b, begin + 0x20, true, s)));
	CHECK(is_alone(s, scopes_at(reader, b, begin + 4, true, s))); /* its frame is not there yet */
	scope_reader_free(reader);
}

/* The code of the blob cannot be followed, so the next debug information at or after the address is the nearest. */
static void try_near_scopes(const struct jvm *jvm, struct code_cache *c, uint64_t nmethod)
{
	const char *why;
	struct scope_reader *reader = scope_reader_new(jvm, false, &why);
	const struct code_blob *b = code_cache_find(c, nmethod + 0x1a0);
	struct scope s[SCOPES_MAX];
	uint64_t begin = nmethod + 0x180;

	put(begin + 0x40, 0x06, 1); /* not an instruction */
	CHECK(scopes_at(reader, b, begin + 0x20, true, s) == 2 && s[0].method == INLINED && s[0].is_likely &&
	      !s[1].is_likely);
	CHECK(scopes_at(reader, b, begin + 0x24, true, s) == 2 && !s[0].is_likely); /* is certain */
	CHECK(is_alone(s, scopes_at(reader, b, begin + 0x30, true, s)));
	CHECK(scopes_at(reader, b, begin + 0x2c, false, s) == 2 && !s[0].is_likely);
	put(begin + 0x40, 0, 1);
	scope_reader_free(reader);
}

/* -XX:+DebugNonSafepoints: what follows is always true. */
static void try_all_told(const struct jvm *jvm, struct code_cache *c, uint64_t nmethod)
{
	const struct code_blob *b = code_cache_find(c, nmethod + 0x1a0);
	struct scope s[SCOPES_MAX];
	struct scope_reader *reader;
	const char *why;

	put_text(FLAG_NAME, "DebugNonSafepoints");
	put(FLAGS, FLAG, 8), put(FLAGS + 8, 1, 8);
	put(FLAG, FLAG_VALUE, 8), put(FLAG + 8, FLAG_NAME, 8), put(FLAG_VALUE, 1, 1);
	reader = scope_reader_new(jvm, false, &why);
	CHECK(scopes_at(reader, b, nmethod + 0x180 + 0x1f, true, s) == 2 && s[0].bci == 4);
	CHECK(scopes_at(reader, b, nmethod + 0x180 + 0x29, true, s) == 2 && s[0].bci == -1);
	CHECK(scopes_at(reader, b, nmethod + 0x180 + 0x2c, true, s) == 1 && s[0].bci == 200);
	scope_reader_free(reader);
	put(FLAG_VALUE, 0, 1);
}

/* Invalid scopes: only the method itself is known. */
static void try_wrong_scopes(const struct jvm *jvm, struct code_cache *c, uint64_t nmethod)
{
	static const uint8_t wrong[][15] = {
		{ 0xff, 0, 1, 1, 0, 0, 0, 0, 8, 2, 0 },              /* called by itself */
		{ 0xff, 0, 1, 1, 0, 0, 0, 0, 11, 2, 0, 0, 1, 1, 0 }, /* by what comes later */
		{ 0xff, 0, 1, 1, 0, 0, 0, 0, 1, 3, 0 },              /* a method that there is none of */
		{ 0xff, 0, 2, 1, 0, 0, 0, 0, 1, 2, 0 },              /* the last is not the blob's */
		{ 0xff, 0, 0, 1, 0, 0, 0, 0, 1, 2, 0 },
		{ 0xff, 0, 1, 1, 0, 0, 0, 0, 255, 255, 255 },
		{ 0xff, 0, 1, 255, 255, 255, 255, 255, 1, 2, 0 }, /* a bci beyond all methods */
		{ 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff },
	};
	const struct code_blob *b;
	struct scope s[SCOPES_MAX];
	const char *why;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct scope_reader *reader = scope_reader_new(jvm, false, &why);

		put_nmethod(nmethod, wrong[i], sizeof(wrong[i]));
		code_cache_next_batch(c);
		b = code_cache_find(c, nmethod + 0x1a0);
		printf("# wrong scopes %zu\n", i);
		CHECK(b && is_alone(s, scopes_at(reader, b, nmethod + 0x1ac, false, s)));
		scope_reader_free(reader);
	}
}

/* Random bytes anywhere: no crash, no endless walk, and if a method is returned, it is the blob's own. */
static void try_garbage(struct jvm *jvm, struct code_cache *c)
{
	struct scope s[SCOPES_MAX];
	uint64_t random = 1;
	const struct code_blob *b;
	const char *why;
	bool good = true;

	for (int round = 0; round < 3000; round++) {
		struct scope_reader *reader = scope_reader_new(jvm, false, &why);

		make();
		for (int i = 0; i < 1 + round % 50; i++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			memory[(random >> 33) % 0x3700] = (uint8_t)(random >> 56);
		}
		code_cache_next_batch(c);
		reads = 0;
		for (uint64_t pc = LOW; pc < HIGH; pc += 56) {
			b = code_cache_find(c, pc);
			if (b && b->method)
				good &= s[scopes_at(reader, b, pc, round % 2, s) - 1].method == b->method;
			good &= !b || (pc >= b->code_begin && pc <= b->code_end && (b->method || b->name));
		}
		good &= reads < 20000;
		scope_reader_free(reader);
	}
	CHECK(good);
}

static void try_names(void)
{
	static const struct {
		const char *name, *cleaned;
	} rows[] = {
		{ "call_stub", "call_stub" },
		{ "Stub Generator call_stub_stub", "call_stub" },
		{ "call_stub_stub (stub gen)", "call_stub" },
		{ "new_instance Runtime1 stub", "new_instance Runtime1 stub" },
		{ "C1 Runtime new_instance_blob", "new_instance Runtime1 stub" },
		{ "new_instance_blob (C1 runtime)", "new_instance Runtime1 stub" },
		{ "throw_class_cast_exception_blob (C1 runtime)", "throw_class_cast_exception Runtime1 stub" },
		{ "C2 Runtime new_instance", "new_instance" },
		{ "C2 Runtime new_instance_blob", "new_instance" },
		{ "new_instance_blob (C2 runtime)", "new_instance" },
		{ "Shared Runtime resolve_static_call_blob", "resolve_static_call" },
		{ "resolve_static_call_blob (shared runtime)", "resolve_static_call" },
		{ "StubRoutines (compiler stubs)", "StubRoutines (compiler stubs)" },
		{ "flush_icache_final_stub", "flush_icache_final_stub" },
		{ "ExceptionBlob", "ExceptionBlob" },
		{ "C2 Runtime ", "C2 Runtime " },
		{ " (stub gen)", " (stub gen)" },
	};
	char name[CODE_NAME_MAX];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		snprintf(name, sizeof(name), "%s", rows[i].name);
		code_name_clean(name);
		CHECK_TEXT(name, rows[i].cleaned);
	}
}

static void try_versions(const struct jvm *jvm)
{
	CHECK(jvm_version(jvm) == 17 && !jvm_is_untried(jvm));
	put(VERSION, JVM_NEWEST_TRIED + 1, 1);
	CHECK(jvm_version(jvm) == JVM_NEWEST_TRIED + 1 && jvm_is_untried(jvm));
	put(VERSION, 17, 1);
}

int main(void)
{
	uint64_t nmethod = make();
	struct jvm jvm;
	struct code_cache *c = open_cache(&jvm);

	CHECK(c);
	if (!c)
		return 1;
	try_names();
	try_versions(&jvm);
	try_kinds(c, nmethod);
	try_ended(&jvm, c, nmethod);
	try_scopes(&jvm, c, nmethod);
	try_near_scopes(&jvm, c, nmethod);
	put_nmethod(nmethod, scopes_20, sizeof(scopes_20));
	put(VERSION, 20, 1);
	code_cache_next_batch(c);
	try_scopes(&jvm, c, nmethod);
	try_near_scopes(&jvm, c, nmethod);
	try_all_told(&jvm, c, nmethod);
	try_wrong_scopes(&jvm, c, nmethod);
	make();
	try_changes(c, nmethod);
	try_garbage(&jvm, c);
	code_cache_free(c);
	jvm_close(&jvm);
	return check_done();
}
