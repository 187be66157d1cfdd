/* runtime_names: the names that a runtime gives its threads, if they are known.  A JVM's threads have
 * names of any length, but the kernel keeps at most 15 bytes of them.  The whole names come from the recording
 * (RECORDING_THREADS) and from thread dumps (collapse/perfdata/thread_dump.h).  Other threads go by their kernel
 * names. */
#ifndef COLLAPSE_PERFDATA_RUNTIME_NAMES_H
#define COLLAPSE_PERFDATA_RUNTIME_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/comms.h"
#include "collapse/perfdata/perfdata.h"
#include "core/intern.h"
#include "core/regexp.h"

/* {0} is valid and empty.  Names are numbers in the names of the comms passed in. */
struct runtime_names {
	struct intern keys;         /* (pid, tid) */
	struct runtime_name *items; /* by key */
	size_t cap;
	struct regexp *wanted; /* pattern of --threads, owned; NULL: all threads */
	uint8_t *matches;      /* by name: 0: not tried yet, 1: no match, 2: match */
	size_t match_cap;
};

/* Name the last thread that had this number in process pid, from its start on.  An empty name is
 * ignored. */
void runtime_names_set(struct runtime_names *t, struct comms *c, int pid, int tid, const char *name, size_t len);

/* The name that was set last, as a number in the names of the comms; UINT32_MAX: none was set. */
uint32_t runtime_names_given(const struct runtime_names *t, int pid, int tid);

/* Read the names in a recording. */
void runtime_names_read(struct runtime_names *t, struct comms *c, const struct perfdata *d);

/* The name of a thread: its runtime's name for it, or else its comm at a time. */
uint32_t thread_name_at(const struct runtime_names *t, struct comms *c, int pid, int tid, uint64_t time_ns);

/* A thread's comm at a time; or the runtime's name, if the comm is only the beginning of that, or the name of the
 * process. */
uint32_t thread_comm_at(const struct runtime_names *t, struct comms *c, int pid, int tid, uint64_t time_ns);

/* Like thread_name_at(), but with the thread's last comm, so that each thread has one name. */
uint32_t thread_name_last(const struct runtime_names *t, struct comms *c, int pid, int tid, uint64_t time_ns);

/* Does the thread's name match --threads? */
bool thread_is_wanted(struct runtime_names *t, struct comms *c, int pid, int tid, uint64_t time_ns);

/* Call sink for each thread of c, and for threads that are only in t, with the name from thread_name_last(). */
void runtime_names_each(const struct runtime_names *t, struct comms *c, comms_sink *sink, void *argument);

void runtime_names_free(struct runtime_names *t);

#endif
