/* faults_program: the BPF program of collect faults (bpf/faults.bpf.c), its software events, and its sums. */
#ifndef COLLECT_FAULTS_FAULTS_PROGRAM_H
#define COLLECT_FAULTS_FAULTS_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/faults.h"
#include "collect/spans/span_program.h"

extern struct span_program faults_program; /* the collector sets its take(), which gets each struct fault_record */

/* Check rights and load it; threads: those that wait in a fault at a time.  Returns 0, or -1 after a message. */
int faults_program_load(const struct collection *c, uint64_t min_ns, uint32_t threads, const char *cgroup);

/* Does this kernel say for what access a fault was?  Otherwise only FAULT_EXEC and FAULT_BY_KERNEL are known.  After
 * loading. */
bool faults_program_knows_access(void);

/* Open its events on a CPU.  Returns 0, or -1 after a message. */
int faults_program_add_cpu(int cpu);

/* Stop, after the end. */
void faults_program_halt(void);

/* Pass the sums that no CPU had sent to take(), after faults_program_halt(). */
void faults_program_take_rests(void);

void faults_program_free(void);

#endif
