/* locks_program: loads and runs the BPF program of collect locks (bpf/locks.bpf.c). */
#ifndef COLLECT_LOCKS_LOCKS_PROGRAM_H
#define COLLECT_LOCKS_LOCKS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/locks.h"
#include "collect/bpf/bpf.h"
#include "core/map.h"

struct locks_rules {
	uint64_t min_ns;    /* shorter waits are summed */
	uint64_t urgent_ns; /* longer ones are told at once */
	uint64_t watch_ns;  /* the owner is looked at when a wait has lasted so long */
	uint32_t max_threads;
	const struct targets *targets; /* NULL: everybody */
	const char *cgroup;            /* or NULL */
	bool inherit;
	bool walks;          /* copy user stacks, so that they can be walked, ... */
	uint64_t copies_max; /* ... at most so many on each CPU in each USER_COPY_NS; 0: all */
};

/* size: of the record, with its stack. */
typedef void locks_take(const struct locks_record *r, size_t size);

/* Check rights and load the program.  take() gets each wait of min_ns or longer, each sum, and who let go.
 * *has_kernel: does this kernel tell of its own locks?  Returns 0, or -1 after a message. */
int locks_program_load(const struct locks_rules *rules, locks_take *take, bool *has_kernel);

/* Start measuring. command: a process that becomes a target at its exec; 0: none. */
int locks_program_start(const struct targets *targets, int command);

/* Take note of the waits that are already going on. */
int locks_program_begin(void);

/* A descriptor that is readable when much data is pending.  locks_program_drain() passes all of the data to
 * take(); locks_program_round() passes only a part, to be quick. */
int locks_program_fd(void);
void locks_program_drain(void);
void locks_program_round(void);

/* The recording ends at end_ns. */
void locks_program_end(uint64_t end_ns);

/* Pass the waits that go on to take(), after locks_program_end(). */
int locks_program_look(void);

/* A map: the ring of LOCKS_LASTS, which only owner_watch reads. */
int locks_program_lasting(void);

/* How many threads had a slot at a time, at most; and those that have one now, by tid. */
size_t locks_program_slots(void);
void locks_program_living(struct map *living);

/* Does the wait of this record, a LOCKS_HELD or LOCKS_LASTS, still go on? */
bool locks_program_is_held(const struct locks_record *r);

/* ---- for the thread of owner_watch ---- */

/* A thread as it is now.  Returns false if it does not live any more. */
bool locks_program_look_at(uint32_t tid, struct locks_holder *h);

/* Take the stack of thread tid, when it runs, for the wait of this record, a LOCKS_LASTS: a LOCKS_MEANWHILE comes if the wait
 * still goes on then. */
void locks_program_sample(uint32_t tid, const struct locks_record *r);

/* Stop what is no longer needed of that.  Returns whether something is left. */
bool locks_program_end_samples(void);

/* ---- at the end ---- */

/* Stop.  All data has arrived then. */
void locks_program_stop(void);

/* Pass the sums that were not sent to take(), after locks_program_stop(). */
void locks_program_take_rests(void);

struct bpf_losses locks_program_losses(void);

/* Number of stacks that were followed by frame pointers because of copies_max, or because the ring was half full. */
uint64_t locks_program_uncopied(void);

/* Kernel memory in bytes. */
uint64_t locks_program_memory(void);

/* bpf_missed() */
uint64_t locks_program_missed(void);

void locks_program_free(void);

/* Why it cannot be loaded here, as bpf_object_obstacle() says it. */
const char *locks_program_obstacle(void);

#endif
