/* bpf_needs: finds out, from the instructions of a BPF object, which features it needs that a kernel lacks. Programs
 * that are loaded only where the kernel has what they attach to (SEC("?...")) do not count. */
#ifndef COLLECT_BPF_BPF_NEEDS_H
#define COLLECT_BPF_BPF_NEEDS_H

#include <stdbool.h>
#include <stddef.h>

struct btf;

/* Does the kernel with these types lack something that a skeleton's object elf[size] needs?  If so, text[room] gets a
 * sentence without a full stop that names it, and the first version with it:
 *
 *     this kernel has no bpf_loop(): Linux 5.17 or later is needed
 *
 * Kernels of distributions may have helpers of later versions, so enum bpf_func_id decides, rather than the version. */
bool bpf_needs_lack(const void *elf, size_t size, const struct btf *kernel, char *text, size_t room);

/* The first version of Linux that has all features which the object needs: "5.12"; at least "5.10", the first one that
 * any of our programs was written for. */
const char *bpf_needs_least(const void *elf, size_t size);

#endif
