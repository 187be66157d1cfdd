/* collect/jvm/oops.c: which layout of objects a JVM has, according to its flags, including layouts that no longer
 * exist. */
#include "collect/jvm/oops.h"

#include <string.h>

#define MADE_CONSTANT                       \
	{                                   \
		"markWord::klass_shift", 42 \
	}
#include "tests/unit/check.h"
#include "tests/unit/made_jvm.h"

enum {
	BASE = MADE_STATICS,
	SIZE = 0x2000,
	KLASS_BASE = MADE_STATICS + 8 * 4,
	KLASS_SHIFT = MADE_STATICS + 8 * 5,
	FLAGS = MADE_STATICS + 8 * 10,
	FLAG_COUNT = MADE_STATICS + 8 * 11,
	FLAG_LIST = 0x2000,
	FLAG_SIZE = 24,
	TEXTS = 0x2400,
	TEXT_SIZE = 64,
	VALUES = 0x2800,
	KLASS = 0x5000,
};

#include "tests/unit/made_memory.h"

struct made_flag {
	const char *name;
	bool value;
};

static void put_flags(const struct made_flag *flags)
{
	uint64_t count = 0;

	memset(memory, 0, sizeof(memory));
	put(KLASS_BASE, 0x4000, 8);
	put(KLASS_SHIFT, 3, 4);
	put(FLAGS, FLAG_LIST, 8);
	for (; flags[count].name; count++) {
		put(FLAG_LIST + count * FLAG_SIZE, VALUES + count * 8, 8);
		put(FLAG_LIST + count * FLAG_SIZE + 8, TEXTS + count * TEXT_SIZE, 8);
		memcpy(memory + (TEXTS - BASE) + count * TEXT_SIZE, flags[count].name, strlen(flags[count].name));
		put(VALUES + count * 8, flags[count].value, 1);
	}
	put(FLAG_COUNT, count, 8);
}

enum { PLAIN, COMPRESSED, COMPACT };

/* The header of an object of KLASS. */
static void set_header(uint8_t header[OOP_HEADER_BYTES], int layout)
{
	uint64_t narrow = (KLASS - 0x4000) >> 3, plain = KLASS, mark = layout == COMPACT ? narrow << 42 | 1 : 1;

	memset(header, 0xff, OOP_HEADER_BYTES);
	memcpy(header, &mark, 8);
	if (layout != COMPACT)
		memcpy(header + 8, layout == PLAIN ? &plain : &narrow, layout == PLAIN ? 8 : 4);
}

static const struct {
	const char *jdk;
	struct made_flag flags[4];
	int layout;
} layouts[] = {
	{ "24 to 26",
	  { { "UseCompressedOops", true },
	    { "UseCompressedClassPointers", true },
	    { "UseCompactObjectHeaders", false } },
	  COMPRESSED },
	{ "24 to 26, no class pointers",
	  { { "UseCompressedClassPointers", false }, { "UseCompactObjectHeaders", false } },
	  PLAIN },
	{ "24 to 26, compact",
	  { { "UseCompressedClassPointers", true }, { "UseCompactObjectHeaders", true } },
	  COMPACT },
	{ "27", { { "UseCompactObjectHeaders", false } }, COMPRESSED },
	{ "27, compact", { { "UseCompactObjectHeaders", true } }, COMPACT },
	{ "without either", { { "UseCompressedOops", false } }, COMPACT },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		uint8_t header[OOP_HEADER_BYTES];
		const char *why = "";
		struct oops oops;
		struct jvm jvm;

		put_flags(layouts[i].flags);
		CHECK(made_jvm(&jvm, read_made, NULL) && !oops_init(&oops, &jvm, &why));
		printf("# JDK %s\n", layouts[i].jdk);
		set_header(header, layouts[i].layout);
		CHECK(oop_klass(&oops, header) == KLASS);
		CHECK(oops.compact == (layouts[i].layout == COMPACT));
		vm_tables_free(jvm.tables);
	}
	return check_done();
}
