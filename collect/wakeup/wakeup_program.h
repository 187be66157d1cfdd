/* wakeup_program: the BPF program of collect wakeup (bpf/wakeup.bpf.c), and its table of threads. */
#ifndef COLLECT_WAKEUP_WAKEUP_PROGRAM_H
#define COLLECT_WAKEUP_WAKEUP_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "bpf/wakeup.h"
#include "collect/spans/span_program.h"

extern struct span_program wakeup_program; /* the collector sets its take(), which gets each wait that is over */

/* Check rights and load it.  Returns 0, or -1 after a message. */
int wakeup_program_load(const struct collection *c, uint64_t min_ns, uint32_t threads, const char *cgroup);

/* After the program was halted, it shows which threads still wait: [*count]. */
const struct wakeup_slot *wakeup_program_slots(size_t *count);

void wakeup_program_free(void);

#endif
