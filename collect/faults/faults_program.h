/* faults_program: loads and runs the BPF program of collect faults (bpf/faults.bpf.c). */
#ifndef COLLECT_FAULTS_FAULTS_PROGRAM_H
#define COLLECT_FAULTS_FAULTS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/faults.h"
#include "collect/bpf/bpf.h"

struct faults_rules {
	uint64_t min_ns;    /* shorter ones are summed */
	uint64_t urgent_ns; /* longer ones are told at once */
	uint32_t max_threads;
	const struct cpus *cpus;       /* on which faults end */
	const struct targets *targets; /* NULL: everybody */
	const char *cgroup;            /* or NULL */
	bool inherit;
	bool walks;          /* copy user stacks, so that they can be walked, ... */
	uint64_t copies_max; /* ... at most so many on each CPU in each USER_COPY_NS; 0: all */
};

/* size: of the record, with its stack. */
typedef void faults_take(const struct fault_record *r, size_t size);

enum { FAULTS_MISSING = 5 };

/* Check rights and load the program.  take() gets each fault of min_ns or longer, and each sum.  missing: words for
 * what this kernel cannot tell, "the lock of mappings"; valid for ever, NULL after the last.  Returns 0, or -1
 * after a message. */
int faults_program_load(const struct faults_rules *rules, faults_take *take, const char *missing[FAULTS_MISSING]);

/* Does this kernel say for what access a fault was?  Otherwise only FAULT_EXEC and FAULT_BY_KERNEL are known.  After
 * loading. */
bool faults_program_knows_access(void);

/* Start measuring. command: a process that becomes a target at its exec; 0: none. */
int faults_program_start(const struct targets *targets, int command);

/* Measure on a CPU that came back, too.  Returns 0, or -1 after a message. */
int faults_program_add_cpu(int cpu);

/* A descriptor that is readable when much data is pending.  faults_program_drain() passes all of the data to
 * take(); faults_program_round() passes only a part, to be quick. */
int faults_program_fd(void);
void faults_program_drain(void);
void faults_program_round(void);

/* The recording begins at begin_ns, in the near future: faults count from then on. */
void faults_program_begin(uint64_t begin_ns);

/* The recording ends at end_ns. */
void faults_program_end(uint64_t end_ns);

/* Stop, after end_ns.  All data has arrived then. */
void faults_program_stop(void);

/* Pass the sums that no CPU had sent to take(), after faults_program_stop(). */
void faults_program_take_rests(void);

struct faults_losses {
	uint64_t faults;   /* the ring was full */
	uint64_t unpaired; /* faults that ended by a signal, mostly: without a duration */
};

struct faults_losses faults_program_losses(void);

/* Number of stacks that were followed by frame pointers because of copies_max, or because the ring was half full. */
uint64_t faults_program_uncopied(void);

/* Kernel memory in bytes. */
uint64_t faults_program_memory(void);

/* bpf_missed() */
uint64_t faults_program_missed(void);

void faults_program_free(void);

/* Why it cannot be loaded here, as bpf_object_obstacle() says it. */
const char *faults_program_obstacle(void);

#endif
