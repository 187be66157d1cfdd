/* offcpu_program: the BPF program of collect offcpu (bpf/offcpu/offcpu.bpf.c), and its table of threads. */
#ifndef COLLECT_OFFCPU_OFFCPU_PROGRAM_H
#define COLLECT_OFFCPU_OFFCPU_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/offcpu/offcpu.h"
#include "collect/spans/span_program.h"

extern struct span_program offcpu_program; /* its take() gets each struct offcpu_record */

struct offcpu_rules {
	uint64_t min_ns, max_ns; /* of a block, inclusive */
	uint32_t states;         /* 1 << enum recording_state */
	bool wakers;             /* record the stacks of wakers, too */
	bool at_return;          /* take user stacks at sys_exit, as is necessary before Linux 6.16 */
	uint32_t max_threads;
	const char *cgroup; /* its path, or NULL */
};

/* Check rights and load the program.  Returns 0, or -1 after a message. */
int offcpu_program_load(struct collection *c, const struct offcpu_rules *rules);

/* Threads that are already blocked count from now on. */
int offcpu_program_begin(void);

/* The table of threads; it changes all the time until the program is halted. */
volatile struct offcpu_slot *offcpu_program_slots(size_t *count);

/* Pass ongoing blocks to take() as OFFCPU_HELD, if the asked_ns of their slot is their since_ns.  Returns 0, or -1
 * after a message. */
int offcpu_program_look(void);

/* Number of blocks shorter than min_ns or longer than max_ns. */
uint64_t offcpu_program_left_out(void);

void offcpu_program_free(void);

#endif
