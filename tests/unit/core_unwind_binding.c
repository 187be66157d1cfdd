/* Stacks through the dynamic linker's function that binds: which stub in which file called it. */
#include "core/symbols/elf/plt.h"
#include "tests/unit/unwind_made.h"

enum {
	CALLER = 0,       /* calls the second stub at 0x10, which returns to 0x15; the first at 0x20, to 0x25; FIRST at
			 * 0x30 */
	BINDER = 0x100,   /* as _dl_runtime_resolve_xsavec */
	FIRST = 0x200,    /* the thread's first function; jumps to the second stub */
	ORDINARY = 0x300, /* its stack has the same words as that of BINDER */
	PLT = 0x400,
	STUB = PLT + 0x20, /* the second one, for the relocation 1 */
	GOT = 0x2000,
	SECTIONS = 7,
	FUNCTIONS = 4,
};

struct linked {
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	Elf64_Shdr sections[SECTIONS];
	char names[64];
	uint8_t eh_frame[256];
	struct {
		uint8_t head[4];
		uint32_t eh_frame, count;
		int32_t rows[FUNCTIONS][2];
	} index;
	Elf64_Rela relocations[2];
	uint8_t before[TEXT - sizeof(Elf64_Ehdr) - sizeof(Elf64_Phdr) - SECTIONS * sizeof(Elf64_Shdr) - 64 - 256 - 44 -
		       2 * sizeof(Elf64_Rela) - 4];
	uint8_t text[TEXT_SIZE];
};

#define AT(member) offsetof(struct linked, member)

static Elf64_Shdr section(uint32_t name, uint32_t type, uint64_t flags, uint64_t offset, uint64_t size)
{
	return (Elf64_Shdr){ .sh_name = name,
			     .sh_type = type,
			     .sh_flags = flags,
			     .sh_addr = ADDRESS - TEXT + offset,
			     .sh_offset = offset,
			     .sh_size = size };
}

static void make_linked(struct linked *f, uint16_t machine, const struct bytes *tables)
{
	static const int32_t functions[FUNCTIONS] = { CALLER, BINDER, FIRST, ORDINARY };
	static const char names[] = "\0.eh_frame\0.eh_frame_hdr\0.plt\0.rela.plt\0.shstrtab\0.text";

	_Static_assert(AT(text) == TEXT, "the code's place");
	memset(f, 0, sizeof(*f));
	f->header = (Elf64_Ehdr){ .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
				  .e_type = ET_DYN,
				  .e_machine = machine,
				  .e_version = EV_CURRENT,
				  .e_entry = ADDRESS + 0xf00,
				  .e_phoff = AT(segment),
				  .e_shoff = AT(sections),
				  .e_ehsize = sizeof(Elf64_Ehdr),
				  .e_phentsize = sizeof(Elf64_Phdr),
				  .e_phnum = 1,
				  .e_shentsize = sizeof(Elf64_Shdr),
				  .e_shnum = SECTIONS,
				  .e_shstrndx = 5 };
	f->segment = (Elf64_Phdr){ .p_type = PT_LOAD,
				   .p_flags = PF_R | PF_X,
				   .p_vaddr = ADDRESS - TEXT,
				   .p_filesz = sizeof(*f),
				   .p_memsz = sizeof(*f) };
	f->sections[1] = section(1, SHT_PROGBITS, SHF_ALLOC, AT(eh_frame), tables->len);
	f->sections[2] = section(11, SHT_PROGBITS, SHF_ALLOC, AT(index), sizeof(f->index));
	f->sections[3] = section(25, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT + PLT, 0x40);
	f->sections[4] = section(30, SHT_RELA, SHF_ALLOC | SHF_INFO_LINK, AT(relocations), sizeof(f->relocations));
	f->sections[4].sh_entsize = sizeof(Elf64_Rela);
	f->sections[5] = section(40, SHT_STRTAB, 0, AT(names), sizeof(f->names));
	f->sections[6] = section(50, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT, PLT);
	memcpy(f->names, names, sizeof(names));
	memcpy(f->eh_frame, tables->at, tables->len);
	memcpy(f->index.head, "\1\x1b\3\x3b", 4);
	f->index.count = FUNCTIONS;
	for (int i = 0; i < FUNCTIONS; i++)
		f->index.rows[i][0] = functions[i] + TEXT - (int32_t)AT(index);
	for (uint64_t i = 0; i < 2; i++)
		f->relocations[i] = (Elf64_Rela){ .r_offset = ADDRESS + GOT + 8 * i };
}

