/* offcpu_rules: which blocks are wanted. */
#ifndef BPF_OFFCPU_RULES_BPF_H
#define BPF_OFFCPU_RULES_BPF_H

#include "bpf/kernel.h"
#include "bpf/offcpu.h"

const volatile __u64 min_ns, max_ns;
const volatile __u32 state_mask; /* 1 << enum recording_state */
const volatile __u32 some_cpus;  /* only blocks that end on the CPUs in: */
const volatile __u64 cpu_mask[OFFCPU_CPUS / 64] = { 0 };

static __always_inline bool long_enough(__u64 ns)
{
	return ns >= min_ns && ns <= max_ns;
}

static __always_inline bool cpu_wanted(__u32 cpu)
{
	return !some_cpus || (cpu < OFFCPU_CPUS && cpu_mask[cpu / 64] >> cpu % 64 & 1);
}

#endif
