/* collect/jvm/methods.c, metadata.c, method_lines.c: with memory made here, both valid and invalid. */
#include "collect/jvm/methods.h"

#include <stdlib.h>

#include "collect/jvm/method_lines.h"
#include "tests/unit/check.h"
#include "tests/unit/made_jvm.h"

/* Where things are in the made memory. */
enum {
	BASE = MADE_STATICS,
	SIZE = 0x4000,
	METHOD = 0x2000,
	CONST_METHOD = 0x2100,
	POOL = 0x2200,
	KLASS = 0x2400,
	TAGS = 0x2700,
	ARRAY = 0x2800,
	NAME = 0x3000,
	CLASS_NAME = 0x3100,
	FILE_NAME = 0x3200,
	ARRAY_NAME = 0x3300,
	COUNTERS = MADE_STATICS + 8 * 14,
	COUNTERS_DATA = 0x3800,
	LOADED = 0x3820,
	UNLOADED = 0x3860,
	ENTRY = 64,
	LOADED_VALUE = LOADED + 48,
	UNLOADED_VALUE = UNLOADED + 48,
	POOL_LENGTH = 6,
	NAME_AT = 3,
	FILE_AT = 5,
	CODE_SIZE = 20,
	POOL_BYTES = 72,
	CONST_METHOD_BYTES = 48,
};

#include "tests/unit/made_memory.h"

static void put_symbol(uint64_t address, const char *text)
{
	put(address + 4, strlen(text), 2);
	memcpy(memory + (address + 6 - BASE), text, strlen(text));
}

/* Line 7 from 0 on, 9 from 4 on, 300 from 12 on. */
static const uint8_t lines[] = { 0 << 3 | 7, 4 << 3 | 2, 0xff, 16, 192 + 6, 6, 0 };

static void make(void)
{
	memset(memory, 0, sizeof(memory));
	put(METHOD + 8, CONST_METHOD, 8);
	put(CONST_METHOD + 8, POOL, 8);
	put(CONST_METHOD + 24, (CONST_METHOD_BYTES + CODE_SIZE + sizeof(lines) + 7) / 8, 4);
	put(CONST_METHOD + 28, 1, 2);
	put(CONST_METHOD + 32, CODE_SIZE, 2);
	put(CONST_METHOD + 34, NAME_AT, 2);
	memcpy(memory + (CONST_METHOD + CONST_METHOD_BYTES + CODE_SIZE - BASE), lines, sizeof(lines));
	put(POOL + 8, TAGS, 8);
	put(POOL + 24, KLASS, 8);
	put(POOL + 54, FILE_AT, 2);
	put(POOL + 60, POOL_LENGTH, 4);
	put(POOL + POOL_BYTES + 8 * NAME_AT, NAME, 8);
	put(POOL + POOL_BYTES + 8 * FILE_AT, FILE_NAME, 8);
	put(TAGS, POOL_LENGTH, 4);
	put(TAGS + 4 + NAME_AT, 1, 1);
	put(TAGS + 4 + FILE_AT, 1, 1);
	put(KLASS + 24, CLASS_NAME, 8);
	put(KLASS + 8, 64, 4);
	put(KLASS + 232, POOL, 8);
	put(ARRAY + 24, ARRAY_NAME, 8);
	put(ARRAY + 8, 0x80000000u, 4);
	put_symbol(NAME, "handle");
	put_symbol(CLASS_NAME, "com/example/App$$Lambda+0x77");
	put_symbol(FILE_NAME, "App.java");
	put_symbol(ARRAY_NAME, "[Ljava/lang/String;");
}

static const char *name_of(struct java_methods *m)
{
	struct java_method method = { 0 };

	return java_method(m, METHOD, &method) ? method.name : "none";
}

