/* collect/jvm/callees.c: where calls lead to, with today's layout of entries and earlier ones. */
#include "collect/jvm/callees.h"

#include <string.h>

#include "tests/unit/check.h"
#include "tests/unit/made_jvm.h"

/* Addresses in the memory made here: a method, its class, and the structures that its calls go through. */
enum {
	BASE = MADE_STATICS,
	SIZE = 0x4000,
	METHOD = 0x2000,
	CONST_METHOD = 0x2100,
	POOL = 0x2200,
	KLASS = 0x2400,
	TAGS = 0x2700,
	NAME = 0x2800,
	CACHE = 0x2900,
	ENTRIES = 0x2a00,
	CLASSES = 0x2b00,
	ENTRY_BYTES = 32,
	POOL_BYTES = 72,
	POOL_LENGTH = 6,
	NAME_AT = 3,
	CLASS_AT = 4,
	CALL_AT = 5,
	NUMBER = 6, /* in the table of the class */
};

#include "tests/unit/made_memory.h"

static void make(void)
{
	memset(memory, 0, sizeof(memory));
	put(METHOD + 8, CONST_METHOD, 8);
	put(CONST_METHOD + 8, POOL, 8);
	put(CONST_METHOD + 32, 20, 2);
	put(CONST_METHOD + 34, NAME_AT, 2);
	put(POOL + 8, TAGS, 8);
	put(POOL + 16, CACHE, 8);
	put(POOL + 24, KLASS, 8);
	put(POOL + 40, CLASSES, 8);
	put(POOL + 60, POOL_LENGTH, 4);
	put(POOL + POOL_BYTES + 8 * NAME_AT, NAME, 8);
	put(POOL + POOL_BYTES + 8 * CALL_AT, CLASS_AT, 2);
	put(POOL + POOL_BYTES + 8 * CLASS_AT, 1, 2); /* the class is the second of the list */
	put(CLASSES + 8 + 8, KLASS, 8);
	put(TAGS, POOL_LENGTH, 4);
	put(TAGS + 4 + NAME_AT, 1, 1);
	put(KLASS + 24, NAME, 8);
	put(KLASS + 232, POOL, 8);
	put(KLASS + 464 + 8 * NUMBER, METHOD, 8);
	put(NAME + 4, 3, 2);
	memcpy(memory + (NAME + 6 - BASE), "App", 3);
	put(CACHE + 8, ENTRIES, 8);
}

/* JDK 17: constant, f1, f2; the entries follow the cache. */
static void put_older(uint64_t f1, uint64_t f2)
{
	make();
	put(CACHE + 40 + 2 * ENTRY_BYTES, CALL_AT, 8);
	put(CACHE + 40 + 2 * ENTRY_BYTES + 8, f1, 8);
	put(CACHE + 40 + 2 * ENTRY_BYTES + 16, f2, 8);
}

/* Later: Method, number in the table, constant; the entries are an array. */
static void put_newer(uint64_t method, uint16_t number)
{
	make();
	put(ENTRIES + 8 + 2 * 24, method, 8);
	put(ENTRIES + 8 + 2 * 24 + 8, number, 2);
	put(ENTRIES + 8 + 2 * 24 + 16, CALL_AT, 2);
}

enum { VIRTUAL = 182, SPECIAL, STATIC, INTERFACE, VIRTUAL_FINAL = 227 };

static uint64_t find(const struct callees *c, uint8_t code)
{
	const uint8_t bytes[] = { code, 2, 0, 177 };
	struct bytecodes b = { bytes, sizeof(bytes) };
	struct method_parts parts;

	return callee_is_called(&b, 0) ? callee_find(c, POOL, &b, 0, &parts) : 1;
}

static void check_older(const struct callees *c)
{
	put_older(METHOD, 0);
	CHECK(find(c, STATIC) == METHOD && find(c, SPECIAL) == METHOD && !find(c, VIRTUAL));
	put_older(0, METHOD);
	CHECK(find(c, VIRTUAL) == METHOD && find(c, VIRTUAL_FINAL) == METHOD && !find(c, STATIC));
	put_older(0, NUMBER);
	CHECK(find(c, VIRTUAL) == METHOD);
	put_older(0, NUMBER + 1);
	CHECK(!find(c, VIRTUAL));
	CHECK(find(c, INTERFACE) == 1 && find(c, 0) == 1);
}

static void check_newer(const struct callees *c)
{
	put_newer(METHOD, 0);
	CHECK(find(c, STATIC) == METHOD && find(c, SPECIAL) == METHOD && find(c, VIRTUAL) == METHOD);
	put_newer(0, NUMBER);
	CHECK(find(c, VIRTUAL) == METHOD && !find(c, STATIC));
	put_newer(0, UINT16_MAX);
	CHECK(!find(c, VIRTUAL));
}

static void check_wrong(const struct callees *c)
{
	put_older(METHOD, 0);
	put(METHOD + 48, 77, 2); /* an intrinsic */
	CHECK(!find(c, STATIC));
	put_older(METHOD, 0);
	put(CONST_METHOD + 32, 0, 2); /* no bytecodes: native, or abstract */
	CHECK(!find(c, STATIC));
	put_older(KLASS, 0);
	CHECK(!find(c, STATIC));
	put_older(METHOD + 4, 0);
	CHECK(!find(c, STATIC));
	put_older(METHOD, 0);
	put(POOL + 16, UINT64_MAX - 7, 8);
	CHECK(!find(c, STATIC));
	put_older(0, NUMBER);
	put(POOL + 40, 0, 8);
	CHECK(!find(c, VIRTUAL));
}

int main(void)
{
	struct metadata m;
	struct callees c;
	struct jvm jvm;

	make();
	CHECK(made_jvm(&jvm, read_made, NULL) && metadata_init(&m, &jvm) && callees_init(&c, &jvm, &m));
	check_older(&c);
	check_wrong(&c);
	c.entries = 8;
	c.first = 8;
	c.size = 24;
	c.target = 0;
	c.table = 8;
	c.table_bytes = 2;
	c.index = 16;
	check_newer(&c);
	vm_tables_free(jvm.tables);
	return check_done();
}
