/* sched_switch: which form the tracepoint has in this kernel. */
#ifndef COLLECT_BPF_SCHED_SWITCH_H
#define COLLECT_BPF_SCHED_SWITCH_H

struct btf;

/* How many arguments it gives a program: 3 (preempt, prev, next), as before Linux
 * 5.18, or 4 (..., prev_state), as since 5.19.  Returns -1 when it is neither, as in
 * some releases of 5.18, which had prev_state as the second one. */
int sched_switch_parameters(const struct btf *btf);

#endif
