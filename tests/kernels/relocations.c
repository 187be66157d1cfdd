/* relocations: does a kernel have everything that a BPF object reads?  Nothing is loaded, so the kernel need not run,
 * and no rights are needed.
 *
 *   relocations [-D VARIABLE=NUMBER] BTF OBJECT ...
 *
 * BTF is the section .BTF of a kernel's image; for the running kernel, it is /sys/kernel/btf/vmlinux.  Each program is
 * followed like in the kernel's verifier, with the values that bpf_core_field_exists() and the like have on this
 * kernel, so that a read guarded by them counts only if it is reached.  -D gives the value of a "const volatile"
 * variable; other variables may have any value.  If several programs have the same tracepoint, one of them must fit,
 * since the collector chooses.  Prints a TAP line for each object; an object that needs a helper which the kernel lacks
 * is skipped, just as the collector is (collect/bpf/bpf_needs.h).
 *
 * The formats: Documentation/bpf/btf.rst, .BTF.ext; enum bpf_core_relo_kind in <linux/bpf.h>. */
#include "tests/kernels/kernel_types.h"

#include <gelf.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REGISTERS = 11, SLOTS = 128 /* of the stack, 4 bytes each */, PLACES = REGISTERS + SLOTS, SYMBOLS_MAX = 16 };

enum known { NEVER, CONSTANT, CONTEXT, ARGUMENT, VARIABLE, ANYTHING };

struct value {
	enum known known;
	uint32_t size; /* for values on the stack: the size that was stored, in bytes */
	uint64_t n;    /* the constant, the number of the argument, or the place of the variable */
};

struct state {
	bool reached, waits;
	struct value regs[PLACES];
};

struct object {
	const char *path;
	Elf *elf;
	struct btf *btf;
	const char *strings;
	const uint8_t *relos;
	size_t relos_len;
	size_t rodata;    /* the section's number */
	char lacks[128];  /* what the kernel is too old for */
	char bad[4096];   /* what is wrong */
	char tried[4096]; /* the tracepoints tried so far, each with what its best program lacks */
};

static struct {
	const char *name;
	uint64_t value;
} defined[SYMBOLS_MAX];
static int defined_count;

/* ---- programs ---- */

struct program {
	struct object *o;
	size_t section;
	const char *name;
	const struct bpf_insn *insns;
	size_t count;
	struct state *states;
	const struct btf_type *proto; /* the types of the tracepoint's arguments, after one that is not passed on; NULL:
				       * not known */
	const uint8_t *relos;         /* of its section */
	uint32_t relos_count, relo_size;
	bool is_optional;
	const char *lacks;
	int lacks_helper;
	char bad[1024];
};

static void blame(struct program *p, const char *format, ...)
{
	size_t len = strlen(p->bad);
	char text[300];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (!strstr(p->bad, text))
		snprintf(p->bad + len, sizeof(p->bad) - len, "#   %s: %s\n", p->name, text);
}

static const struct bpf_core_relo *relo_at(const struct program *p, size_t i)
{
	for (uint32_t k = 0; k < p->relos_count; k++) {
		const struct bpf_core_relo *r = (const void *)(p->relos + (size_t)k * p->relo_size);

		if (r->insn_off == i * sizeof(struct bpf_insn))
			return r;
	}
	return NULL;
}

/* Another way leads to instruction i. */
static void arrive_at(struct program *p, size_t i, const struct value regs[PLACES])
{
	struct state *s;

	if (i >= p->count)
		return;
	s = &p->states[i];
	for (int r = 0; r < PLACES; r++) {
		struct value *v = &s->regs[r];

		if (s->reached && v->known == regs[r].known && v->n == regs[r].n && v->size == regs[r].size)
			continue;
		if (s->reached && v->known == ANYTHING)
			continue;
		*v = s->reached ? (struct value){ .known = ANYTHING } : regs[r];
		s->waits = true;
	}
	s->waits |= !s->reached;
	s->reached = true;
}

static struct value compute(uint8_t op, struct value a, uint64_t b)
{
	switch (op) {
	case BPF_ADD: a.n += b; break;
	case BPF_AND: a.n &= b; break;
	case BPF_OR: a.n |= b; break;
	case BPF_XOR: a.n ^= b; break;
	case BPF_LSH: a.n <<= b & 63; break;
	case BPF_RSH: a.n >>= b & 63; break;
	default: return (struct value){ .known = ANYTHING };
	}
	return a;
}