static void check_right(struct java_methods *m)
{
	struct java_method method = { 0 };
	unsigned before;

	CHECK(java_method(m, METHOD, &method));
	CHECK_TEXT(method.name, "com.example.App$$Lambda.handle");
	CHECK_TEXT(method.file, "App.java");
	CHECK(java_method_line(m, METHOD, 0) == 7 && java_method_line(m, METHOD, 3) == 7);
	CHECK(java_method_line(m, METHOD, 4) == 9 && java_method_line(m, METHOD, 11) == 9);
	CHECK(java_method_line(m, METHOD, 12) == 300 && java_method_line(m, METHOD, 65535) == 300);
	CHECK(!java_method_line(m, METHOD, -1));
	CHECK_TEXT(java_class(m, KLASS, UINT64_MAX), "com.example.App$$Lambda");
	CHECK_TEXT(java_class(m, ARRAY, UINT64_MAX), "java.lang.String[]");
	before = reads;
	java_method(m, METHOD, &method);
	java_method_line(m, METHOD, 4);
	java_class(m, KLASS, UINT64_MAX);
	CHECK(reads == before); /* nothing is read twice in the same batch */
	CHECK(!java_method(m, 0, &method) && !java_method(m, METHOD + 4, &method) && !java_method(m, KLASS, &method));
	CHECK(!java_method(m, UINT64_MAX, &method) && !java_method(m, UINT64_MAX - 7, &method));
	CHECK(!java_class(m, 0, UINT64_MAX) && !java_class(m, METHOD, UINT64_MAX));
	CHECK(!java_class(m, POOL, UINT64_MAX) && !java_class(m, 1u << 30, UINT64_MAX));
}

/* The class is unloaded, and another takes its place. */
static void check_replaced(struct java_methods *m)
{
	const char *before = name_of(m);

	put_symbol(NAME, "launch");  /* of the same length, at the same address */
	CHECK(name_of(m) == before); /* until the batch has ended */
	java_methods_next_batch(m);
	CHECK_TEXT(name_of(m), "com.example.App$$Lambda.launch");
	CHECK_TEXT(before, "com.example.App$$Lambda.handle"); /* stays */
	put_symbol(CLASS_NAME, "com/example/Other");
	java_methods_next_batch(m);
	CHECK_TEXT(name_of(m), "com.example.Other.launch");
	CHECK_TEXT(java_class(m, KLASS, UINT64_MAX), "com.example.Other");
	memset(memory + (METHOD - BASE), 0xab, 64);
	java_methods_next_batch(m);
	CHECK_TEXT(name_of(m), "none");
	CHECK(!java_method_line(m, METHOD, 4));
	make();
	CHECK_TEXT(name_of(m), "none"); /* not asked again in this batch */
	java_methods_next_batch(m);
	CHECK_TEXT(name_of(m), "com.example.App$$Lambda.handle");
	CHECK(java_method_line(m, METHOD, 4) == 9);
}

/* With each of these wrong words in memory, the address is not taken for a method, or the method has no file or no
 * line. */
static void check_wrong(struct java_methods *m)
{
	static const struct {
		uint64_t address, value;
		size_t size;
		const char *name;
	} wrong[] = {
		{ METHOD + 8, 0, 8, "none" },
		{ METHOD + 8, CONST_METHOD + 1, 8, "none" },
		{ CONST_METHOD + 8, POOL + 8, 8, "none" },
		{ CONST_METHOD + 34, 0, 2, "none" },
		{ CONST_METHOD + 34, POOL_LENGTH, 2, "none" },
		{ CONST_METHOD + 34, 4, 2, "none" }, /* no Utf8 */
		{ POOL + 60, UINT32_MAX, 4, "none" },
		{ POOL + 60, POOL_LENGTH + 1, 4, "none" }, /* not as many tags */
		{ POOL + 24, KLASS + 8, 8, "none" },
		{ POOL + 24, UINT64_MAX - 7, 8, "none" },
		{ KLASS + 232, POOL + 8, 8, "none" }, /* the circle does not close */
		{ KLASS + 24, UINT64_C(1) << 40, 8, "none" },
		{ CLASS_NAME + 4, 0, 2, "none" },
		{ CLASS_NAME + 4, 65535, 2, "none" },
		{ CLASS_NAME + 8, 0xff, 1, "none" }, /* no UTF-8 */
		{ NAME + 4, 7, 2, "none" },          /* a NUL */
		{ NAME + 7, '/', 1, "none" },
		{ NAME + 6, '<', 1, "none" },
		{ POOL + 54, 0, 2, "com.example.App$$Lambda.handle" },
		{ POOL + 54, NAME_AT + 1, 2, "com.example.App$$Lambda.handle" },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		make();
		put(wrong[i].address, wrong[i].value, wrong[i].size);
		java_methods_next_batch(m); /* known first, and invalid afterwards, when the length of the pool does not
					     * matter */
		CHECK_TEXT(name_of(m),
			   wrong[i].address == POOL + 60 ? "com.example.App$$Lambda.handle" : wrong[i].name);
		put(METHOD + 8, 0, 8);
		java_methods_next_batch(m);
		CHECK_TEXT(name_of(m), "none");
		make();
		put(wrong[i].address, wrong[i].value, wrong[i].size);
		java_methods_next_batch(m); /* wrong from the beginning */
		CHECK_TEXT(name_of(m), wrong[i].name);
		make();
		java_methods_next_batch(m);
		CHECK_TEXT(name_of(m), "com.example.App$$Lambda.handle");
	}
}

