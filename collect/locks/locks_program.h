/* locks_program: the BPF program of collect locks (bpf/locks/locks.bpf.c), its table of threads, and its looks at threads. */
#ifndef COLLECT_LOCKS_LOCKS_PROGRAM_H
#define COLLECT_LOCKS_LOCKS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/locks/locks.h"
#include "collect/spans/span_program.h"
#include "core/map.h"

extern struct span_program locks_program; /* the collector sets its take(), which gets each struct locks_record */

struct locks_rules {
	uint64_t min_ns;   /* shorter waits are summed */
	uint64_t watch_ns; /* look at the owner when a wait has lasted this long */
	uint32_t max_threads;
	const char *cgroup; /* or NULL */
};

/* Check rights and load the program.  *has_kernel: does this kernel report waits for its own locks?  Returns 0, or -1
 * after a message. */
int locks_program_load(struct collection *c, const struct locks_rules *rules, bool *has_kernel);

/* Attach the program. */
int locks_program_start(struct collection *c);

/* If a 32-bit program was seen, see the system calls of such programs from now on.  Returns 0, or -1 after a message. */
int locks_program_see_compat(void);

/* At the start, note the waits that are already going on; at the end, pass those that still go on to take().  Returns
 * 0, or -1 after a message. */
int locks_program_look(bool at_end);

/* A map: the ring of LOCKS_LASTS and LOCKS_COMPAT, which only owner_watch reads. */
int locks_program_lasting(void);

/* The largest number of threads that had slots at the same time; the tids of those that have one now. */
size_t locks_program_slots(void);
void locks_program_living(struct map *living);

/* Does the wait of this record, a LOCKS_HELD or LOCKS_LASTS, still go on? */
bool locks_program_is_held(const struct locks_record *r);

/* ---- for the thread of owner_watch ---- */

/* Get the present state of a thread.  Returns false if the thread has ended. */
bool locks_program_look_at(uint32_t tid, struct locks_holder *h);

/* Take the stack of thread tid as soon as it runs, for the wait of this record (a LOCKS_LASTS).  If the wait still goes
 * on then, a LOCKS_MEANWHILE comes. */
void locks_program_sample(uint32_t tid, const struct locks_record *r);

/* Stop looking at threads that are no longer of interest.  Returns whether any are left. */
bool locks_program_end_samples(void);

/* ---- at the end ---- */

/* Stop, and pass the sums that the program has not sent to take(). */
void locks_program_halt(void);

void locks_program_free(void);

#endif
