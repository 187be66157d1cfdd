/* noise_program: loads and runs the BPF program of collect noise (bpf/noise.bpf.c). */
#ifndef COLLECT_NOISE_NOISE_PROGRAM_H
#define COLLECT_NOISE_NOISE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/noise.h"
#include "collect/machine/cpus.h"
#include "collect/machine/targets.h"

enum { NOISE_MISSING = 5 };

struct noise_rules {
	const struct cpus *cpus;
	const struct targets *targets; /* the threads that the CPUs are for; NULL: the one that has a CPU longest */
	bool inherit;
	bool spins;         /* noise_program_spin() says what the CPUs are for */
	uint64_t min_ns;    /* items of at least this length are passed one by one; UINT64_MAX: none */
	uint64_t urgent_ns; /* items of at least this length are passed at once */
	uint32_t ring;      /* bytes, a power of two */
};

/* What the program reports.  Sums come once a turn, and all time is in exactly one sum or record. */
struct noise_takers {
	void (*record)(const struct noise_record *r);
	void (*sum)(const struct noise_key *key, const struct noise_sum *sum);
};

/* Check rights and load the program.  missing: what this kernel does not report, in words, up to a NULL.  Returns 0, or
 * -1 after a message. */
int noise_program_load(const struct noise_rules *rules, const struct noise_takers *takers,
		       const char *missing[NOISE_MISSING]);

/* Attach the program.  command: a process that becomes a target at its exec; 0: none. */
int noise_program_start(const struct targets *targets, int command);

/* This CPU is for that thread. */
void noise_program_spin(int cpu, int tid);

/* Count from now on.  Returns 0, or -1 after a message. */
int noise_program_begin(uint64_t start_ns);

/* A descriptor that is readable when much data is pending; drain() passes all records; round(), to be quick, only a
 * part. */
int noise_program_fd(void);
void noise_program_drain(void);
void noise_program_round(void);

/* A turn is over: pass its sums. */
void noise_program_turn(void);

void noise_program_end(uint64_t end_ns);

/* Stop, and pass everything that is left or still goes on, up to end_ns. */
void noise_program_stop(uint64_t end_ns);

/* How often a program ran on a CPU: a number that grows with each event that the program sees there. */
const volatile uint64_t *noise_program_events(int cpu);

struct noise_losses {
	uint64_t missed; /* events that came while a program ran on their CPU, so that their time counts for another
			  * source */
	uint64_t unplaced_ns, unplaced; /* time of sources for which there was no room, and how often that was */
	uint64_t summed;                /* records that were summed, because the ring was full */
};

struct noise_losses noise_program_losses(void);

/* bpf_missed() */
uint64_t noise_program_missed(void);

void noise_program_free(void);

/* Why the program cannot be loaded here, as bpf_object_obstacle() says it. */
const char *noise_program_obstacle(void);
const void *noise_program_object(size_t *size);

#endif
