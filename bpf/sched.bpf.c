/* sched: how long each thread is in which scheduler state, and who has the CPU
 * meanwhile.  What crosses: bpf/sched.h. */
#include "bpf/targets.bpf.h"

char LICENSE[] SEC("license") = "GPL";
