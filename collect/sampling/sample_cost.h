/* sample_cost: how long the interrupt of a sample takes on this machine: 1 us on bare metal, 50 us where a hypervisor
 * is involved in each timer. */
#ifndef COLLECT_SAMPLING_SAMPLE_COST_H
#define COLLECT_SAMPLING_SAMPLE_COST_H

#include <stdint.h>

/* The interrupt's time in ns, without that for recording data, measured on ourselves for 3 ms.  If the kernel refuses
 * that, a guess. */
uint64_t sample_cost_ns(void);

#endif
