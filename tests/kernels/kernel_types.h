/* kernel_types: what a kernel's BTF says about the types that a BPF object was compiled with.  libbpf adapts the size
 * of reads of unsigned numbers and of pointers (its relo_core.c). */
#ifndef TESTS_KERNELS_KERNEL_TYPES_H
#define TESTS_KERNELS_KERNEL_TYPES_H

#include <bpf/btf.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>

extern struct btf *kernel; /* the kernel's types */

struct relo {
	const struct bpf_core_relo *core;
	bool holds; /* the field, type or enumerator is there */
	bool fits;  /* ... and its size */
	char why[200];
};

/* Look for the kernel's types with the name that the relocation has among our types; strings are those of our BTF.
 * is_load: libbpf can adapt the size of the instruction. */
struct relo relo_resolve(const struct btf *ours, const char *strings, const struct bpf_core_relo *core, bool is_load);

/* A type, behind const and typedef. */
const struct btf_type *type_stripped(const struct btf *btf, uint32_t id);

/* The length of a name without "___" and the text after it. */
size_t name_essential(const char *name);

/* The value of an enumerator in the kernel; -1: there is none. */
int64_t kernel_enumerator(const char *type, const char *name, int64_t number);

/* The prototype of a tracepoint; NULL: the kernel has none. */
const struct btf_type *kernel_tracepoint(const char *name);

#endif
