/* bpf_missed: a program at page faults of the kernel that causes one itself.  When we run it, it causes a fault, for
 * which the kernel runs it again; that run causes another fault, for which it cannot run, since it is already running
 * on this CPU. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <elf.h>
#include <linux/bpf.h>
#include <stddef.h>

#include "collect/bpf/bpf.h"
#include "tests/unit/check.h"

#define SECTION_NAMES "\0license\0raw_tp/page_fault_kernel\0nested\0.strtab\0.symtab"

enum { NULL_SECTION, NAMES, CODE, LICENSE, SYMBOLS, SECTIONS };

/* As clang would compile it: read 8 bytes from address 1 to the stack. */
static const struct object {
	Elf64_Ehdr header;
	struct bpf_insn code[7];
	char license[8], names[64];
	Elf64_Sym symbols[3];
	Elf64_Shdr sections[SECTIONS];
} object = {
	.header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_REL,
		.e_machine = EM_BPF,
		.e_version = EV_CURRENT,
		.e_shoff = offsetof(struct object, sections),
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = SECTIONS,
		.e_shstrndx = NAMES,
	},
	.code = {
		{ BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_1, BPF_REG_10, 0, 0 },
		{ BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_1, 0, 0, -8 }, /* NOLINT: BPF_ADD and BPF_K are 0 */
		{ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_2, 0, 0, 8 },
		{ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_3, 0, 0, 1 },
		{ BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_probe_read_user },
		{ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0 },
		{ BPF_JMP | BPF_EXIT, 0, 0, 0, 0 },
	},
	.license = "GPL",
	.names = SECTION_NAMES,
	.symbols = {
		[1] = { .st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION), .st_shndx = CODE },
		[2] = { 34, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, CODE, 0, sizeof(object.code) },
	},
	.sections = {
		[NAMES] = { 41, SHT_STRTAB, 0, 0, offsetof(struct object, names), sizeof(object.names), 0, 0, 1, 0 },
		[CODE] = { 9, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0, offsetof(struct object, code),
			   sizeof(object.code), 0, 0, 8, 0 },
		[LICENSE] = { 1, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0, offsetof(struct object, license), 4, 0, 0, 1, 0 },
		[SYMBOLS] = { 49, SHT_SYMTAB, 0, 0, offsetof(struct object, symbols), sizeof(object.symbols), NAMES, 2, 8,
			      sizeof(Elf64_Sym) },
	},
};

int main(void)
{
	LIBBPF_OPTS(bpf_test_run_opts, how);
	struct bpf_object *o = bpf_object__open_mem(&object, sizeof(object), NULL);
	struct bpf_program *program;
	struct bpf_link *link;

	CHECK(!strcmp(object.names + 34, "nested") && !strcmp(object.names + 41, ".strtab"));
	CHECK(!strcmp(object.names + 9, "raw_tp/page_fault_kernel") && !strcmp(object.names + 49, ".symtab"));
	CHECK(o != NULL);
	if (bpf_obstacle() || bpf_object__load(o)) {
		printf("ok - bpf_missed # SKIP no program can be loaded here\n");
		return check_done();
	}
	CHECK(bpf_missed(o) == 0);
	program = bpf_object__next_program(o, NULL);
	link = bpf_program__attach(program);
	if (!link) {
		printf("ok - bpf_missed # SKIP no tracepoint exceptions:page_fault_kernel\n");
		return check_done();
	}
	CHECK(!bpf_prog_test_run_opts(bpf_program__fd(program), &how));
	CHECK(bpf_missed(o) >= 1); /* others cause page faults, too */
	bpf_link__destroy(link);
	bpf_object__close(o);
	return check_done();
}
