/* unwind_made: programs and stacks made by hand, in which each number is known. */
#ifndef TESTS_UNIT_UNWIND_MADE_H
#define TESTS_UNIT_UNWIND_MADE_H

#include <elf.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/unwind/unwinder.h"
#include "tests/unit/check.h"

enum {
	TEXT = 0x1000,      /* offset of the code in the file, */
	ADDRESS = 0x41000,  /* its address in the tables, */
	MAPPED = 0x7000000, /* and in the process */
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
	uint64_t regs[33]; /* by the bits of the kernel's mask */
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
	Elf64_Sym symbols[4];
	uint8_t before[TEXT - sizeof(Elf64_Ehdr) - sizeof(Elf64_Phdr) - 5 * sizeof(Elf64_Shdr) - 32 - 256 -
		       4 * sizeof(Elf64_Sym)];
	uint8_t text[TEXT_SIZE];
};

static inline struct file make_file(uint16_t machine, const uint8_t *eh_frame, size_t len)
{
	static const char names[] = "\0.eh_frame\0.shstrtab\0.text";
	struct file f = {
		.header = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			    .e_type = ET_DYN,
			    .e_machine = machine,
			    .e_version = EV_CURRENT,
			    .e_entry = ADDRESS + 0xf00,
			    .e_phoff = offsetof(struct file, segment),
			    .e_shoff = offsetof(struct file, sections),
			    .e_ehsize = sizeof(Elf64_Ehdr),
			    .e_phentsize = sizeof(Elf64_Phdr),
			    .e_phnum = 1,
			    .e_shentsize = sizeof(Elf64_Shdr),
			    .e_shnum = 5,
			    .e_shstrndx = 2 },
		.segment = { .p_type = PT_LOAD,
			     .p_flags = PF_R | PF_X,
			     .p_vaddr = ADDRESS - TEXT,
			     .p_filesz = sizeof(f),
			     .p_memsz = sizeof(f) },
	};

	f.sections[1] = (Elf64_Shdr){ .sh_name = 1,
				      .sh_type = SHT_PROGBITS,
				      .sh_flags = SHF_ALLOC,
				      .sh_addr = ADDRESS - TEXT + offsetof(struct file, eh_frame),
				      .sh_offset = offsetof(struct file, eh_frame),
				      .sh_size = len };
	f.sections[2] = (Elf64_Shdr){ .sh_name = 11,
				      .sh_type = SHT_STRTAB,
				      .sh_offset = offsetof(struct file, names),
				      .sh_size = sizeof(names) };
	f.sections[3] = (Elf64_Shdr){ .sh_name = 21,
				      .sh_type = SHT_PROGBITS,
				      .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
				      .sh_addr = ADDRESS,
				      .sh_offset = TEXT,
				      .sh_size = TEXT_SIZE };
	f.sections[4] = (Elf64_Shdr){ .sh_type = SHT_SYMTAB,
				      .sh_link = 2,
				      .sh_entsize = sizeof(Elf64_Sym),
				      .sh_offset = offsetof(struct file, symbols),
				      .sh_size = sizeof(f.symbols) };
	memcpy(f.names, names, sizeof(names));
	memcpy(f.eh_frame, eh_frame, len);
	return f;
}

static inline void made_init(struct made *m, enum unwind_machine machine, const struct file *file, const char *path)
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

static inline void made_free(struct made *m)
{
	unwinder_free(m->unwinder);
	spaces_free(&m->spaces);
	modules_free(&m->modules);
}

static inline size_t walk(struct made *m, size_t words)
{
	struct unwind_sample s = {
		.abi = PERF_SAMPLE_REGS_ABI_64,
		.regs = (const uint8_t *)m->regs,
		.regs_mask = m->machine == UNWIND_X86_64 ? 0xff01ff : 0x1ffffffff,
		.stack = (const uint8_t *)m->stack,
		.stack_len = 8 * words,
		.stack_wanted = 8 * words,
		.space = m->space,
		.time_ns = 2,
	};

	return unwind(m->unwinder, &s, m->chain, &m->end, &m->stopped);
}

/* The result of a walk, and how it ends.  wanted ends with 0. */
static inline bool gives(struct made *m, size_t words, const uint64_t *wanted, enum unwind_end end)
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

static inline void put(struct bytes *b, const void *from, size_t len)
{
	if (len)
		memcpy(b->at + b->len, from, len);
	b->len += len;
}

