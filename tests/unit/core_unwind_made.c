/* Programs and stacks made by hand, where each number is known: aarch64, code without tables,
 * JIT-compiled code. */
#include <dirent.h>
#include <elf.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/unwind/unwinder.h"
#include "tests/unit/check.h"

enum {
	TEXT = 0x1000,             /* offset of the code in the file, */
	ADDRESS = 0x41000,         /* its address in the tables, */
	MAPPED = 0x7000000,        /* and in the process */
	TEXT_SIZE = 0x1000,
	JIT = 0x9000000,
	STACK = 0x7ffc0000,
	WORDS = 32,
};

struct made {
	struct modules modules;
	struct spaces spaces;
	struct unwinder *unwinder;
	struct space *space;
	uint32_t module, jit;
	enum unwind_machine machine;
	uint64_t regs[33];         /* by the bits of the kernel's mask */
	uint64_t stack[WORDS];
	uint64_t chain[UNWIND_MAX];
	enum unwind_end end;
	uint32_t stopped;
};

/* ---- files ---------------------------------------------------------------------------- */

struct file {
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	Elf64_Shdr sections[5];
	char names[32];
	uint8_t eh_frame[256];
	Elf64_Sym symbols[3];
	uint8_t before[TEXT - sizeof(Elf64_Ehdr) - sizeof(Elf64_Phdr) - 5 * sizeof(Elf64_Shdr) - 32 - 256 -
		       3 * sizeof(Elf64_Sym)];
	uint8_t text[TEXT_SIZE];
};

static struct file make_file(uint16_t machine, const uint8_t *eh_frame, size_t len)
{
	static const char names[] = "\0.eh_frame\0.shstrtab\0.text";
	struct file f = {
		.header = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			    .e_type = ET_DYN, .e_machine = machine, .e_version = EV_CURRENT,
			    .e_entry = ADDRESS + 0xf00,
			    .e_phoff = offsetof(struct file, segment), .e_shoff = offsetof(struct file, sections),
			    .e_ehsize = sizeof(Elf64_Ehdr), .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1,
			    .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 5, .e_shstrndx = 2 },
		.segment = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = ADDRESS - TEXT,
			     .p_filesz = sizeof(f), .p_memsz = sizeof(f) },
	};

	f.sections[1] = (Elf64_Shdr){ .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC,
				      .sh_addr = ADDRESS - TEXT + offsetof(struct file, eh_frame),
				      .sh_offset = offsetof(struct file, eh_frame), .sh_size = len };
	f.sections[2] = (Elf64_Shdr){ .sh_name = 11, .sh_type = SHT_STRTAB,
				      .sh_offset = offsetof(struct file, names), .sh_size = sizeof(names) };
	f.sections[3] = (Elf64_Shdr){ .sh_name = 21, .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
				      .sh_addr = ADDRESS, .sh_offset = TEXT, .sh_size = TEXT_SIZE };
	f.sections[4] = (Elf64_Shdr){ .sh_type = SHT_SYMTAB, .sh_link = 2, .sh_entsize = sizeof(Elf64_Sym),
				      .sh_offset = offsetof(struct file, symbols), .sh_size = sizeof(f.symbols) };
	memcpy(f.names, names, sizeof(names));
	memcpy(f.eh_frame, eh_frame, len);
	return f;
}

static void made_init(struct made *m, enum unwind_machine machine, const struct file *file, const char *path)
{
	*m = (struct made){ .machine = machine };
	modules_init(&m->modules);
	m->module = modules_add(&m->modules, MODULE_ELF, path, "-", 0);
	m->jit = modules_add(&m->modules, MODULE_JIT, "/tmp/perf-1.map", "1", 1);
	spaces_map(&m->spaces, 1, 1, MAPPED, TEXT_SIZE, TEXT, m->module);
	spaces_map(&m->spaces, 1, 1, JIT, 0x1000, 0, m->jit);
	m->space = spaces_find(&m->spaces, 1, 2);
	m->unwinder = unwinder_new(&m->modules, machine);
	if (file) {
		FILE *out = fopen(path, "w");

		CHECK(out && fwrite(file, sizeof(*file), 1, out) == 1 && fclose(out) == 0);
	}
}