static void write_linked(struct made *m, enum unwind_machine machine, const struct linked *f, const char *path)
{
	FILE *out = fopen(path, "w");

	CHECK(out && fwrite(f, sizeof(*f), 1, out) == 1 && fclose(out) == 0);
	made_init(m, machine, NULL, path);
}

/* ---- x86-64 --------------------------------------------------------------------------- */

static void put_i32(uint8_t *to, int32_t n)
{
	memcpy(to, &n, sizeof(n));
}

static void made_x86_binder(struct made *m, struct linked *f, const char *path, uint32_t rows)
{
	static const uint8_t begin[] = { 0x0c, 7, 8, 0x90, 1 }; /* CFA = rsp + 8; ra at CFA - 8 */
	/* CFA = rsp + 24; after push %rbx: rsp + 32, rbx at CFA - 32; after mov %rsp, %rbx: rbx + 32 */
	static const uint8_t binder[] = { 0x0e, 24, 0x41, 0x0e, 32, 0x83, 4, 0x43, 0x0d, 3 };
	static const uint8_t first[] = { 0x07, 16 };
	static const uint8_t ordinary[] = { 0x44, 0x0e, 32 }; /* after sub $24, %rsp */
	const uint64_t base = ADDRESS - TEXT + AT(eh_frame);
	struct bytes b = { 0 };

	put_cie(&b, "zR", 16, 1, begin, sizeof(begin));
	put_fde(&b, base, ADDRESS + CALLER, 0x40, NULL, 0);
	put_fde(&b, base, ADDRESS + BINDER, 0x40, binder, sizeof(binder));
	put_fde(&b, base, ADDRESS + FIRST, 0x40, first, sizeof(first));
	put_fde(&b, base, ADDRESS + ORDINARY, 0x40, ordinary, sizeof(ordinary));
	put_number(&b, 0);
	make_linked(f, EM_X86_64, &b);
	f->index.count = rows;
	f->text[CALLER + 0x10] = f->text[CALLER + 0x20] = 0xe8; /* call */
	put_i32(f->text + CALLER + 0x11, STUB - 0x15);
	put_i32(f->text + CALLER + 0x21, PLT + 0x10 - 0x25);
	f->text[CALLER + 0x30] = 0xe8;
	put_i32(f->text + CALLER + 0x31, FIRST - 0x35);
	f->text[FIRST + 0x20] = 0xe9; /* jmp */
	put_i32(f->text + FIRST + 0x21, STUB - (FIRST + 0x25));
	for (int32_t i = 0; i < 2; i++) {
		uint8_t *stub = f->text + PLT + 0x10 + 0x10 * i;

		memcpy(stub, "\xff\x25", 2); /* jmp *...(%rip); push $i; jmp */
		put_i32(stub + 2, GOT + 8 * i - (PLT + 0x10 + 0x10 * i + 6));
		stub[6] = 0x68;
		put_i32(stub + 7, i);
		stub[11] = 0xe9;
	}
	write_linked(m, UNWIND_X86_64, f, path);
}

/* Set a stack that begins in function, with the words that a stub left, called from CALLER's return address. */
static void set_x86(struct made *m, uint64_t function, uint64_t link_map, uint64_t number, uint64_t back)
{
	m->regs[IP] = MAPPED + function + 0x10;
	m->regs[X86_SP] = m->regs[1] = STACK; /* rbx, too */
	m->stack[1] = link_map;
	m->stack[2] = number;
	m->stack[3] = MAPPED + back;
	m->stack[4] = MAPPED + FIRST + 8;
}

static bool gives_x86(struct made *m, uint64_t function, uint64_t stub, uint64_t back)
{
	uint64_t with[] = { MAPPED + function + 0x10, MAPPED + stub + PLT_BINDS, MAPPED + back, MAPPED + FIRST + 8, 0 };
	uint64_t without[] = { MAPPED + function + 0x10, MAPPED + back, MAPPED + FIRST + 8, 0 };

	return gives(m, WORDS, stub ? with : without, UNWIND_COMPLETE);
}

