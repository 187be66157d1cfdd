/* sched_switch: the signature of the tracepoint in this kernel. */
#ifndef COLLECT_BPF_SCHED_SWITCH_H
#define COLLECT_BPF_SCHED_SWITCH_H

#include <stdbool.h>

struct btf;
struct bpf_program;

/* Number of arguments passed to a program: 3 (preempt, prev, next) before Linux 5.18, 4 (..., prev_state) since
 * 5.19.  Returns -1 for any other signature, as in some 5.18 releases, where prev_state was the second argument. */
int sched_switch_parameters(const struct btf *btf);

/* Of collector NAME's two programs, with and without prev_state, load the one that fits this kernel. *has_exit, if not
 * NULL: does the kernel have sched_exit_tp (Linux 6.16)?  Returns 0, or -1 after a message. */
int sched_switch_choose(const char *name, struct bpf_program *with_state, struct bpf_program *without, bool *has_exit);

#endif
