/* wakeup_program: loads and runs the BPF program of collect wakeup (bpf/wakeup.bpf.c). */
#ifndef COLLECT_WAKEUP_WAKEUP_PROGRAM_H
#define COLLECT_WAKEUP_WAKEUP_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/wakeup.h"
#include "collect/bpf/bpf.h"

struct wakeup_rules {
	uint64_t min_ns;
	uint64_t urgent_ns; /* longer ones are told at once */
	uint32_t max_threads;
	const struct cpus *cpus;       /* only waits that end on these CPUs; NULL: on any */
	const struct targets *targets; /* NULL: everybody */
	const char *cgroup;            /* or NULL */
	bool inherit;
	bool walks;          /* copy the user stacks of wakers, so that they can be walked, ... */
	uint64_t copies_max; /* ... at most so many on each CPU in each USER_COPY_NS; 0: all */
};

typedef void wakeup_take(const struct wakeup_record *r, const uint64_t *stack);

/* Check rights and load the program.  take() gets each completed wait.  Returns 0, or -1 after a message. */
int wakeup_program_load(const struct wakeup_rules *rules, wakeup_take *take);

/* Start measuring. command: a process that becomes a target at its exec; 0: none. */
int wakeup_program_start(const struct targets *targets, int command);

/* A descriptor that is readable when much data is pending.  wakeup_program_drain() passes all of the data to
 * take(); wakeup_program_round() passes only a part, to be quick. */
int wakeup_program_fd(void);
void wakeup_program_drain(void);
void wakeup_program_round(void);

/* The recording begins at begin_ns: waits count from then on. */
void wakeup_program_begin(uint64_t begin_ns);

/* The recording ends at end_ns. */
void wakeup_program_end(uint64_t end_ns);

/* Stop, after end_ns.  All data has arrived then, and the table of threads shows which threads still wait. */
void wakeup_program_stop(void);
const struct wakeup_slot *wakeup_program_slots(size_t *count);

struct bpf_losses wakeup_program_losses(void);

/* Number of waits with a stack that was followed by frame pointers because of copies_max, because the ring was half full,
 * or because too many other threads waited. */
uint64_t wakeup_program_uncopied(void);

/* Kernel memory in bytes. */
uint64_t wakeup_program_memory(void);

/* bpf_missed() */
uint64_t wakeup_program_missed(void);

void wakeup_program_free(void);

/* Why it cannot be loaded here, as bpf_object_obstacle() says it. */
const char *wakeup_program_obstacle(void);

#endif
