/* synthesize_kernel: records for the kernel, its modules, and the CPUs. */
#ifndef COLLECT_RECORDING_SYNTHESIZE_KERNEL_H
#define COLLECT_RECORDING_SYNTHESIZE_KERNEL_H

#include "collect/machine/cpus.h"
#include "collect/recording/synthesis.h"

/* Add the kernel's text and its modules. */
void synthesize_kernel(struct synthesis *s);

/* Add the recorded CPUs, as perf writes them. */
void synthesize_cpus(struct synthesis *s, const struct cpus *cpus);

#endif
