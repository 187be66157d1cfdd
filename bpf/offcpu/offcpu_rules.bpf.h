/* offcpu_rules: which blocks are wanted. */
#ifndef BPF_OFFCPU_OFFCPU_RULES_BPF_H
#define BPF_OFFCPU_OFFCPU_RULES_BPF_H

#include "bpf/kernel.h"
#include "bpf/offcpu/offcpu.h"
#include "bpf/span_control.bpf.h"

const volatile __u64 max_ns;
const volatile __u32 state_mask; /* 1 << enum recording_state */

static __always_inline bool long_enough(__u64 ns)
{
	return ns >= rules.min_ns && ns <= max_ns;
}

#endif
