/* sched_switch: the signature of the tracepoint in this kernel. */
#ifndef COLLECT_BPF_SCHED_SWITCH_H
#define COLLECT_BPF_SCHED_SWITCH_H

struct btf;

/* Number of arguments passed to a program: 3 (preempt, prev, next) before Linux 5.18, 4 (..., prev_state) since
 * 5.19.  Returns -1 if it is neither, as in some 5.18 releases, where prev_state was the second one. */
int sched_switch_parameters(const struct btf *btf);

#endif
