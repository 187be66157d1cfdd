/* chain: programs of several collectors at one tracepoint.  The first one is attached, and each calls the next one, which
 * costs less than half of what it costs the kernel to start another program; and the clock is read once.
 *
 * Events that the kernel does not show to the first one, since it was running already, are missed by all, and counted as its.
 *
 * A program begins with chain_now(), if it needs the time, and ends with chain_switch_end() or chain_waking_end().  The
 * collectors link the programs: collect/bpf/bpf_chain.h. */
#ifndef BPF_CHAIN_BPF_H
#define BPF_CHAIN_BPF_H

#include "bpf/kernel.h"

enum chain_point { CHAIN_SWITCH, CHAIN_WAKING, CHAIN_POINTS };

/* The time of the event, by tracepoint; 0: no program has read the clock yet.  Collectors share this map. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, CHAIN_POINTS);
	__type(key, __u32);
	__type(value, __u64);
} chain_clock SEC(".maps");

/* The next program; all that such a map has ever held are of one tracepoint. */
struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} chain_switch SEC(".maps"), chain_waking SEC(".maps");

static __always_inline __u64 chain_now(__u32 point)
{
	__u64 *now = bpf_map_lookup_elem(&chain_clock, &point);

	if (!now)
		return bpf_ktime_get_ns();
	if (!*now)
		*now = bpf_ktime_get_ns();
	return *now;
}

static __always_inline void chain_forget(__u32 point)
{
	__u64 *now = bpf_map_lookup_elem(&chain_clock, &point);

	if (now)
		*now = 0;
}

/* Call the next program, which does not return here; the last one has none to call. */
static __always_inline int chain_switch_end(void *context)
{
	bpf_tail_call(context, &chain_switch, 0);
	chain_forget(CHAIN_SWITCH);
	return 0;
}

static __always_inline int chain_waking_end(void *context)
{
	bpf_tail_call(context, &chain_waking, 0);
	chain_forget(CHAIN_WAKING);
	return 0;
}

#endif
