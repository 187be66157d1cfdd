/* Which functions a file in memory has not bound, with memory made here. */
#include <elf.h>
#include <string.h>

#include "collect/bindings/late_file.h"
#include "tests/unit/check.h"

enum { START = 0x7f0000000000, SIZE = 0x2000, PLT = 0x1000, GOT = 0x1800, COUNT = 3 };

/* A file as the dynamic linker leaves it in memory, and an address outside of it. */
struct memory {
	Elf64_Ehdr header;
	Elf64_Phdr segments[3];
	Elf64_Dyn dynamic[10];
	Elf64_Rela relocations[COUNT];
	Elf64_Sym symbols[COUNT + 1];
	char strings[64];
};

static uint8_t memory[SIZE];
static uint64_t gap; /* cannot be read; 0: nothing */

static bool read_made(const struct remote *r, uint64_t address, void *to, size_t len)
{
	(void)r;
	if (address < START || address - START > SIZE - len || (gap && address <= gap && address + len > gap))
		return false;
	memcpy(to, memory + (address - START), len);
	return true;
}

static struct memory *made(uint16_t machine, bool relocated)
{
	struct memory *m = (void *)memory;
	uint64_t moved = relocated ? START : 0;
	uint32_t slot = machine == EM_X86_64 ? R_X86_64_JUMP_SLOT : R_AARCH64_JUMP_SLOT;

	memset(memory, 0, sizeof(memory));
	gap = 0;
	m->header = (Elf64_Ehdr){ .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
				  .e_type = ET_DYN,
				  .e_machine = machine,
				  .e_phoff = offsetof(struct memory, segments),
				  .e_phentsize = sizeof(Elf64_Phdr),
				  .e_phnum = 2 };
	m->segments[0] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_memsz = SIZE };
	m->segments[1] = (Elf64_Phdr){ .p_type = PT_DYNAMIC,
				       .p_vaddr = offsetof(struct memory, dynamic),
				       .p_memsz = sizeof(m->dynamic) };
	m->dynamic[0] = (Elf64_Dyn){ DT_JMPREL, { moved + offsetof(struct memory, relocations) } };
	m->dynamic[1] = (Elf64_Dyn){ DT_PLTRELSZ, { sizeof(m->relocations) } };
	m->dynamic[2] = (Elf64_Dyn){ DT_PLTREL, { DT_RELA } };
	m->dynamic[3] = (Elf64_Dyn){ DT_SYMTAB, { moved + offsetof(struct memory, symbols) } };
	m->dynamic[4] = (Elf64_Dyn){ DT_STRTAB, { moved + offsetof(struct memory, strings) } };
	m->dynamic[5] = (Elf64_Dyn){ DT_FLAGS_1, { 0 } };
	memcpy(m->strings, "\0one\0two\0_ZN3Foo3barEi", 22);
	for (uint32_t i = 0; i < COUNT; i++) {
		m->relocations[i] = (Elf64_Rela){ GOT + 8 * i, ELF64_R_INFO(i + 1, slot), 0 };
		m->symbols[i + 1].st_name = 1 + 4 * i;
	}
	return m;
}

static void lead(uint32_t i, uint64_t to)
{
	memcpy(memory + GOT + 8 * i, &to, sizeof(to));
}

static void put_code(uint64_t at, const void *code, size_t len)
{
	memcpy(memory + at, code, len);
}

static bool gives(enum late_kind kind, uint64_t functions, uint64_t unbound, const char *names)
{
	const struct remote process = { .read = read_made };
	struct late_file f = late_file_read(&process, START, START + SIZE);
	bool right = f.kind == kind && f.functions == functions && f.unbound == unbound;

	for (size_t i = 0; i < f.names.len; i++)
		f.names.buf[i] = f.names.buf[i] ? f.names.buf[i] : ' ';
	right = right && !strcmp(str_text(&f.names), names);
	if (!right)
		printf("# kind %d, %d of %d: '%s'\n", (int)f.kind, (int)f.unbound, (int)f.functions,
		       str_text(&f.names));
	str_free(&f.names);
	return right;
}

/* The stubs of three functions; the second one is bound. */
static struct memory *made_x86(bool relocated, bool tracking)
{
	struct memory *m = made(EM_X86_64, relocated);

