/* offcpu_program: the BPF program of collect offcpu (bpf/offcpu.bpf.c), loaded. */
#ifndef COLLECT_OFFCPU_OFFCPU_PROGRAM_H
#define COLLECT_OFFCPU_OFFCPU_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/offcpu.h"
#include "collect/machine/cpus.h"
#include "collect/machine/targets.h"

struct offcpu_rules {
	uint64_t min_ns, max_ns;       /* of a block, both included */
	uint32_t states;               /* 1 << enum recording_state */
	bool wakers;                   /* stacks of them, too */
	bool at_return;                /* user stacks at sys_exit, as Linux before 6.16 has to */
	uint32_t max_threads;
	const struct cpus *cpus;       /* where a block ends; NULL: anywhere */
	const struct targets *targets; /* NULL: everybody */
	const char *cgroup;            /* or NULL */
	bool inherit;
	bool walk_all;                 /* copy all user stacks, to be walked; or */
	const struct pids *walked;     /* only those of these processes; NULL: none */
};

struct offcpu_losses {
	uint64_t records;              /* the ring was full */
	uint64_t threads, switches;    /* the table of threads was full */
};

typedef void offcpu_take(const struct offcpu_record *r);

/* Check rights and load.  take is given each record, see offcpu_program_drain().
 * Returns 0, or -1 after a message. */
int offcpu_program_load(const struct offcpu_rules *rules, offcpu_take *take);

/* From here on it measures.  command: the process that is a target, too, from its exec
 * on; 0: none. */
int offcpu_program_start(const struct targets *targets, int command);

/* Those who are blocked already are since now. */
int offcpu_program_begin(void);

/* Readable when much has come; what came is given to take by offcpu_program_drain(),
 * or a part of it, so that it does not take long, by offcpu_program_round(). */
int offcpu_program_fd(void);
void offcpu_program_drain(void);
void offcpu_program_round(void);

/* The table of threads; it changes all the time until the program is stopped. */
volatile struct offcpu_slot *offcpu_program_slots(size_t *count);

/* Blocks go on whose slots' asked_ns was set to their since_ns: give them, OFFCPU_HELD,
 * to take.  Returns 0, or -1 after a message. */
int offcpu_program_look(void);

/* The recording ends at end_ns: blocks that go on after it are OFFCPU_HELD. */
void offcpu_program_end(uint64_t end_ns);

/* Stop; everything has come then. */
void offcpu_program_stop(void);

struct offcpu_losses offcpu_program_losses(void);

/* Blocks that were shorter than min_ns, or longer than max_ns. */
uint64_t offcpu_program_left_out(void);

/* Bytes of kernel memory. */
uint64_t offcpu_program_memory(void);

void offcpu_program_free(void);

#endif
