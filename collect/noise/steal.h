/* steal: what a hypervisor took from a CPU, as the kernel has it from there: in steps of a clock tick, some ms. */
#ifndef COLLECT_NOISE_STEAL_H
#define COLLECT_NOISE_STEAL_H

#include <stdint.h>

/* In ns since the start of the machine; 0 if the kernel does not know. */
uint64_t steal_ns(int cpu);

#endif
