/* Call frame information that would make libdw allocate too much is found, and all other information is let through. */
#include "core/symbols/elf/elf_file.h"
#include "core/unwind/cfi_check.h"
#include "tests/unit/unwind_made.h"

static const struct row {
	const char *what;
	const char *program;
	size_t len;
	bool modest;
} rows[] = {
#define ROW(what, program, modest)                         \
	{                                                  \
		what, program, sizeof(program) - 1, modest \
	}
	ROW("nothing", "", true),
	ROW("as compilers write it", "\x41\x0e\x10\x86\2\x43\x0d\6\2\x40\x0a\x0c\7\x08\xc6\x48\x0b", true),
	ROW("aarch64", "\x41\x0e\x20\x9d\4\x9e\3\x42\x2d", true),
	ROW("expressions", "\x0f\2\x77\0\x10\3\2\x76\x78\x16\x0c\1\x30", true),
	ROW("high register", "\7\xff\x1f", true),
	ROW("too high, undefined", "\7\x80\x20", false),
	ROW("too high, saved", "\5\x80\x80\x80\x20\1", false),
	ROW("too high, by an expression", "\x10\x80\x80\x40\1\x30", false),
	ROW("too high, in a register", "\x09\3\x80\x80\x40", false),
	ROW("too high, CFA", "\x0d\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", false),
	ROW("longer than any number", "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", false),
	ROW("hidden behind an expression", "\x0f\2\7\7\7\x80\x20", false),
	ROW("inside an expression", "\x0f\4\7\x80\x20\7", true),
	ROW("behind what is unknown", "\x3f\7\x80\x20", true),
	ROW("set_loc", "\1\0\0\0\0\0\0\0\0", false),
	ROW("remembered in turn",
	    "\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b"
	    "\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b"
	    "\x0a\x0b"
	    "\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b"
	    "\x0a\x0b"
	    "\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b\x0a\x0b"
	    "\x0a\x0b",
	    true),
	ROW("remembered over and over",
	    "\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a"
	    "\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a"
	    "\x0a"
	    "\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a"
	    "\x0a",
	    false),
};

static bool is_modest(const struct bytes *table)
{
	static const unsigned char ident[EI_NIDENT] = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT };
	Elf_Data data = {
		.d_buf = (void *)table->at, .d_type = ELF_T_BYTE, .d_version = EV_CURRENT, .d_size = table->len
	};

	return cfi_is_modest(&data, ident, true);
}

/* For a function, and for the common entry, where only the beginning may be wrong. */
static void try_row(const struct row *row)
{
	static const uint8_t begin[] = { 0x0c, 7, 8, 0x90, 1 };
	const uint8_t *program = (const uint8_t *)row->program;
	struct bytes own = { 0 }, common = { 0 };

	put_cie(&own, "zR", 16, 1, begin, sizeof(begin));
	put_fde(&own, JIT, JIT, 0x40, program, row->len);
	put_number(&own, 0);
	put_cie(&common, "zR", 16, 1, program, row->len);
	put_fde(&common, JIT, JIT, 0x40, NULL, 0);
	put_number(&common, 0);
	printf("# %s\n", row->what);
	CHECK(is_modest(&own) == row->modest && is_modest(&common) == row->modest);
}

/* A walk with such a table ends as without a table: libdw would have taken 2 GB. */
static void test_walk(const char *path)
{
	static const uint8_t begin[] = { 0x0c, 7, 8, 0x90, 1 }, program[] = { 7, 0xff, 0xff, 0xff, 0x1f };
	struct bytes table = { 0 };
	struct made m;

	put_cie(&table, "zR", 16, 1, begin, sizeof(begin));
	put_fde(&table, 0x2000, 0, 0x40, program, sizeof(program));
	made_init(&m, UNWIND_X86_64, NULL, path);
	unwinder_add_jit(m.unwinder, m.jit, 0, 0x40, table.at, table.len, 0x2000);
	m.regs[X86_SP] = STACK;
	m.regs[IP] = JIT + 8;
	m.stack[0] = JIT + 0x10;
	CHECK(gives(&m, WORDS, (uint64_t[]){ JIT + 8, 0 }, UNWIND_NO_CFI));
	made_free(&m);
}

int main(void)
{
	Elf_Data none = { .d_size = 64 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		try_row(&rows[i]);
	CHECK(cfi_is_modest(NULL, NULL, true) && cfi_is_modest(&none, NULL, true));
	test_walk("/nowhere");
	return check_done();
}
