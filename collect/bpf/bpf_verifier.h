/* bpf_verifier: finds in the verifier's log why the kernel refuses a program.  The errno does not tell: kernels report
 * ENOMEM, EFAULT or E2BIG for a program that is too complex for them. */
#ifndef COLLECT_BPF_BPF_VERIFIER_H
#define COLLECT_BPF_BPF_VERIFIER_H

#include <stddef.h>

/* The line, without its newline, in which the log says that the program is too large or too complex to be checked;
 * *len: its bytes.  NULL: the log does not say so.
 *
 *     BPF program is too large. Processed 1000001 insn
 *     The sequence of 8193 jumps is too complex.
 *
 * (kernel/bpf/verifier.c) */
const char *verifier_too_complex(const char *log, size_t *len);

#endif