static void made_free(struct made *m)
{
	unwinder_free(m->unwinder);
	spaces_free(&m->spaces);
	modules_free(&m->modules);
}

static size_t walk(struct made *m, size_t words)
{
	struct unwind_sample s = {
		.abi = PERF_SAMPLE_REGS_ABI_64, .regs = (const uint8_t *)m->regs,
		.regs_mask = m->machine == UNWIND_X86_64 ? 0xff01ff : 0x1ffffffff,
		.stack = (const uint8_t *)m->stack, .stack_len = 8 * words, .stack_wanted = 8 * words,
		.space = m->space, .time_ns = 2,
	};

	return unwind(m->unwinder, &s, m->chain, &m->end, &m->stopped);
}

/* What a walk gives, and how it ends.  wanted ends with 0. */
static bool gives(struct made *m, size_t words, const uint64_t *wanted, enum unwind_end end)
{
	size_t n = walk(m, words), count = 0;

	while (wanted[count])
		count++;
	if (n == count && !memcmp(m->chain, wanted, n * sizeof(*wanted)) && m->end == end)
		return true;
	printf("# ends with %d, %zu entries:", (int)m->end, n);
	for (size_t i = 0; i < n; i++)
		printf(" %lx", (unsigned long)m->chain[i]);
	printf("\n");
	return false;
}

/* ---- tables --------------------------------------------------------------------------- */

struct bytes {
	uint8_t at[256];
	size_t len;
};

static void put(struct bytes *b, const void *from, size_t len)
{
	if (len)
		memcpy(b->at + b->len, from, len);
	b->len += len;
}

static void put_number(struct bytes *b, uint32_t number)
{
	put(b, &number, sizeof(number));
}

static void pad(struct bytes *b)
{
	while (b->len % 4)
		b->at[b->len++] = 0; /* DW_CFA_nop */
}

/* A common entry: "zR", addresses relative to where they stand, 4 bytes each; or "zRS", of frames
 * that signals make. */
static void put_cie(struct bytes *b, const char *kind, uint8_t returns, uint8_t code_align,
		    const uint8_t *begin, size_t len)
{
	const uint8_t version = 1, head[] = { code_align, 0x78, returns, 1, 0x1b };

	put_number(b, 0); /* its length, below */
	put_number(b, 0);
	put(b, &version, 1);
	put(b, kind, strlen(kind) + 1);
	put(b, head, sizeof(head));
	put(b, begin, len);
	pad(b);
	b->at[0] = (uint8_t)(b->len - 4);
}

/* Of the code [from, from + size), where base is the address of b. */
static void put_fde(struct bytes *b, uint64_t base, uint64_t from, uint32_t size, const uint8_t *program, size_t len)
{
	size_t start = b->len;

	put_number(b, 0);
	put_number(b, (uint32_t)b->len); /* back to the common entry at 0 */
	put_number(b, (uint32_t)(from - (base + b->len)));
	put_number(b, size);
	b->at[b->len++] = 0;
	put(b, program, len);
	pad(b);
	b->at[start] = (uint8_t)(b->len - start - 4);
}

#define EH_FRAME_ADDRESS (ADDRESS - TEXT + offsetof(struct file, eh_frame))

/* ---- aarch64 -------------------------------------------------------------------------- */

/* At 0: stp x29, x30, [sp, -32]!; from 4 on, the frame of 32 bytes stands.  At 0x100: a leaf, without
 * frame.  At 0x200: the first function.  At 0x300: signs its return address, then as at 0. */
