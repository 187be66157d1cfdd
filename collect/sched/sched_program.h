/* sched_program: loads and runs the BPF program of scheduler states (bpf/sched.h: what it shares with us). */
#ifndef COLLECT_SCHED_SCHED_PROGRAM_H
#define COLLECT_SCHED_SCHED_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/sched.h"
#include "collect/bpf/bpf.h"
#include "collect/bpf/bpf_ring.h"
#include "collect/bpf/detail.h"
#include "collect/run/collection.h"

/* Default number of threads: for the whole machine, and for targets; fewer if the kernel cannot have so many. */
#define SCHED_THREADS 65536
#define SCHED_TARGETS 16384

struct sched_settings {
	uint32_t max_threads;       /* threads followed at a time; 0: default */
	struct detail detail;       /* which intervals are sent, not summed */
	bool cost;                  /* measure what the program costs */
	const char *cgroup;         /* NULL: none */
	const struct cpus *guarded; /* report which threads come to these CPUs; NULL: none */
};

struct sched_program { /* {0}: not loaded */
	struct sched_bpf *skeleton;
	struct bpf_ring ring;
	struct sched_control *control;
	struct sched_thread *threads; /* slots [1, thread_limit] of threads; those of the CPUs' idle threads follow */
	struct sched_cpu *cpus;       /* [cpu_limit] */
	uint64_t *free_slots;         /* a ring of free slots */
	uint32_t thread_limit, cpu_limit, free_size;
	bool is_all;       /* thread_limit is enough for all possible threads */
	uint64_t epoch_ns; /* when the present epoch began */
	uint64_t memory;   /* kernel memory, in bytes */
	bool knows_cost;   /* whether the kernel measured all runs of the program */
	bool wants_flush;  /* flush now, as threads end faster than we flush */
};

/* Called for each record of the ring except SCHED_LOW; a SCHED_ENTRY is a struct sched_entry. */
typedef void sched_record_fn(void *context, const struct sched_record *record);

/* Load the program.  Returns 0, or -1 after a message. */
int sched_program_load(struct sched_program *p, const struct collection *c, const struct sched_settings *settings,
		       sched_record_fn *take, void *context);

/* Attach the program. */
int sched_program_start(struct sched_program *p, struct collection *c);

/* Begin to measure at p->epoch_ns, which is c->begin_ns if that is not too soon. */
void sched_program_begin(struct sched_program *p, const struct collection *c);

/* Wait until the begin, and look for threads that had no events so far.  Returns 0, or -1 after a message. */
int sched_program_look_first(struct sched_program *p);

/* Find out which threads of unknown state sleep.  Returns 0, or -1 after a message. */
int sched_program_scan(struct sched_program *p);

/* A descriptor that becomes readable when the ring fills. */
int sched_program_fd(const struct sched_program *p);

/* Pass on all records in the ring; sched_program_round() passes only a part of them, to be quick. */
void sched_program_drain(struct sched_program *p);
void sched_program_round(struct sched_program *p);

/* Begin a new epoch.  Returns the bank of the previous epoch, which no longer changes: read it, then clear it. */
unsigned sched_program_next_epoch(struct sched_program *p);

/* Charge the threads that wait for this CPU, up to now. */
void sched_program_look(struct sched_program *p, uint32_t cpu, const struct sched_look *look);

/* The name that a thread had when it last came to a guarded CPU.  Returns false if it never came. */
bool sched_program_name(const struct sched_program *p, uint32_t tid, uint32_t cpu, struct sched_name *last);

/* Stop measuring at end_ns, in the future. */
void sched_program_end(struct sched_program *p, uint64_t end_ns);

/* Call this after end_ns.  It stops the program, so that nothing changes any more. */
void sched_program_stop(struct sched_program *p);

/* The bank of the present epoch. */
unsigned sched_program_bank(const struct sched_program *p);

/* Free the slot of a thread that has ended and was read completely. */
void sched_program_give_back(struct sched_program *p, uint32_t slot);

/* The first slot that was never used. */
uint32_t sched_program_used(const struct sched_program *p);

/* What the program has cost so far; 0 unless settings asked for this, even if others have the kernel measure
 * programs. */
struct bpf_cost sched_program_cost(const struct sched_program *p);

/* bpf_missed() */
uint64_t sched_program_missed(const struct sched_program *p);

void sched_program_free(struct sched_program *p);

/* Why the program cannot be loaded here, as bpf_object_obstacle() says it. */
const char *sched_program_obstacle(void);
const void *sched_program_object(size_t *size);

#endif
