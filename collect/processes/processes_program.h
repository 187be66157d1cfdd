/* processes_program: loads and runs the BPF program of collect processes (bpf/processes.bpf.c). */
#ifndef COLLECT_PROCESSES_PROCESSES_PROGRAM_H
#define COLLECT_PROCESSES_PROCESSES_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/processes.h"
#include "collect/machine/targets.h"

struct processes_rules {
	const struct targets *targets; /* NULL: all processes */
	const char *cgroup;
	bool inherit;
};

/* r is valid during the call; its arguments lie within it. */
typedef void processes_take(const struct process_record *r);

/* Check rights and load the program.  take() gets what happens.  Returns 0, or -1 after a message. */
int processes_program_load(const struct processes_rules *rules, processes_take *take);

/* Attach it.  command: a process that becomes a target at its exec; 0: none. */
int processes_program_start(const struct targets *targets, int command);

/* Pass the processes that there are to take().  Returns 0, or -1 after a message. */
int processes_program_look(processes_take *take);

/* Does this kernel tell of execs that fail?  (It does not without tracefs, or CONFIG_FTRACE_SYSCALLS.) */
bool processes_program_tells_failures(void);

/* A descriptor that is readable when much data is pending; drain() passes all of it, round() a part, to be quick. */
int processes_program_fd(void);
void processes_program_drain(void);
void processes_program_round(void);

/* Stop, and pass what is left. */
void processes_program_stop(void);

/* Events that found the ring full. */
uint64_t processes_program_lost(void);

/* bpf_missed() */
uint64_t processes_program_missed(void);

void processes_program_free(void);

/* Why it cannot be loaded here, as bpf_object_obstacle() says it. */
const char *processes_program_obstacle(void);

#endif