	for (uint32_t i = 0; i < COUNT; i++) {
		const uint8_t push[] = { 0xf3, 0x0f, 0x1e, 0xfa, 0x68, (uint8_t)i, 0, 0, 0 };

		put_code(PLT + 16 * i, push + (tracking ? 0 : 4), tracking ? 9 : 5);
		lead(i, i == 1 ? 0x7fff00001230 : START + PLT + 16 * i);
	}
	return m;
}

static void try_x86(void)
{
	struct memory *m;

	for (int relocated = 0; relocated < 2; relocated++) {
		for (int tracking = 0; tracking < 2; tracking++) {
			made_x86(relocated, tracking);
			CHECK(gives(LATE_LAZY, 3, 2, "one Foo::bar "));
		}
	}
	/* A function of the file itself, which is bound; and a slot that leads to the stub of another one. */
	lead(0, START + PLT + 0x100);
	lead(2, START + PLT);
	CHECK(gives(LATE_LAZY, 3, 0, ""));

	m = made_x86(false, false);
	m->relocations[0].r_info = ELF64_R_INFO(0, R_X86_64_IRELATIVE);
	CHECK(gives(LATE_LAZY, 2, 1, "Foo::bar "));
	m->symbols[3].st_name = 0x10000;
	CHECK(gives(LATE_LAZY, 2, 1, "? "));
	m->dynamic[5].d_un.d_val = DF_1_NOW;
	CHECK(gives(LATE_AT_START, 2, 1, "? "));
	m->dynamic[5] = (Elf64_Dyn){ DT_FLAGS, { DF_BIND_NOW } };
	CHECK(gives(LATE_AT_START, 2, 1, "? "));
	gap = START + GOT + 16;
	CHECK(gives(LATE_AT_START, 2, 0, ""));
}

static void try_arm(void)
{
	static const uint32_t plt[] = { 0xa9bf7bf0 }, tracking[] = { 0xd503245f, 0xa9bf7bf0 };

	made(EM_AARCH64, true);
	put_code(PLT, plt, sizeof(plt));
	lead(0, START + PLT);
	lead(1, 0x7fff00001230);
	lead(2, START + PLT + 0x40);
	CHECK(gives(LATE_LAZY, 3, 1, "one "));
	put_code(PLT + 0x40, tracking, sizeof(tracking));
	CHECK(gives(LATE_LAZY, 3, 2, "one Foo::bar "));
}

static void try_others(void)
{
	struct memory *m = made_x86(false, false);

	m->header.e_ident[EI_CLASS] = ELFCLASS32;
	CHECK(gives(LATE_OTHER, 0, 0, ""));
	m = made_x86(false, false);
	m->header.e_machine = EM_S390;
	CHECK(gives(LATE_OTHER, 0, 0, ""));
	m = made_x86(false, false);
	m->header.e_phnum = 1;
	CHECK(gives(LATE_STATIC, 0, 0, ""));
	m = made_x86(false, false);
	m->dynamic[0].d_tag = m->dynamic[1].d_tag = DT_DEBUG;
	CHECK(gives(LATE_NONE, 0, 0, ""));
	m->dynamic[5].d_un.d_val = DF_1_PIE;
	CHECK(gives(LATE_STATIC, 0, 0, ""));
	m->header.e_phnum = 3;
	m->segments[2].p_type = PT_INTERP;
	CHECK(gives(LATE_NONE, 0, 0, ""));
	memory[0] = 0;
	CHECK(gives(LATE_UNREADABLE, 0, 0, ""));
	m = made_x86(false, false);
	m->dynamic[1].d_un.d_val = UINT64_MAX;
	CHECK(gives(LATE_UNREADABLE, 0, 0, ""));
	m = made_x86(false, false);
	m->segments[1].p_memsz = UINT64_MAX;
	CHECK(gives(LATE_UNREADABLE, 0, 0, ""));
	m = made_x86(false, false);
	gap = START + offsetof(struct memory, relocations);
	CHECK(gives(LATE_UNREADABLE, 0, 0, ""));
}

int main(void)
{
	try_x86();
	try_arm();
	try_others();
	return check_done();
}