static struct bytes arm_tables(void)
{
	static const uint8_t begin[] = { 0x0c, 31, 0 };                      /* CFA = sp + 0 */
	static const uint8_t frame[] = { 0x41, 0x0e, 32, 0x9d, 4, 0x9e, 3 }; /* x29, x30 at CFA - 32, - 24 */
	static const uint8_t first[] = { 0x07, 30 };                         /* x30 undefined */
	static const uint8_t sign[] = { 0x41, 0x2d, 0x41, 0x0e, 32, 0x9d, 4, 0x9e, 3 };
	struct bytes b = {0};

	put_cie(&b, "zR", 30, 4, begin, sizeof(begin));
	put_fde(&b, EH_FRAME_ADDRESS, ADDRESS, 0x40, frame, sizeof(frame));
	put_fde(&b, EH_FRAME_ADDRESS, ADDRESS + 0x100, 0x40, NULL, 0);
	put_fde(&b, EH_FRAME_ADDRESS, ADDRESS + 0x200, 0x40, first, sizeof(first));
	put_fde(&b, EH_FRAME_ADDRESS, ADDRESS + 0x300, 0x40, sign, sizeof(sign));
	put_number(&b, 0);
	return b;
}

enum { LR = 30, SP = 31, PC = 32, X29 = 29 };

static void try_arm(const char *path)
{
	struct bytes tables = arm_tables();
	struct file file = make_file(EM_AARCH64, tables.at, tables.len);
	const uint32_t signal_return[] = { 0xd2801168, 0xd4000001 };
	struct made m;

	memcpy(file.text + 0x800, signal_return, sizeof(signal_return));
	file.symbols[1] = (Elf64_Sym){ .st_name = 1, .st_info = STT_FUNC, .st_shndx = 3, .st_value = ADDRESS + 0x400 };
	file.symbols[2] = (Elf64_Sym){ .st_name = 1, .st_info = STT_FUNC, .st_shndx = 3, .st_value = ADDRESS + 0x900 };
	memcpy(file.text + 0x900, "\xfd\x7b\xbe\xa9\xfd\x03\x00\x91", 8); /* stp x29, x30, [sp, -32]!; mov x29, sp */
	made_init(&m, UNWIND_AARCH64, &file, path);
	m.regs[SP] = STACK;
	m.stack[0] = STACK + 0x80;
	m.stack[1] = MAPPED + 0x210;

	m.regs[PC] = MAPPED + 0x104; /* leaf, called by the frame, called by the first */
	m.regs[LR] = MAPPED + 0x20;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x104, MAPPED + 0x20, MAPPED + 0x210, 0 },
		    UNWIND_COMPLETE));

	m.regs[PC] = MAPPED; /* before the frame stands */
	m.regs[LR] = MAPPED + 0x204;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED, MAPPED + 0x204, 0 }, UNWIND_COMPLETE));

	m.regs[PC] = MAPPED + 0x308; /* a return address that is signed */
	m.stack[1] = (MAPPED + 0x210) | (uint64_t)0x2a5b << 48;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x308, MAPPED + 0x210, 0 }, UNWIND_COMPLETE));
	m.stack[1] = MAPPED + 0x210;

	m.regs[PC] = MAPPED + 0x104; /* returns to itself, for ever */
	m.regs[LR] = MAPPED + 0x108;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x104, MAPPED + 0x108, 0 }, UNWIND_BROKEN));

	m.regs[PC] = MAPPED + 0x908; /* no table: by its frame pointer, from there on by the table */
	m.regs[X29] = STACK + 0x40;
	m.stack[8] = 0;
	m.stack[9] = MAPPED + 0x208;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x908, MAPPED + 0x208, 0 }, UNWIND_COMPLETE));
	CHECK(gives(&m, 9, (uint64_t[]){ MAPPED + 0x908, 0 }, UNWIND_TRUNCATED));

	m.regs[PC] = MAPPED + 0x420; /* no table, no frame: the link register has the caller */
	m.regs[LR] = MAPPED + 0x204;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x420, MAPPED + 0x204, 0 }, UNWIND_COMPLETE));
	made_free(&m);
}

