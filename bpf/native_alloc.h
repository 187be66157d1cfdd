/* native_alloc: sampling by bytes, and the records of the BPF program.
 *
 * Every allocated byte is chosen with the same small probability, 1 / interval, and an allocation is
 * sampled when one of its bytes is chosen.  So the number of bytes between samples is distributed
 * exponentially, and an allocation of n bytes is sampled with probability 1 - exp(-n / interval).  As this is
 * memoryless, each CPU can count separately, whatever threads run there. */
#ifndef BPF_NATIVE_ALLOC_H
#define BPF_NATIVE_ALLOC_H

#include <linux/types.h>

/* Table of log2(1 + i / STEPS), in units of 1 / ONE. */
enum { NATIVE_ALLOC_STEPS = 64, NATIVE_ALLOC_SHIFT = 24 };

#define NATIVE_ALLOC_ONE (1u << NATIVE_ALLOC_SHIFT)

struct native_alloc_draw {
	__u64 scale; /* interval * ln 2 */
	__u32 log2_of[NATIVE_ALLOC_STEPS + 1];
};

struct native_alloc_sample {
	__u64 bytes; /* bytes requested */
};

/* A random number of bytes until the next sample, from 32 random bits: -ln(u) * interval, u in (0, 1]. */
static inline __attribute__((always_inline)) __u64 native_alloc_distance(const volatile struct native_alloc_draw *draw,
									 __u32 random)
{
	__u64 u = (__u64)random + 1, fraction;
	__u32 log2, step, rest, low, high;
	int top = 32;

	for (int i = 0; i < 32 && !(u >> 32); i++) {
		u <<= 1;
		top--;
	}
	fraction = u - (1ull << 32); /* a fraction of 2^32 */
	step = (fraction >> 26) & (NATIVE_ALLOC_STEPS - 1);
	rest = fraction & ((1u << 26) - 1);
	low = draw->log2_of[step];
	high = draw->log2_of[step + 1];
	log2 = ((__u32)top << NATIVE_ALLOC_SHIFT) + low + (__u32)(((__u64)(high - low) * rest) >> 26);
	return (draw->scale * ((32u << NATIVE_ALLOC_SHIFT) - log2)) >> NATIVE_ALLOC_SHIFT;
}

#endif
