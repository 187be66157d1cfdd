/* steps: a loop that is too long for the verifier to follow: bpf_loop(), or before Linux 5.17, bpf_for_each_map_elem(),
 * which goes over a table of that many elements.
 *
 *     static long path_step(__u64 i, struct path_walk *w)    one step; returns 1 to end the loop
 *     STEPS(path_step, struct path_walk, 100);
 *     path_steps(&walk)                                      goes at most 100 steps; returns their number */
#ifndef BPF_STEPS_BPF_H
#define BPF_STEPS_BPF_H

#include "bpf/kernel.h"

const volatile __u32 have_loop = 1; /* bpf_loop() exists */

/* bpf_choose_loop() leaves out the table if the kernel has bpf_loop(). */
#define STEPS(step, walk, most)                                                                                        \
	struct {                                                                                                       \
		__uint(type, BPF_MAP_TYPE_ARRAY);                                                                      \
		__uint(max_entries, most);                                                                             \
		__type(key, __u32);                                                                                    \
		__type(value, __u32);                                                                                  \
	} step##_table SEC(".maps");                                                                                   \
                                                                                                                       \
	static long step##_at(void *table, __u32 *i, __u32 *element, walk *w)                                          \
	{                                                                                                              \
		(void)table;                                                                                           \
		(void)element;                                                                                         \
		return step(*i, w);                                                                                    \
	}                                                                                                              \
                                                                                                                       \
	static __always_inline __u32 step##s(walk *w)                                                                  \
	{                                                                                                              \
		return have_loop ? bpf_loop(most, step, w, 0) : bpf_for_each_map_elem(&step##_table, step##_at, w, 0); \
	}                                                                                                              \
                                                                                                                       \
	_Static_assert((most) > 0, "a semicolon follows")

#endif