/* A handler without frame, which returns to code that no table tells of. */
static void try_arm_signal(const char *path)
{
	struct bytes tables = arm_tables();
	struct file file = make_file(EM_AARCH64, tables.at, tables.len);
	const uint32_t signal_return[] = { 0xd2801168, 0xd4000001 };
	static uint64_t frame[100];
	struct made m;
	struct unwind_sample s;

	memcpy(file.text + 0x800, signal_return, sizeof(signal_return));
	made_init(&m, UNWIND_AARCH64, &file, path);
	m.regs[SP] = STACK;
	m.regs[PC] = MAPPED + 0x104;
	m.regs[LR] = MAPPED + 0x800;
	frame[39 + 30] = MAPPED + 0x204;   /* x30, when the signal came */
	frame[39 + 31] = STACK + 0x300;    /* sp */
	frame[39 + 32] = MAPPED + 0x11c;   /* pc */
	s = (struct unwind_sample){ .abi = PERF_SAMPLE_REGS_ABI_64, .regs = (const uint8_t *)m.regs,
				    .regs_mask = 0x1ffffffff, .stack = (const uint8_t *)frame,
				    .stack_len = sizeof(frame), .stack_wanted = sizeof(frame),
				    .space = m.space, .time_ns = 2 };
	CHECK(unwind(m.unwinder, &s, m.chain, &m.end, &m.stopped) == 6);
	CHECK(m.end == UNWIND_COMPLETE);
	CHECK(m.chain[1] == (uint64_t)PERF_CONTEXT_USER && m.chain[2] == MAPPED + 0x800);
	CHECK(m.chain[3] == (uint64_t)PERF_CONTEXT_USER && m.chain[4] == MAPPED + 0x11c);
	CHECK(m.chain[5] == MAPPED + 0x204);
	made_free(&m);
}

/* ---- x86-64 --------------------------------------------------------------------------- */

enum { BP = 6, X86_SP = 7, IP = 8 };

/* At 0: push %rbp at 0, mov %rsp, %rbp at 1; its frame is found by rbp from 4 on.  At 0x200: the first. */
static struct bytes x86_tables(uint64_t base, uint64_t code)
{
	static const uint8_t begin[] = { 0x0c, 7, 8, 0x90, 1 };           /* CFA = rsp + 8; ra at CFA - 8 */
	static const uint8_t frame[] = { 0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6 };
	static const uint8_t first[] = { 0x07, 16 };
	struct bytes b = {0};

	put_cie(&b, "zR", 16, 1, begin, sizeof(begin));
	put_fde(&b, base, code, 0x40, frame, sizeof(frame));
	put_fde(&b, base, code + 0x200, 0x40, first, sizeof(first));
	put_number(&b, 0);
	return b;
}

static void made_x86(struct made *m, const char *path)
{
	struct bytes tables = x86_tables(EH_FRAME_ADDRESS, ADDRESS);
	struct file file = make_file(EM_X86_64, tables.at, tables.len);

	memcpy(file.text + 0x203, "\xe8\1\2\3\4", 5);               /* call; behind it is 0x208 */
	memcpy(file.text + 0x215, "\xff\xd0", 2);                   /* call *%rax; 0x217 */
	memcpy(file.text + 0x221, "\xff\x94\xc1\1\2\3\4", 7);       /* call *0x...(%rcx,%rax,8); 0x228 */
	memcpy(file.text + 0x600, "\x90\x55\x48\x89\xe5", 5);     /* nop; push %rbp; mov %rsp, %rbp */
	file.symbols[1] = (Elf64_Sym){ .st_name = 1, .st_info = STT_NOTYPE, .st_shndx = 3, .st_value = ADDRESS + 0x400 };
	file.symbols[2] = (Elf64_Sym){ .st_name = 1, .st_info = STT_FUNC, .st_shndx = 3, .st_value = ADDRESS + 0x600 };
	memcpy(file.text + 0x800, "\x48\xc7\xc0\x0f\0\0\0\x0f\5", 9); /* mov $15, %rax; syscall */
	made_init(m, UNWIND_X86_64, &file, path);
	m->regs[X86_SP] = STACK;
}

