/* native_program: the BPF programs of collect alloc --native (bpf/native_alloc.bpf.c), loads them, and attaches
 * them to the functions by which processes allocate (collect/alloc/allocators.h). */
#ifndef COLLECT_ALLOC_NATIVE_PROGRAM_H
#define COLLECT_ALLOC_NATIVE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/machine/targets.h"
#include "collect/recording/event.h"

struct native_rules {
	uint64_t interval;             /* bytes from one sample to the next, on average */
	const struct targets *targets; /* single threads, or NULL: whole processes */
	bool inherit;
};

/* Check rights and load the programs.  Returns 0, or -1 after a message. */
int native_program_load(const struct native_rules *rules);

/* From now on, send samples to e, which the sampler has opened. targets as in the rules.  Returns 0, or -1 after a
 * message. */
int native_program_start(struct event *e, const struct targets *targets);

/* Probe those allocators of process pid that are not probed yet; call again when the process has mapped more files.
 *  Returns the number of files, -1 after a message. */
int native_program_attach(int pid);

/* Probe, for process pid, the allocators of the program that it is going to execute. */
int native_program_attach_command(int pid, const char *name);

/* Probe the allocators of process pid, in all processes that use them. */
int native_program_attach_everywhere(int pid);

/* Detach the programs. */
void native_program_stop(void);
void native_program_free(void);

#endif