static int is_taken(uint8_t op, uint64_t a, uint64_t b)
{
	switch (op) {
	case BPF_JEQ: return a == b;
	case BPF_JNE: return a != b;
	case BPF_JGT: return a > b;
	case BPF_JGE: return a >= b;
	case BPF_JLT: return a < b;
	case BPF_JLE: return a <= b;
	case BPF_JSET: return (a & b) != 0;
	default: return -1;
	}
}

/* The value of the variable at that place in .rodata, if -D gave it. */
static struct value variable_at(const struct program *p, uint64_t place)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr head;
	GElf_Sym symbol;

	while ((scn = elf_nextscn(p->o->elf, scn))) {
		Elf_Data *data = gelf_getshdr(scn, &head) && head.sh_type == SHT_SYMTAB ? elf_getdata(scn, NULL) : NULL;

		for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
			const char *name = elf_strptr(p->o->elf, head.sh_link, symbol.st_name);

			if (symbol.st_shndx != p->o->rodata || symbol.st_value != place || !name || !*name)
				continue;
			for (int k = 0; k < defined_count; k++) {
				if (!strcmp(defined[k].name, name))
					return (struct value){ CONSTANT, 0, defined[k].value };
			}
		}
	}
	return (struct value){ .known = ANYTHING };
}

/* Does this instruction take the address of something in .rodata? */
static bool is_of_rodata(const struct program *p, size_t i, uint64_t *place)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr head;
	GElf_Rel rel;
	GElf_Sym symbol;

	while ((scn = elf_nextscn(p->o->elf, scn))) {
		Elf_Data *data = gelf_getshdr(scn, &head) && head.sh_type == SHT_REL && head.sh_info == p->section
					 ? elf_getdata(scn, NULL)
					 : NULL;

		for (int k = 0; data && gelf_getrel(data, k, &rel); k++) {
			if (rel.r_offset != i * sizeof(struct bpf_insn) ||
			    !gelf_getsym(elf_getdata(elf_getscn(p->o->elf, head.sh_link), NULL),
					 (int)GELF_R_SYM(rel.r_info), &symbol))
				continue;
			*place = symbol.st_value + (uint64_t)(uint32_t)p->insns[i].imm;
			return symbol.st_shndx == p->o->rodata;
		}
	}
	return false;
}

static const char *argument_type(const struct program *p, uint64_t n)
{
	const struct btf_type *t = type_stripped(kernel, btf_params(p->proto)[n + 1].type);

	if (!btf_is_ptr(t))
		return "";
	t = type_stripped(kernel, t->type);
	return btf_is_composite(t) ? btf__name_by_offset(kernel, t->name_off) : "";
}

/* The place on the stack that an instruction reads or writes; 0: none. */
static int slot_at(uint8_t reg, const struct bpf_insn *in)
{
	return reg != 10 || in->off >= 0 || in->off < -4 * SLOTS || in->off & 3 ? 0 : PLACES + in->off / 4;
}

static uint32_t access_size(const struct bpf_insn *in)
{
	static const uint32_t sizes[] = { 4, 2, 1, 8 }; /* BPF_W, BPF_H, BPF_B, BPF_DW */

	return sizes[BPF_SIZE(in->code) >> 3];
}

/* The value that is loaded from the context, or from a variable. */
static struct value load(struct program *p, const struct bpf_insn *in, struct value from)
{
	uint64_t n = (uint64_t)in->off / 8;

	if (from.known == VARIABLE)
		return variable_at(p, from.n + (uint64_t)in->off);
	if (from.known != CONTEXT || !p->proto)
		return (struct value){ .known = ANYTHING };
	if (n + 1 < btf_vlen(p->proto))
		return (struct value){ ARGUMENT, 0, n };
	blame(p, "its tracepoint has %d arguments, and argument %d is read", btf_vlen(p->proto) - 1, (int)n + 1);
	return (struct value){ .known = ANYTHING };
}

/* Set the register that a relocated instruction writes; blames the program if the relocation fails. */
static struct value relocated(struct program *p, const struct bpf_core_relo *core, const struct bpf_insn *in,
			      struct value base)
{
	uint8_t class = BPF_CLASS(in->code);
	struct relo r =
		relo_resolve(p->o->btf, p->o->strings, core, class == BPF_LDX || class == BPF_ST || class == BPF_STX);
	const char *ours = btf__name_by_offset(p->o->btf, type_stripped(p->o->btf, core->type_id)->name_off);
	const char *its = base.known == ARGUMENT ? argument_type(p, base.n) : "";

