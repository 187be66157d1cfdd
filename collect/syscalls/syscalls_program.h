/* syscalls_program: loads and runs the BPF program of collect syscalls (bpf/syscalls.bpf.c). */
#ifndef COLLECT_SYSCALLS_SYSCALLS_PROGRAM_H
#define COLLECT_SYSCALLS_SYSCALLS_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/syscalls.h"
#include "collect/bpf/bpf.h"

struct syscalls_rules {
	uint64_t min_ns;    /* shorter ones are summed */
	uint64_t urgent_ns; /* longer ones are told at once */
	const char *call;   /* pattern of names; NULL: all */
	bool only_errors;
	uint32_t max_threads;
	const struct cpus *cpus;       /* on which calls end; NULL: all */
	const struct targets *targets; /* NULL: everybody */
	const char *cgroup;            /* or NULL */
	bool inherit;
	bool walks;          /* copy user stacks, so that they can be walked, ... */
	uint64_t copies_max; /* ... at most so many on each CPU in each USER_COPY_NS; 0: all */
};

/* Of a sum, nothing after its parts is set. */
typedef void syscalls_take(const struct call_record *r);

/* Check rights and load the program.  take() gets each call of min_ns or longer, and each sum.  Returns 0, or -1
 * after a message. */
int syscalls_program_load(const struct syscalls_rules *rules, syscalls_take *take);

/* Start measuring. command: a process that becomes a target at its exec; 0: none. */
int syscalls_program_start(const struct targets *targets, int command);

/* A descriptor that is readable when much data is pending.  syscalls_program_drain() passes all of the data to
 * take(); syscalls_program_round() passes only a part, to be quick. */
int syscalls_program_fd(void);
void syscalls_program_drain(void);
void syscalls_program_round(void);

/* Pass the sums so far to take(), and begin new ones. */
void syscalls_program_take_sums(void);

/* Have the calls that go on, and began at before_ns or earlier, sent: flag is CALL_OPEN, or CALL_HANGS, which sends each
 * once.  CALL_BEFORE, at the start, sends nothing: calls in which threads are blocked now count from the begin on.  Returns 0,
 * or -1 after a message. */
int syscalls_program_look(uint32_t flag, uint64_t before_ns);

/* The recording begins at begin_ns, in the near future: calls count from then on. */
void syscalls_program_begin(uint64_t begin_ns);

/* The recording ends at end_ns. */
void syscalls_program_end(uint64_t end_ns);

/* Stop, after end_ns.  All data has arrived then, except for sums. */
void syscalls_program_stop(void);

struct syscalls_losses {
	uint64_t calls;     /* the ring was full */
	uint64_t unpaired;  /* calls whose begin or end was not shown, or for which there was no room */
	uint64_t no_begin;  /* calls that had begun before the recording, mostly */
	uint64_t restarted; /* calls that a signal interrupted */
	uint64_t uncopied;  /* stacks by frame pointers because of copies_max, or because the ring was half full */
};

struct syscalls_losses syscalls_program_losses(void);

/* Kernel memory in bytes. */
uint64_t syscalls_program_memory(void);

/* bpf_missed() */
uint64_t syscalls_program_missed(void);

void syscalls_program_free(void);

/* Why it cannot be loaded here, as bpf_object_obstacle() says it. */
const char *syscalls_program_obstacle(void);

#endif
