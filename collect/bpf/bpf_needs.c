#include "collect/bpf/bpf_needs.h"

#include <bpf/btf.h>
#include <gelf.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define NAMED(name) [BPF_FUNC_##name] = "bpf_" #name

static const char *const helper_names[__BPF_FUNC_MAX_ID] = { __BPF_FUNC_MAPPER(NAMED) };

/* The last helper that was added in a version (include/uapi/linux/bpf.h). */
static const struct {
	uint32_t last;
	const char *version;
} versions[] = { { 155, "5.10" }, { 162, "5.11" }, { 163, "5.12" }, { 165, "5.13" }, { 168, "5.14" },
		 { 175, "5.15" }, { 179, "5.16" }, { 185, "5.17" }, { 193, "5.18" }, { 203, "5.19" },
		 { 207, "6.0" },  { 209, "6.1" },  { 211, "6.2" } };

struct lacking {
	const struct btf *kernel;       /* NULL: Linux 5.10, with all tracepoints */
	const struct btf_type *helpers; /* enum bpf_func_id; NULL: not in the kernel's types */
	uint32_t helper;                /* the newest helper that it lacks; 0: none */
	bool atomics;
	bool type; /* of programs that user space calls */
	char tracepoint[80];
};

/* These programs were added in Linux 5.14, together with bpf_sys_bpf(), which only they may call. */
static bool bpf_needs_is_called(const char *section)
{
	return !strcmp(section, "syscall");
}

static bool has_helper(const struct lacking *l, uint32_t id)
{
	if (!l->kernel)
		return id <= versions[0].last;
	for (int i = 0; l->helpers && i < btf_vlen(l->helpers); i++) {
		if ((uint32_t)btf_enum(l->helpers)[i].val == id)
			return true;
	}
	return !l->helpers;
}

/* Programs can do without these helpers: they test by a constant whether each exists (bpf_has_registers(), ...). */
static bool bpf_needs_is_optional(uint32_t helper)
{
	return helper == BPF_FUNC_task_pt_regs || helper == BPF_FUNC_loop || helper == BPF_FUNC_find_vma;
}

/* Atomic operations that return a value were added in Linux 5.12, together with bpf_check_mtu(). */
static void look_at_instruction(struct lacking *l, const struct bpf_insn *in)
{
	uint32_t id = (uint32_t)in->imm;

	if (in->code == (BPF_JMP | BPF_CALL) && !in->src_reg && id > l->helper && !bpf_needs_is_optional(id) &&
	    !has_helper(l, id))
		l->helper = id;
	if (in->code == (BPF_STX | BPF_ATOMIC | BPF_DW) || in->code == (BPF_STX | BPF_ATOMIC | BPF_W))
		l->atomics |= in->imm != BPF_ADD && !has_helper(l, BPF_FUNC_check_mtu);
}

static void look_at_section(struct lacking *l, const char *name, const Elf_Data *data)
{
	const struct bpf_insn *in = data->d_buf, *end = in + data->d_size / sizeof(*in);
	char type[sizeof(l->tracepoint) + 16];

	if (*name == '?')
		return;
	for (; in < end; in += in->code == (BPF_LD | BPF_IMM | BPF_DW) ? 2 : 1)
		look_at_instruction(l, in);
	l->type |= bpf_needs_is_called(name) && !has_helper(l, BPF_FUNC_sys_bpf);
	if (!l->kernel || strncmp(name, "tp_btf/", 7))
		return;
	snprintf(type, sizeof(type), "btf_trace_%s", name + 7);
	if (btf__find_by_name_kind(l->kernel, type, BTF_KIND_TYPEDEF) < 0)
		snprintf(l->tracepoint, sizeof(l->tracepoint), "%s", name + 7);
}

static void look_at_object(struct lacking *l, Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr head;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *data = gelf_getshdr(scn, &head) ? elf_getdata(scn, NULL) : NULL;

		if (data && data->d_buf && head.sh_type == SHT_PROGBITS && head.sh_flags & SHF_EXECINSTR)
			look_at_section(l, elf_strptr(elf, names, head.sh_name), data);
	}
}

/* The last helper of the features other than helpers that the kernel lacks. */
static uint32_t other_features(const struct lacking *l)
{
	return l->type ? BPF_FUNC_sys_bpf : l->atomics ? BPF_FUNC_check_mtu : 0;
}

static const char *bpf_needs_version(uint32_t helper)
{
	size_t i = 0;

	while (i + 1 < sizeof(versions) / sizeof(*versions) && helper > versions[i].last)
		i++;
	return versions[i].version;
}

/* Of the features that the kernel lacks, report the newest. */
static void bpf_needs_say(const struct lacking *l, char *text, size_t room)
{
	if (l->helper > other_features(l))
		snprintf(text, room, "this kernel has no %s(): Linux %s or later is needed",
			 l->helper < __BPF_FUNC_MAX_ID ? helper_names[l->helper] : "helper of BPF",
			 bpf_needs_version(l->helper));
	else if (l->type)
		snprintf(text, room,
			 "this kernel has no programs of BPF that user space calls: Linux 5.14 or later is needed");
	else if (l->atomics)
		snprintf(text, room,
			 "BPF in this kernel has no atomic operations that return a value: Linux 5.12 or later is "
			 "needed");
	else if (l->tracepoint[0])
		snprintf(text, room, "this kernel has no tracepoint %s", l->tracepoint);
}

static void look_at_bytes(struct lacking *l, const void *elf, size_t size)
{
	Elf *object;

	elf_version(EV_CURRENT);
	object = elf_memory((char *)(uintptr_t)elf, size); /* which it does not change */
	if (object)
		look_at_object(l, object);
	elf_end(object);
}

const char *bpf_needs_least(const void *elf, size_t size)
{
	struct lacking l = { 0 };

	look_at_bytes(&l, elf, size);
	return bpf_needs_version(l.helper > other_features(&l) ? l.helper : other_features(&l));
}

bool bpf_needs_lack(const void *elf, size_t size, const struct btf *kernel, char *text, size_t room)
{
	int id = btf__find_by_name_kind(kernel, "bpf_func_id", BTF_KIND_ENUM);
	struct lacking l = { .kernel = kernel, .helpers = id < 0 ? NULL : btf__type_by_id(kernel, (uint32_t)id) };

	look_at_bytes(&l, elf, size);
	bpf_needs_say(&l, text, room);
	return l.helper || l.type || l.atomics || l.tracepoint[0];
}
