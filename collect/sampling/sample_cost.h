/* sample_cost: what the interrupt of a sample takes here: 1 us on bare metal, 50 where a hypervisor has a part in each
 * timer. */
#ifndef COLLECT_SAMPLING_SAMPLE_COST_H
#define COLLECT_SAMPLING_SAMPLE_COST_H

#include <stdint.h>

/* In ns, without what is recorded: measured on ourselves, for 3 ms.  A guess where that is refused. */
uint64_t sample_cost_ns(void);

#endif
