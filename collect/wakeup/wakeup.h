/* wakeup: collect wakeup: how long threads wait for a CPU after being woken or preempted, who woke them, and who
 * had the CPU. */
#ifndef COLLECT_WAKEUP_WAKEUP_H
#define COLLECT_WAKEUP_WAKEUP_H

#include "collect/run/source.h"

extern const struct source wakeup_source;

#endif