	if (*its && core->kind == BPF_CORE_FIELD_BYTE_OFFSET &&
	    (strlen(its) != name_essential(ours) || strncmp(its, ours, strlen(its))))
		blame(p, "argument %d is a %s, and is read as a %.*s", (int)base.n + 1, its, (int)name_essential(ours),
		      ours);
	switch (core->kind) {
	case BPF_CORE_FIELD_EXISTS:
	case BPF_CORE_TYPE_EXISTS:
	case BPF_CORE_TYPE_MATCHES:
	case BPF_CORE_ENUMVAL_EXISTS: return (struct value){ CONSTANT, 0, r.holds };
	default: break;
	}
	if (!r.holds || !r.fits)
		blame(p, "%s", r.why);
	return (struct value){ .known = ANYTHING };
}

/* The register that instruction i, which is not a jump, writes. */
static struct value result_of(struct program *p, size_t i, const struct value regs[PLACES])
{
	const struct bpf_insn *in = &p->insns[i];
	struct value a = regs[in->dst_reg], b = regs[in->src_reg];
	const struct bpf_core_relo *core = relo_at(p, i);
	uint64_t place;

	if (core)
		return relocated(p, core, in,
				 BPF_CLASS(in->code) == BPF_LDX ? b
				 : BPF_OP(in->code) == BPF_ADD  ? a
								: (struct value){ .known = ANYTHING });
	switch (BPF_CLASS(in->code)) {
	case BPF_LD:
		if (is_of_rodata(p, i, &place))
			return (struct value){ VARIABLE, 0, place };
		return in->src_reg ? (struct value){ .known = ANYTHING }
				   : (struct value){ CONSTANT, 0, (uint32_t)in->imm };
	case BPF_LDX:
		if (slot_at(in->src_reg, in) && regs[slot_at(in->src_reg, in)].size == access_size(in))
			return regs[slot_at(in->src_reg, in)];
		return load(p, in, b);
	case BPF_ALU:
	case BPF_ALU64:
		if (BPF_SRC(in->code) == BPF_K)
			b = (struct value){ CONSTANT, 0, (uint64_t)(int64_t)in->imm };
		if (BPF_OP(in->code) == BPF_MOV)
			a = b;
		else
			a = a.known == CONSTANT && b.known == CONSTANT ? compute(BPF_OP(in->code), a, b.n)
								       : (struct value){ .known = ANYTHING };
		if (BPF_CLASS(in->code) == BPF_ALU && a.known == CONSTANT)
			a.n = (uint32_t)a.n;
		return a;
	default: return a;
	}
}

static void jump(struct program *p, size_t i, const struct value regs[PLACES])
{
	const struct bpf_insn *in = &p->insns[i];
	struct value a = regs[in->dst_reg], b = regs[in->src_reg];
	size_t to = i + 1 + (size_t)(ssize_t)in->off;
	int taken = -1;

	if (BPF_SRC(in->code) == BPF_K)
		b = (struct value){ CONSTANT, 0, (uint64_t)(int64_t)in->imm };
	if (BPF_OP(in->code) == BPF_JA)
		taken = 1;
	else if (a.known == CONSTANT && b.known == CONSTANT)
		taken = is_taken(BPF_OP(in->code), BPF_CLASS(in->code) == BPF_JMP32 ? (uint32_t)a.n : a.n,
				 BPF_CLASS(in->code) == BPF_JMP32 ? (uint32_t)b.n : b.n);
	if (taken)
		arrive_at(p, to, regs);
	if (taken != 1)
		arrive_at(p, i + 1, regs);
}

/* The first helpers of Linux versions, for example bpf_check_mtu() for 5.12. */
static void check_instruction(struct program *p, const struct bpf_insn *in)
{
	if (in->code == (BPF_JMP | BPF_CALL) && !in->src_reg && kernel_enumerator("bpf_func_id", NULL, in->imm) < 0)
		p->lacks = "helper", p->lacks_helper = in->imm;
	if (BPF_CLASS(in->code) == BPF_STX && BPF_MODE(in->code) == BPF_ATOMIC && in->imm != BPF_ADD &&
	    kernel_enumerator("bpf_func_id", "BPF_FUNC_check_mtu", 0) < 0)
		p->lacks = "atomic operations with a result", p->lacks_helper = 0;
}