static void try_frame_pointers(const char *path)
{
	struct made m;

	made_x86(&m, path);
	m.regs[IP] = JIT + 0x10;
	m.regs[BP] = STACK + 0x10;
	m.stack[2] = STACK + 0x20; /* JIT-compiled code, called by the same, by the program */
	m.stack[3] = JIT + 0x20;
	m.stack[4] = STACK + 0x60;
	m.stack[5] = MAPPED + 0x10;
	m.stack[12] = 0;
	m.stack[13] = MAPPED + 0x210;
	CHECK(gives(&m, WORDS, (uint64_t[]){ JIT + 0x10, JIT + 0x20, MAPPED + 0x10, MAPPED + 0x210, 0 },
		    UNWIND_COMPLETE));
	CHECK(gives(&m, 13, (uint64_t[]){ JIT + 0x10, JIT + 0x20, MAPPED + 0x10, 0 }, UNWIND_TRUNCATED));

	m.stack[13] = 0; /* nobody called: a coroutine's first function */
	CHECK(gives(&m, WORDS, (uint64_t[]){ JIT + 0x10, JIT + 0x20, MAPPED + 0x10, 0 }, UNWIND_COMPLETE));

	m.stack[13] = 12345;
	CHECK(gives(&m, WORDS, (uint64_t[]){ JIT + 0x10, JIT + 0x20, MAPPED + 0x10, 0 }, UNWIND_UNMAPPED));

	m.stack[4] = STACK + 0x10; /* the frame leads back */
	CHECK(gives(&m, WORDS, (uint64_t[]){ JIT + 0x10, JIT + 0x20, MAPPED + 0x10, 0 }, UNWIND_BROKEN));

	m.stack[2] = STACK; /* in JIT-compiled code */
	CHECK(gives(&m, WORDS, (uint64_t[]){ JIT + 0x10, JIT + 0x20, 0 }, UNWIND_NO_CFI));
	m.stack[2] = STACK + 0x20;

	m.stack[3] = 12345;
	CHECK(gives(&m, WORDS, (uint64_t[]){ JIT + 0x10, 0 }, UNWIND_NO_CFI));
	CHECK(m.stopped == m.jit);
	m.regs[BP] = 0;
	CHECK(gives(&m, WORDS, (uint64_t[]){ JIT + 0x10, 0 }, UNWIND_NO_CFI));
	m.regs[BP] = STACK + 0x11;
	CHECK(gives(&m, WORDS, (uint64_t[]){ JIT + 0x10, 0 }, UNWIND_NO_CFI));
	made_free(&m);
}

/* Code without any table, which the code itself has to explain. */
static void try_instructions(const char *path)
{
	static const uint64_t behind_calls[] = { 0x208, 0x217, 0x228 };
	struct made m;

	made_x86(&m, path);
	m.regs[IP] = MAPPED + 0x900;
	for (size_t i = 0; i < 3; i++) {
		m.stack[0] = MAPPED + behind_calls[i];
		CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x900, m.stack[0], 0 }, UNWIND_COMPLETE));
	}
	m.stack[0] = MAPPED + 0x210; /* behind no call */
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x900, 0 }, UNWIND_NO_CFI));
	CHECK(m.stopped == m.module);

	m.stack[0] = MAPPED + 0x208; /* called from the entry point: argc stands there */
	m.regs[IP] = MAPPED + 0xf04;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0xf04, 0 }, UNWIND_COMPLETE));

	m.regs[IP] = MAPPED; /* a handler's first instruction; it returns to "mov $15, %rax; syscall" */
	m.stack[0] = MAPPED + 0x800;
	m.stack[1 + 20] = STACK + 0xf0;   /* rsp and rip, when the signal came */
	m.stack[1 + 21] = MAPPED + 0x201;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED, (uint64_t)PERF_CONTEXT_USER, MAPPED + 0x800,
					     (uint64_t)PERF_CONTEXT_USER, MAPPED + 0x201, 0 }, UNWIND_COMPLETE));
	made_free(&m);
}