static inline void put_number(struct bytes *b, uint32_t number)
{
	put(b, &number, sizeof(number));
}

static inline void pad(struct bytes *b)
{
	while (b->len % 4)
		b->at[b->len++] = 0; /* DW_CFA_nop */
}

/* A common entry: "zR", with addresses of 4 bytes relative to their own place; or "zRS", for frames of signals. */
static inline void put_cie(struct bytes *b, const char *kind, uint8_t returns, uint8_t code_align, const uint8_t *begin,
			   size_t len)
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

/* An entry for the code [from, from + size), where base is the address of b. */
static inline void put_fde(struct bytes *b, uint64_t base, uint64_t from, uint32_t size, const uint8_t *program,
			   size_t len)
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

/* ---- x86-64 --------------------------------------------------------------------------- */

enum { BP = 6, X86_SP = 7, IP = 8 };

/* At 0: push %rbp at 0, mov %rsp, %rbp at 1; from 4 on, the frame is found by rbp.  At 0x200: the first function. */
static inline struct bytes x86_tables(uint64_t base, uint64_t code)
{
	static const uint8_t begin[] = { 0x0c, 7, 8, 0x90, 1 }; /* CFA = rsp + 8; ra at CFA - 8 */
	static const uint8_t frame[] = { 0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6 };
	static const uint8_t first[] = { 0x07, 16 };
	struct bytes b = { 0 };

	put_cie(&b, "zR", 16, 1, begin, sizeof(begin));
	put_fde(&b, base, code, 0x40, frame, sizeof(frame));
	put_fde(&b, base, code + 0x200, 0x40, first, sizeof(first));
	put_number(&b, 0);
	return b;
}

static inline void made_x86(struct made *m, const char *path, bool has_symbols)
{
	struct bytes tables = x86_tables(EH_FRAME_ADDRESS, ADDRESS);
	struct file file = make_file(EM_X86_64, tables.at, tables.len);

	memcpy(file.text + 0x203, "\xe8\xf8\1\0\0", 5);               /* call of 0x400; behind it is 0x208 */
	memcpy(file.text + 0x215, "\xff\xd0", 2);                     /* call *%rax; 0x217 */
	memcpy(file.text + 0x221, "\xff\x94\xc1\1\2\3\4", 7);         /* call *0x...(%rcx,%rax,8); 0x228 */
	memcpy(file.text + 0x230, "\xe8\xcb\3\0\0", 5);               /* call of 0x600; 0x235 */
	memcpy(file.text + 0x238, "\xe8\xc3\1\0\0", 5);               /* call of 0x400; 0x23d */
	memcpy(file.text + 0x240, "\xe8\xbb\2\0\0", 5);               /* call of 0x500; 0x245 */
	memcpy(file.text + 0x504, "\xe9\x17\xff\xff\xff", 5);         /* jmp to 0x420 */
	memcpy(file.text + 0x440, "\x90\xc3", 2);                     /* ret at 0x441 */
	memcpy(file.text + 0x450, "\xf3\x0f\x1e\xfa\xf2\xff\x25", 7); /* endbr64; bnd jmp *...(%rip) */
	memcpy(file.text + 0x460, "\x90\x55\x48\x89\xe5", 5);         /* nop; push %rbp; mov %rsp, %rbp */
	memcpy(file.text + 0x600, "\x90\x55\x48\x89\xe5", 5);         /* nop; push %rbp; mov %rsp, %rbp */
	file.symbols[1] =
		(Elf64_Sym){ .st_name = 1, .st_info = STT_NOTYPE, .st_shndx = 3, .st_value = ADDRESS + 0x400 };
	file.symbols[2] = (Elf64_Sym){ .st_name = 1, .st_info = STT_FUNC, .st_shndx = 3, .st_value = ADDRESS + 0x600 };
	memcpy(file.text + 0x700, "\x55\xbf\xc8\0\0\0\x48\x89\xe5", 9); /* push %rbp; mov $200, %edi; mov ... */
	file.symbols[3] = (Elf64_Sym){ .st_name = 1, .st_info = STT_FUNC, .st_shndx = 3, .st_value = ADDRESS + 0x700 };
	if (!has_symbols)
		memset(file.symbols, 0, sizeof(file.symbols));
	memcpy(file.text + 0x800, "\x48\xc7\xc0\x0f\0\0\0\x0f\5", 9); /* mov $15, %rax; syscall */
	made_init(m, UNWIND_X86_64, &file, path);
	m->regs[X86_SP] = STACK;
}

#endif