static void step(struct program *p, size_t i)
{
	const struct bpf_insn *in = &p->insns[i];
	uint8_t class = BPF_CLASS(in->code);
	struct value regs[PLACES];
	int slot;

	memcpy(regs, p->states[i].regs, sizeof(regs));
	p->states[i].waits = false;
	check_instruction(p, in);
	if ((class == BPF_JMP || class == BPF_JMP32) && BPF_OP(in->code) != BPF_CALL) {
		if (BPF_OP(in->code) != BPF_EXIT)
			jump(p, i, regs);
		return;
	}
	if (class == BPF_JMP) {
		for (int r = 0; r < 6; r++)
			regs[r] = (struct value){ .known = ANYTHING };
	} else if (class != BPF_ST && class != BPF_STX) {
		regs[in->dst_reg] = result_of(p, i, regs);
		regs[in->dst_reg].size = 0;
	} else if (relo_at(p, i)) {
		relocated(p, relo_at(p, i), in, regs[in->dst_reg]);
	} else {
		slot = slot_at(in->dst_reg, in);
		if (slot) {
			regs[slot] = class == BPF_STX ? regs[in->src_reg] : (struct value){ .known = ANYTHING };
			regs[slot].size = access_size(in);
		}
	}
	arrive_at(p, i + (in->code == (BPF_LD | BPF_IMM | BPF_DW) ? 2 : 1), regs);
}

static void follow(struct program *p, size_t entry)
{
	struct value regs[PLACES];
	bool again = true;

	for (int r = 0; r < PLACES; r++)
		regs[r] = (struct value){ .known = ANYTHING };
	regs[1].known = p->proto ? CONTEXT : ANYTHING;
	arrive_at(p, entry, regs);
	while (again) {
		again = false;
		for (size_t i = 0; i < p->count; i++) {
			if (!p->states[i].waits)
				continue;
			step(p, i);
			again = true;
		}
	}
}

/* ---- objects ---- */

static void find_relos(struct program *p, const char *section)
{
	const uint8_t *at = p->o->relos, *end;
	uint32_t head[2];

	if (!at)
		return;
	end = at + p->o->relos_len;
	memcpy(&p->relo_size, at, 4);
	for (at += 4; end - at >= 8; at += head[1] * p->relo_size) {
		memcpy(head, at, 8);
		at += 8;
		if (strcmp(p->o->strings + head[0], section))
			continue;
		p->relos = at;
		p->relos_count = head[1];
	}
}

/* If a tracepoint has several programs, one of them must fit. */
static void judge(struct program *p, const char *tracepoint, bool is_last)
{
	struct object *o = p->o;
	char *at, mark[160];

	snprintf(mark, sizeof(mark), "<%s>", tracepoint);
	if (p->lacks && !p->is_optional)
		snprintf(o->lacks, sizeof(o->lacks), p->lacks_helper ? "%s %d of enum bpf_func_id" : "%s", p->lacks,
			 p->lacks_helper);
	if (p->lacks)
		return;
	at = strstr(o->tried, mark);
	if (!p->bad[0] && !at)
		strncat(o->tried, mark, sizeof(o->tried) - strlen(o->tried) - 1);
	if (p->bad[0] && !at && is_last)
		strncat(o->bad, p->bad, sizeof(o->bad) - strlen(o->bad) - 1);
}

/* How many sections there are for this tracepoint, beginning with this one. */
static bool comes_again(const struct object *o, size_t names, Elf_Scn *scn, const char *tracepoint)
{
	GElf_Shdr head;

	while ((scn = elf_nextscn(o->elf, scn))) {
		const char *name = elf_strptr(o->elf, names, gelf_getshdr(scn, &head)->sh_name);

		name += *name == '?';
		if (!strncmp(name, "tp_btf/", 7) && !strcmp(name + 7, tracepoint))
			return true;
	}
	return false;
}

/* Follow each program and function in the section. */
static void follow_functions(struct program *p)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr head;
	GElf_Sym symbol;

	while ((scn = elf_nextscn(p->o->elf, scn))) {
		Elf_Data *data = gelf_getshdr(scn, &head) && head.sh_type == SHT_SYMTAB ? elf_getdata(scn, NULL) : NULL;

		for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
			if (symbol.st_shndx == p->section && GELF_ST_TYPE(symbol.st_info) == STT_FUNC)
				follow(p, symbol.st_value / sizeof(struct bpf_insn));
		}
	}
}

