/* span_control: the rules and the control of a BPF program that measures spans of time. */
#ifndef BPF_SPAN_CONTROL_BPF_H
#define BPF_SPAN_CONTROL_BPF_H

#include "bpf/kernel.h"
#include "bpf/span_control.h"

const volatile struct span_rules rules = { .min_ns = ~0ull, .wake_at = 1 << 20, .urgent_ns = ~0ull };

struct span_control control = { .begin_ns = SPAN_NOT_YET, .end_ns = SPAN_NOT_YET };

static __always_inline bool span_cpu_wanted(__u32 cpu)
{
	return !rules.some_cpus || (cpu < SPAN_CPUS && rules.cpu_mask[cpu / 64] >> cpu % 64 & 1);
}

#endif
