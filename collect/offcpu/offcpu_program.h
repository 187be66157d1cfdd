/* offcpu_program: loads and runs the BPF program of collect offcpu (bpf/offcpu.bpf.c). */
#ifndef COLLECT_OFFCPU_OFFCPU_PROGRAM_H
#define COLLECT_OFFCPU_OFFCPU_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/offcpu.h"
#include "collect/bpf/bpf.h"

struct offcpu_rules {
	uint64_t min_ns, max_ns; /* of a block, inclusive */
	uint64_t urgent_ns;      /* longer ones are told at once */
	uint32_t states;         /* 1 << enum recording_state */
	bool wakers;             /* record the stacks of wakers, too */
	bool at_return;          /* take user stacks at sys_exit, as Linux before 6.16 must */
	uint32_t max_threads;
	uint32_t ring_most;            /* bytes of its ring; 0: as many as suit */
	const struct cpus *cpus;       /* only blocks that end on these CPUs; NULL: on any */
	const struct targets *targets; /* NULL: everybody */
	const char *cgroup;            /* its path, or NULL */
	bool inherit;
	bool walks;          /* copy user stacks, so that they can be walked, ... */
	uint64_t copies_max; /* ... at most so many on each CPU in each USER_COPY_NS; 0: all */
};

typedef void offcpu_take(const struct offcpu_record *r);

/* Check rights and load the program.  take() gets each record: see offcpu_program_drain().  Returns 0, or -1 after
 * a message. */
int offcpu_program_load(const struct offcpu_rules *rules, offcpu_take *take);

/* Start measuring. command: a process that becomes a target at its exec; 0: none. */
int offcpu_program_start(const struct targets *targets, int command);

/* Threads that are already blocked count from now on. */
int offcpu_program_begin(void);

/* A descriptor that is readable when much data is pending.  offcpu_program_drain() passes all of the data to
 * take(); offcpu_program_round() passes only a part, to be quick. */
int offcpu_program_fd(void);
void offcpu_program_drain(void);
void offcpu_program_round(void);

/* The table of threads; it changes all the time until the program is stopped. */
volatile struct offcpu_slot *offcpu_program_slots(size_t *count);

/* Pass ongoing blocks to take(), as OFFCPU_HELD: those whose slots have asked_ns set to their since_ns.  Returns 0,
 * or -1 after a message. */
int offcpu_program_look(void);

/* The recording ends at end_ns: blocks not over by then are OFFCPU_HELD. */
void offcpu_program_end(uint64_t end_ns);

/* Stop the program; when this returns, all data has arrived. */
void offcpu_program_stop(void);

struct bpf_losses offcpu_program_losses(void);

/* Number of blocks shorter than min_ns or longer than max_ns. */
uint64_t offcpu_program_left_out(void);

/* Number of stacks followed by frame pointers because of copies_max, or because the ring was half full. */
uint64_t offcpu_program_uncopied(void);

/* Kernel memory in bytes. */
uint64_t offcpu_program_memory(void);

/* bpf_missed() */
uint64_t offcpu_program_missed(void);

void offcpu_program_free(void);

/* Why it cannot be loaded here, as bpf_object_obstacle() says it. */
const char *offcpu_program_obstacle(void);

#endif
