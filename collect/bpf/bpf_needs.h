/* bpf_needs: what a BPF object needs from a kernel, judging by its instructions, and which of that a kernel does not
 * have.  Programs that a collector loads only if the kernel has what they attach to (SEC("?...")) do not count. */
#ifndef COLLECT_BPF_BPF_NEEDS_H
#define COLLECT_BPF_BPF_NEEDS_H

#include <stdbool.h>
#include <stddef.h>

struct btf;

/* Does the kernel with the given types lack something that the object elf[size], of a skeleton, needs?  Then text[room]
 * says so in one sentence, without a full stop, with the earliest version that has it:
 *
 *     this kernel has no bpf_loop(): Linux 5.17 or later is needed
 *
 * Kernels of distributions may have helpers that came with later versions: enum bpf_func_id decides, not the
 * version. */
bool bpf_needs_lack(const void *elf, size_t size, const struct btf *kernel, char *text, size_t room);

#endif