static void try_section(struct object *o, size_t names, Elf_Scn *scn, const GElf_Shdr *head)
{
	const char *name = elf_strptr(o->elf, names, head->sh_name), *bare = name + (*name == '?');
	const char *tracepoint = strncmp(bare, "tp_btf/", 7) ? bare : bare + 7;
	Elf_Data *data = elf_getdata(scn, NULL);
	struct program p = {
		.o = o, .section = elf_ndxscn(scn), .name = bare, .insns = data->d_buf, .is_optional = bare != name
	};

	p.count = data->d_size / sizeof(struct bpf_insn);
	if (tracepoint != bare && !(p.proto = kernel_tracepoint(tracepoint))) {
		if (bare == name)
			snprintf(o->bad + strlen(o->bad), sizeof(o->bad) - strlen(o->bad),
				 "#   there is no tracepoint %s\n", tracepoint);
		return;
	}
	find_relos(&p, name);
	p.states = calloc(p.count + 1, sizeof(*p.states));
	follow_functions(&p);
	judge(&p, tracepoint, tracepoint == bare || !comes_again(o, names, scn, tracepoint));
	free(p.states);
}

static void find_ext(struct object *o, const uint8_t *ext)
{
	uint32_t header_len, at_and_len[2]; /* offset and length of the relocations, after magic, header_len, and two
					     * other pairs */

	memcpy(&header_len, ext + 4, 4);
	if (header_len < 32)
		return;
	memcpy(at_and_len, ext + 24, 8);
	o->relos = at_and_len[1] ? ext + header_len + at_and_len[0] : NULL;
	o->relos_len = at_and_len[1];
}

static void find_strings(struct object *o, const uint8_t *btf)
{
	uint32_t header_len, at;

	memcpy(&header_len, btf + 4, 4);
	memcpy(&at, btf + 16, 4);
	o->strings = (const char *)btf + header_len + at;
}

static int try_object(FILE *file, const char *path)
{
	struct object o = { .path = path, .elf = elf_begin(fileno(file), ELF_C_READ, NULL) };
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	Elf_Scn *scn = NULL;
	GElf_Shdr head;
	size_t names;

	o.btf = btf__parse_elf(path, NULL);
	if (!o.btf || !o.elf || elf_getshdrstrndx(o.elf, &names)) {
		printf("not ok - %s: cannot be read\n", base);
		return 1;
	}
	while ((scn = elf_nextscn(o.elf, scn))) {
		const char *name = elf_strptr(o.elf, names, gelf_getshdr(scn, &head)->sh_name);

		if (!strcmp(name, ".BTF.ext"))
			find_ext(&o, elf_getdata(scn, NULL)->d_buf);
		else if (!strcmp(name, ".BTF"))
			find_strings(&o, elf_getdata(scn, NULL)->d_buf);
		else if (!strcmp(name, ".rodata"))
			o.rodata = elf_ndxscn(scn);
	}
	while ((scn = elf_nextscn(o.elf, scn))) {
		gelf_getshdr(scn, &head);
		if (head.sh_type == SHT_PROGBITS && head.sh_flags & SHF_EXECINSTR && head.sh_size)
			try_section(&o, names, scn, &head);
	}
	if (o.lacks[0])
		printf("ok - %.*s # SKIP this kernel has no %s\n", (int)strcspn(base, "."), base, o.lacks);
	else
		printf("%s - %.*s\n%s", o.bad[0] ? "not ok" : "ok", (int)strcspn(base, "."), base, o.bad);
	btf__free(o.btf);
	elf_end(o.elf);
	return o.bad[0] && !o.lacks[0];
}

int main(int argc, char **argv)
{
	int at = 1, failed = 0;

	for (; at + 1 < argc && !strcmp(argv[at], "-D") && defined_count < SYMBOLS_MAX; at += 2) {
		char *value = strchr(argv[at + 1], '=');

		if (value)
			*value++ = '\0';
		defined[defined_count].name = argv[at + 1];
		defined[defined_count++].value = value ? strtoul(value, NULL, 0) : 1;
	}
	if (argc - at < 2) {
		fprintf(stderr, "usage: relocations [-D VARIABLE=NUMBER] BTF OBJECT ...\n");
		return 2;
	}
	elf_version(EV_CURRENT);
	kernel = btf__parse(argv[at], NULL);
	if (!kernel) {
		fprintf(stderr, "relocations: %s: no BTF\n", argv[at]);
		return 2;
	}
	for (at++; at < argc; at++) {
		FILE *file = fopen(argv[at], "r");

		failed += file ? try_object(file, argv[at]) : 1;
		if (file)
			fclose(file);
	}
	return failed != 0;
}