/* Functions that no table tells of, in a file that has some: 0x400 has no frame pointer, 0x600 sets
 * one up. */
static void try_hand_written(const char *path)
{
	struct made m;

	made_x86(&m, path);
	m.regs[BP] = STACK + 0x20;        /* the caller's, in the first case */
	m.stack[1] = MAPPED + 0x210;      /* looks like code, but not behind a call */
	m.stack[2] = MAPPED + 0x208;
	m.stack[4] = 0;
	m.stack[5] = MAPPED + 0x228;
	m.regs[IP] = MAPPED + 0x420;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x420, MAPPED + 0x208, 0 }, UNWIND_COMPLETE));
	m.regs[IP] = MAPPED + 0x620;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x620, MAPPED + 0x228, 0 }, UNWIND_COMPLETE));
	m.regs[IP] = MAPPED + 0x602;      /* between the two: nothing of the kind is there yet */
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x602, MAPPED + 0x208, 0 }, UNWIND_COMPLETE));

	m.stack[2] = 0;                   /* no return address: nothing is made up */
	m.regs[IP] = MAPPED + 0x420;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x420, 0 }, UNWIND_NO_CFI));
	made_free(&m);
}

/* At "ret", what was popped is below the stack pointer: not in the copy, and in the registers. */
static void try_popped(const char *path)
{
	static const uint8_t begin[] = { 0x0c, 7, 8, 0x90, 1 };
	/* rbx at CFA - 16, CFA = rsp + 8 again */
	static const uint8_t end_of_function[] = { 0x83, 2 };
	static const uint8_t by_rbx[] = { 0x0c, 3, 8 }; /* CFA = rbx + 8 */
	static const uint8_t by_rcx[] = { 0x0c, 2, 8 }; /* which functions need not keep */
	struct bytes b = {0};
	struct file file;
	struct made m;

	put_cie(&b, "zR", 16, 1, begin, sizeof(begin));
	put_fde(&b, EH_FRAME_ADDRESS, ADDRESS, 0x40, end_of_function, sizeof(end_of_function));
	put_fde(&b, EH_FRAME_ADDRESS, ADDRESS + 0x100, 0x40, by_rbx, sizeof(by_rbx));
	put_fde(&b, EH_FRAME_ADDRESS, ADDRESS + 0x200, 0x40, by_rcx, sizeof(by_rcx));
	put_number(&b, 0);
	file = make_file(EM_X86_64, b.at, b.len);
	made_init(&m, UNWIND_X86_64, &file, path);
	m.regs[X86_SP] = STACK;
	m.regs[IP] = MAPPED + 0x10;
	m.regs[1] = STACK + 0x40; /* rbx */
	m.stack[0] = MAPPED + 0x120;
	m.stack[8] = 0;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x10, MAPPED + 0x120, 0 }, UNWIND_COMPLETE));

	m.regs[2] = STACK + 0x40; /* rcx */
	m.regs[IP] = MAPPED + 0x210;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x210, 0 }, UNWIND_COMPLETE));
	m.regs[IP] = MAPPED + 0x10;
	m.stack[0] = MAPPED + 0x220;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x10, MAPPED + 0x220, 0 }, UNWIND_BROKEN));
	made_free(&m);
}

