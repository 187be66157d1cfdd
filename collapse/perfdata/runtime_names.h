/* runtime_names: what threads are called by their runtime, where it is known: a JVM's threads have
 * names of any length, of which the kernel has 15 bytes at most.  From the recording (RECORDING_THREADS), and
 * from thread dumps (collapse/perfdata/thread_dump.h).  Other threads are called as the kernel calls them. */
#ifndef COLLAPSE_PERFDATA_RUNTIME_NAMES_H
#define COLLAPSE_PERFDATA_RUNTIME_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/comms.h"
#include "collapse/perfdata/perfdata.h"
#include "core/intern.h"
#include "core/regexp.h"

/* {0} is valid and empty.  Names are numbers in the names of the comms that are given. */
struct runtime_names {
	struct intern keys;         /* (pid, tid) */
	struct runtime_name *items; /* by key */
	size_t cap;
	struct regexp *wanted; /* of --threads; NULL: all are.  Owned */
	uint8_t *matches;      /* by name: 0: not looked at, 1: no, 2: yes */
	size_t match_cap;
};

/* The thread that had the number last in process pid is called so, from its beginning on.  An
 * empty name is none. */
void runtime_names_set(struct runtime_names *t, struct comms *c, int pid, int tid, const char *name, size_t len);

/* Its number in the names of the comms, as it was set last; UINT32_MAX: it was not. */
uint32_t runtime_names_given(const struct runtime_names *t, int pid, int tid);

/* Those of a recording. */
void runtime_names_read(struct runtime_names *t, struct comms *c, const struct perfdata *d);

/* The name of a thread: as its runtime has it; else its comm at a time. */
uint32_t thread_name_at(const struct runtime_names *t, struct comms *c, int pid, int tid, uint64_t time_ns);

/* Its comm at a time; whole, where it is what the kernel has of the runtime's name. */
uint32_t thread_comm_at(const struct runtime_names *t, struct comms *c, int pid, int tid, uint64_t time_ns);

/* As thread_name_at(), but its last comm: one thread has one name. */
uint32_t thread_name_last(const struct runtime_names *t, struct comms *c, int pid, int tid, uint64_t time_ns);

/* Is the thread's name one of those that are wanted? */
bool thread_is_wanted(struct runtime_names *t, struct comms *c, int pid, int tid, uint64_t time_ns);

/* Give sink each thread of c, and those that only t knows, with its name as thread_name_last() has it. */
void runtime_names_each(const struct runtime_names *t, struct comms *c, comms_sink *sink, void *argument);

void runtime_names_free(struct runtime_names *t);

#endif