/* ---- what was unloaded ----------------------------------------------------------------------- */

/* PerfDataEntry: its name at 20, its value at 48. */
static void put_counter(uint64_t address, const char *name, uint64_t value)
{
	put(address, ENTRY, 4);
	put(address + 4, 20, 4);
	put(address + 12, 'J', 1);
	put(address + 16, 48, 4);
	memcpy(memory + (address + 20 - BASE), name, strlen(name) + 1);
	put(address + 48, value, 8);
}

static void make_counters(uint32_t count)
{
	put(COUNTERS, COUNTERS_DATA, 8);
	put(COUNTERS_DATA, 0xc0c0feca, 4);
	put(COUNTERS_DATA + 8, 32 + ENTRY * count, 4);
	put(COUNTERS_DATA + 24, 32, 4);
	put(COUNTERS_DATA + 28, count, 4);
	put_counter(LOADED, "java.cls.loadedClasses", 900);
	put_counter(UNLOADED, "java.cls.unloadedClasses", 0);
}

static uint64_t since_of(struct java_methods *m)
{
	struct java_method method = { 0 };

	return java_method(m, METHOD, &method) ? method.since_ns : UINT64_MAX;
}

/* What was found after a class was unloaded may differ from what was there before. */
static void check_unloaded(const struct jvm *jvm)
{
	const char *why;
	struct java_methods *m;
	uint64_t since, epoch;

	make();
	m = java_methods_new(jvm, &why);
	epoch = java_methods_epoch(m);
	java_methods_next_batch(m);
	CHECK(java_methods_unloads(m) == -1 && java_methods_epoch(m) > epoch);
	make_counters(1); /* the JVM starts, and the counter is not there yet */
	java_methods_next_batch(m);
	CHECK(java_methods_unloads(m) == -1 && since_of(m) == 0);
	make_counters(2);
	java_methods_next_batch(m);
	CHECK(java_methods_unloads(m) == 0 && since_of(m) == 0);
	put(UNLOADED_VALUE, 1, 8);
	CHECK(java_methods_unloads(m) == 0);
	java_methods_next_batch(m);
	CHECK(java_methods_unloads(m) == 1);
	CHECK(since_of(m) == 0); /* it was known before */
	CHECK(java_class(m, KLASS, 1) == NULL && java_class(m, KLASS, java_methods_until(m)) &&
	      !java_class(m, KLASS, UINT64_MAX));
	epoch = java_methods_epoch(m);
	put_symbol(NAME, "launch");
	java_methods_next_batch(m);
	CHECK(java_methods_epoch(m) == epoch);
	CHECK_TEXT(name_of(m), "com.example.App$$Lambda.handle"); /* no class was loaded, so it cannot be another one */
	put(LOADED_VALUE, 901, 8);
	java_methods_next_batch(m);
	CHECK(java_methods_epoch(m) == epoch + 1);
	CHECK_TEXT(name_of(m), "com.example.App$$Lambda.launch");
	since = since_of(m);
	CHECK(since > 0 && since < UINT64_MAX);
	put(UNLOADED_VALUE, 3, 8); /* in the midst of a batch */
	put_symbol(ARRAY_NAME, "[Ljava/lang/Number;");
	CHECK(java_class(m, ARRAY, since) == NULL);
	java_methods_next_batch(m);
	CHECK_TEXT(java_class(m, ARRAY, java_methods_until(m)), "java.lang.Number[]");
	CHECK(since_of(m) == since && java_methods_unloads(m) == 2);
	java_methods_free(m);
	m = java_methods_new(jvm, &why); /* how long ago that was is not known */
	java_methods_next_batch(m);
	CHECK(since_of(m) > 0 && java_methods_unloads(m) == 0 && java_methods_until(m) == UINT64_MAX);
	java_methods_free(m);
}