/* As in glibc's vfork(): the return address was popped, into rdi. */
static void try_return_register(const char *path)
{
	static const uint8_t begin[] = { 0x0c, 7, 0, 0x09, 16, 5 };
	struct bytes b = {0};
	struct file file;
	struct made m;

	put_cie(&b, "zR", 16, 1, begin, sizeof(begin));
	put_fde(&b, EH_FRAME_ADDRESS, ADDRESS, 0x40, NULL, 0);
	put_number(&b, 0);
	file = make_file(EM_X86_64, b.at, b.len);
	made_init(&m, UNWIND_X86_64, &file, path);
	m.regs[X86_SP] = STACK;
	m.regs[IP] = MAPPED + 0x10;
	m.regs[5] = MAPPED + 0xf20; /* rdi: the entry point, where every walk is complete */
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x10, MAPPED + 0xf20, 0 }, UNWIND_COMPLETE));
	made_free(&m);
}

/* A frame that its table says to be a signal's: what is in it is exact, and so is what it leads to. */
static void try_signal_table(const char *path)
{
	static const uint8_t begin[] = { 0x0c, 7, 8, 0x90, 1 };
	struct bytes b = {0};
	struct file file;
	struct made m;

	put_cie(&b, "zRS", 16, 1, begin, sizeof(begin));
	put_fde(&b, EH_FRAME_ADDRESS, ADDRESS, 0x40, NULL, 0);
	put_number(&b, 0);
	file = make_file(EM_X86_64, b.at, b.len);
	made_init(&m, UNWIND_X86_64, &file, path);
	m.regs[X86_SP] = STACK;
	m.regs[IP] = MAPPED + 0x10;
	m.stack[0] = MAPPED + 0x20;
	m.stack[1] = 0;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x10, (uint64_t)PERF_CONTEXT_USER, MAPPED + 0x20, 0 },
		    UNWIND_COMPLETE));
	made_free(&m);
}

/* ---- what a JIT says ------------------------------------------------------------------ */

static void try_jit(const char *path)
{
	struct bytes tables = x86_tables(0x5000, 0x100);
	struct made m;

	made_x86(&m, path);
	unwinder_add_jit(m.unwinder, m.jit, 0x100, 0x40, tables.at, tables.len, 0x5000);
	m.regs[IP] = JIT + 0x100; /* before its push: frame pointers would lose the caller */
	m.regs[BP] = STACK + 0x10;
	m.stack[0] = MAPPED + 0x10;
	m.stack[2] = 0;
	m.stack[3] = MAPPED + 0x210;
	CHECK(gives(&m, WORDS, (uint64_t[]){ JIT + 0x100, MAPPED + 0x10, MAPPED + 0x210, 0 }, UNWIND_COMPLETE));

	/* Any bytes do no harm. */
	for (unsigned i = 0; i < 2000; i++) {
		struct bytes broken = tables;

		broken.at[i * 7 % tables.len] ^= (uint8_t)(i * 2654435761u >> 24);
		unwinder_add_jit(m.unwinder, m.jit, 0x200 + i, 1, broken.at, i % 50 ? tables.len : i / 50,
				 0x5000 + 0x100 + i);
		m.regs[IP] = JIT + 0x200 + i;
		walk(&m, WORDS);
	}
	CHECK(m.end < UNWIND_ENDS);
	made_free(&m);
}

/* ---- more files than stay open --------------------------------------------------------- */

enum { FILES = 70 };

static size_t count_open_files(void)
{
	DIR *open_files = opendir("/proc/self/fd");
	size_t count = 0;

	while (open_files && readdir(open_files))
		count++;
	if (open_files)
		closedir(open_files);
	return count;
}

