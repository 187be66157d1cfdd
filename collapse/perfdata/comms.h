/* comms: the names of threads and the processes that they belong to, over time. */
#ifndef COLLAPSE_PERFDATA_COMMS_H
#define COLLAPSE_PERFDATA_COMMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/intern.h"
#include "core/map.h"

/* {0} is valid and empty.  Entries must be added in order of time. */
struct comms {
	struct intern names;
	struct map by_tid;           /* -> number in threads + 1 */
	struct comm_thread *threads; /* [count] */
	size_t count, cap;
};

/* From time_ns on, thread tid of process pid is called name. */
void comms_set(struct comms *c, int pid, int tid, uint64_t time_ns, const char *name, size_t len);

/* A new thread of process pid starts with the name of its parent. */
void comms_fork(struct comms *c, int pid, int tid, int parent_tid, uint64_t time_ns);

/* The name of tid at a time, as a number in c->names; ":TID" if no name is known. */
uint32_t comms_find(struct comms *c, int tid, uint64_t time_ns);

/* The last name of the thread that had the number tid at that time, so that each thread has a single name. */
uint32_t comms_last(struct comms *c, int tid, uint64_t time_ns);

/* Receives a thread that started at from_ns, and its last name.  A tid that is reused is a new thread. */
typedef void comms_sink(int pid, int tid, uint64_t from_ns, uint32_t last_name, void *argument);

/* Call sink for each thread that was named or started, with its name by comms_last(). */
void comms_each(const struct comms *c, comms_sink *sink, void *argument);

/* When the last thread with this number in process pid started; 0: before the recording, or unknown. */
uint64_t comms_begin(const struct comms *c, int pid, int tid);

/* The thread that started process pid (the last process with this number); 0: not known. */
int comms_parent(const struct comms *c, int pid);

/* Did the thread have several names, or did several threads have this tid? */
bool comms_changed(const struct comms *c, int tid);

/* Is its name known? */
bool comms_known(const struct comms *c, int tid);

/* The process that tid belongs to at a time; tid itself if no process is known. */
int comms_pid(const struct comms *c, int tid, uint64_t time_ns);

void comms_free(struct comms *c);

#endif