/* No number of these is believed. */
static void check_wrong_counters(const struct jvm *jvm)
{
	static const struct {
		uint64_t address, value;
		size_t size;
	} wrong[] = {
		{ COUNTERS, 8, 8 },
		{ COUNTERS_DATA, 1, 4 },
		{ COUNTERS_DATA + 8, UINT32_MAX, 4 },
		{ COUNTERS_DATA + 8, INT32_MAX, 4 },
		{ COUNTERS_DATA + 8, 32 + ENTRY + 40, 4 },
		{ COUNTERS_DATA + 24, UINT32_MAX, 4 },
		{ COUNTERS_DATA + 24, INT32_MAX, 4 },
		{ COUNTERS_DATA + 28, UINT32_MAX, 4 },
		{ LOADED, 0, 4 },
		{ LOADED, INT32_MAX, 4 },
		{ UNLOADED, 44, 4 },
		{ UNLOADED + 4, INT32_MAX, 4 },
		{ UNLOADED + 12, 'I', 1 },
		{ UNLOADED + 16, INT32_MAX, 4 },
		{ UNLOADED + 16, UINT32_MAX, 4 },
		{ UNLOADED + 30, 'x', 1 },
	};
	const char *why;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct java_methods *m;

		make();
		make_counters(2);
		put(wrong[i].address, wrong[i].value, wrong[i].size);
		m = java_methods_new(jvm, &why);
		java_methods_next_batch(m);
		CHECK(java_methods_unloads(m) == -1);
		java_methods_free(m);
	}
}

/* ---- lines ------------------------------------------------------------------------------------- */

static uint32_t decode(const uint8_t *bytes, size_t len, unsigned excluded, int bci)
{
	struct method_lines decoded = { 0 };
	uint32_t line =
		method_lines_decode(&decoded, bytes, len, excluded, 1000) ? method_lines_find(&decoded, bci) : 0;

	free(decoded.items);
	return line;
}

#define DECODE(excluded, bci, ...) \
	decode((const uint8_t[]){ __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ }), excluded, bci)

static void check_lines(void)
{
	CHECK(DECODE(0, 0, 5, 0) == 5);
	CHECK(!DECODE(0, 0, 5)); /* no end */
	CHECK(!DECODE(0, 0, 0)); /* no lines */
	CHECK(!DECODE(0, 0, 0xff));
	CHECK(!DECODE(0, 0, 0xff, 2));
	CHECK(DECODE(0, 1, 0xff, 2, 20, 0) == 10); /* signed: 1, 10 */
	CHECK(DECODE(1, 1, 0xff, 3, 21, 0) == 10); /* JDK 20: one more each */
	CHECK(!DECODE(1, 1, 0xff, 0, 21, 0));      /* ... of which none is 0 */
	CHECK(!DECODE(0, 0, 0xff, 1, 20, 0));      /* bci -1 */
	CHECK(!DECODE(0, 0, 0xff, 0, 19, 0));      /* line -10 */
	CHECK(DECODE(0, 5, 0xff, 10, 20, 0xff, 5, 1, 0) == 10 && DECODE(0, 3, 0xff, 10, 20, 0xff, 5, 1, 0) == 9);
	CHECK(!DECODE(0, 0, 0xff, 255, 255, 255, 255, 255, 20, 0));
	CHECK(!DECODE(0, 2, 0xff, 10, 20, 0)); /* before the first */
}

int main(void)
{
	struct jvm jvm;
	const char *why = NULL;
	struct java_methods *m;

	make();
	CHECK(made_jvm(&jvm, read_made, NULL));
	m = java_methods_new(&jvm, &why);
	CHECK(m && !why);
	if (!m)
		return 1;
	check_right(m);
	check_replaced(m);
	check_wrong(m);
	check_lines();
	check_unloaded(&jvm);
	check_wrong_counters(&jvm);
	java_methods_free(m);
	java_methods_free(NULL);
	jvm_close(&jvm);
	return check_done();
}