/* One stack through all of them, twice: by other addresses each time. */
static void try_many_files(const char *base)
{
	struct bytes tables = x86_tables(EH_FRAME_ADDRESS, ADDRESS);
	struct file file = make_file(EM_X86_64, tables.at, tables.len);
	static uint64_t stack[2 * FILES + 2];
	struct unwind_sample s;
	size_t before = count_open_files();
	struct made m;
	char path[64];

	made_init(&m, UNWIND_X86_64, &file, base);
	for (uint64_t i = 0; i < FILES; i++) {
		FILE *out;

		snprintf(path, sizeof(path), "%s.%d", base, (int)i);
		out = fopen(path, "w");
		if (!out || fwrite(&file, sizeof(file), 1, out) != 1 || fclose(out))
			break;
		spaces_map(&m.spaces, 1, 1, MAPPED + (i + 1) * 0x10000, TEXT_SIZE, TEXT,
			   modules_add(&m.modules, MODULE_ELF, path, "-", 0));
	}
	s = (struct unwind_sample){ .abi = PERF_SAMPLE_REGS_ABI_64, .regs = (const uint8_t *)m.regs,
				    .regs_mask = 0xff01ff, .stack = (const uint8_t *)stack,
				    .stack_len = sizeof(stack), .stack_wanted = sizeof(stack),
				    .space = m.space, .time_ns = 2 };
	m.regs[X86_SP] = STACK;
	m.regs[BP] = STACK;
	m.regs[IP] = MAPPED + 0x10;
	for (uint64_t round = 0; round < 2; round++) {
		for (uint64_t i = 0; i < FILES; i++) {
			stack[2 * i] = STACK + 16 * (i + 1);
			stack[2 * i + 1] = MAPPED + (i + 1) * 0x10000 + 0x20 + round;
		}
		stack[2 * FILES + 1] = MAPPED + 0x210;
		CHECK(unwind(m.unwinder, &s, m.chain, &m.end, &m.stopped) == FILES + 2);
		CHECK(m.end == UNWIND_COMPLETE && m.chain[FILES] == stack[2 * FILES - 1]);
	}
	CHECK(count_open_files() < before + FILES);
	for (int i = 0; i < FILES; i++) {
		snprintf(path, sizeof(path), "%s.%d", base, i);
		unlink(path);
	}
	made_free(&m);
}

/* ---- damaged files -------------------------------------------------------------------- */

static void try_damaged(const char *path)
{
	struct bytes tables = x86_tables(EH_FRAME_ADDRESS, ADDRESS);
	const struct file good = make_file(EM_X86_64, tables.at, tables.len);
	uint64_t state = 1;
	size_t complete = 0, other = 0;
	struct made m;

	for (int i = 0; i < 500; i++) {
		struct file bad = good;
		FILE *out = fopen(path, "w");

		for (int k = 0; k < 8; k++) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			((uint8_t *)&bad)[(state >> 33) % 520] = (uint8_t)(state >> 24);
		}
		if (!out || fwrite(&bad, sizeof(bad), 1, out) != 1 || fclose(out))
			break;
		made_init(&m, UNWIND_X86_64, NULL, path);
		m.regs[X86_SP] = STACK;
		m.regs[IP] = MAPPED + 0x10;
		m.regs[BP] = STACK + 0x10;
		m.stack[2] = 12345; /* no frame pointer: it takes the tables to end well */
		m.stack[3] = MAPPED + 0x210;
		walk(&m, WORDS);
		complete += m.end == UNWIND_COMPLETE;
		other += m.end != UNWIND_COMPLETE;
		made_free(&m);
	}
	printf("# %zu complete, %zu not\n", complete, other);
	CHECK(complete > 10);
	CHECK(other > 10);

	unlink(path);
	made_init(&m, UNWIND_X86_64, NULL, path);
	m.regs[IP] = MAPPED + 0x10;
	m.regs[X86_SP] = STACK;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x10, 0 }, UNWIND_NO_FILE));
	CHECK(m.stopped == m.module);
	made_free(&m);
}

int main(void)
{
	char path[] = "/tmp/core_unwind_made.XXXXXX";
	int fd = mkstemp(path);

	CHECK(fd >= 0);
	close(fd);
	try_arm(path);
	try_arm_signal(path);
	try_frame_pointers(path);
	try_instructions(path);
	try_hand_written(path);
	try_popped(path);
	try_return_register(path);
	try_signal_table(path);
	try_jit(path);
	try_many_files(path);
	try_damaged(path);
	unlink(path);
	return check_done();
}