static void try_x86(const char *path)
{
	static const struct row {
		uint64_t function, link_map, number, back, stub;
	} rows[] = {
		{ BINDER, 0x555500001230, 1, 0x15, STUB },
		{ BINDER, 0x555500001230, 0, 0x25, PLT + 0x10 },
		{ BINDER, 0x555500001230, 0, 0x15, 0 },    /* the caller called another stub, so this is a tail call */
		{ BINDER, 0x555500001230, 1, 0x35, STUB }, /* a tail call of what it called */
		{ BINDER, 0x555500001230, 0, 0x35, 0 },    /* which does not jump to that stub */
		{ BINDER, 0x555500001230, 2, 0x15, 0 },    /* no such relocation */
		{ BINDER, 0x555500001231, 1, 0x15, 0 },    /* no pointer */
		{ BINDER, 8, 1, 0x15, 0 },
		{ BINDER, 0x555500001230, 1u << 30, 0x15, 0 },
		{ ORDINARY, 0x555500001230, 1, 0x15, 0 }, /* the words are there by chance */
	};
	static struct linked f;
	struct made m;

	made_x86_binder(&m, &f, path, FUNCTIONS);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *r = &rows[i];

		set_x86(&m, r->function, r->link_map, r->number, r->back);
		CHECK(gives_x86(&m, r->function, r->stub, r->back));
	}
	made_free(&m);

	/* An index of functions that claims more rows than there are. */
	made_x86_binder(&m, &f, path, UINT32_MAX);
	set_x86(&m, BINDER, 0x555500001230, 1, 0x15);
	CHECK(gives_x86(&m, BINDER, 0, 0x15));
	made_free(&m);
}

/* ---- aarch64 -------------------------------------------------------------------------- */

static void made_arm_binder(struct made *m, struct linked *f, const char *path)
{
	enum { SP = 31, X29 = 29, LR = 30 };
	static const uint8_t begin[] = { 0x0c, SP, 0 };
	static const uint8_t caller[] = { 0x0c, X29, 16, 0x80 | X29, 2, 0x80 | LR, 1 };
	/* the return address is at CFA + 8; 208 bytes are below */
	static const uint8_t binder[] = { 0x11, LR, 0x7f, 0x44, 0x0e, 0xd0, 1 };
	static const uint8_t first[] = { 0x07, LR };
	static const uint32_t stub[] = { 0xd0000010, 0xf9400211 | 1 << 10 }; /* adrp x16, +2; ldr x17, [x16, 8] */
	const uint64_t base = ADDRESS - TEXT + AT(eh_frame);
	struct bytes b = { 0 };

	put_cie(&b, "zR", LR, 1, begin, sizeof(begin));
	put_fde(&b, base, ADDRESS + CALLER, 0x40, caller, sizeof(caller));
	put_fde(&b, base, ADDRESS + BINDER, 0x40, binder, sizeof(binder));
	put_fde(&b, base, ADDRESS + FIRST, 0x40, first, sizeof(first));
	put_number(&b, 0);
	make_linked(f, EM_AARCH64, &b);
	memcpy(f->text + STUB, stub, sizeof(stub));
	write_linked(m, UNWIND_AARCH64, f, path);
}

static void try_arm(const char *path)
{
	enum { SP = 31, X29 = 29, PC = 32, CFA = 26 };
	const uint64_t wanted[] = { MAPPED + BINDER + 0x10, MAPPED + STUB + PLT_BINDS, MAPPED + 0x14,
				    MAPPED + FIRST + 8, 0 };
	const uint64_t unlike[] = { MAPPED + BINDER + 0x10, MAPPED + 0x14, MAPPED + FIRST + 8, 0 };
	static struct linked f;
	struct made m;

	made_arm_binder(&m, &f, path);
	m.regs[PC] = MAPPED + BINDER + 0x10;
	m.regs[SP] = STACK;
	m.regs[X29] = STACK + (CFA + 3) * 8;
	m.stack[CFA] = MAPPED + GOT + 8;
	m.stack[CFA + 1] = MAPPED + 0x14;
	m.stack[CFA + 3] = 0;
	m.stack[CFA + 4] = MAPPED + FIRST + 8;
	CHECK(gives(&m, WORDS, wanted, UNWIND_COMPLETE));
	m.stack[CFA] = MAPPED + GOT + 16; /* no stub has that slot */
	CHECK(gives(&m, WORDS, unlike, UNWIND_COMPLETE));
	made_free(&m);
}

int main(void)
{
	char path[] = "/tmp/core_unwind_binding-XXXXXX";
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	try_x86(path);
	try_arm(path);
	unlink(path);
	return check_done();
}
