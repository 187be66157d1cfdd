/* thread_names: what the threads of a recording are called, whole: those of JVMs by what the
 * JVM calls them (collect/jvm/threads.h, collect/java/thread_probe.h).
 *
 * JVMs are found by their mappings, as these come into the recording.  Their threads are read
 * then, once a second, and soon after a thread has started or was renamed; threads that lived shorter are
 * told of by a probe, where we may have one.  The last name that a thread had stays. */
#ifndef COLLECT_JAVA_THREAD_NAMES_H
#define COLLECT_JAVA_THREAD_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/java/thread_probe.h"
#include "collect/recording/new_records.h"
#include "core/map.h"
#include "core/str.h"

/* One of a thread, as it was seen last. */
struct thread_name {
	int pid, tid;         /* tid 0: an empty slot */
	char *name;           /* the JVM's; NULL: it has none */
	bool unread;          /* it has one, which could not be read */
	bool is_decided, is_kept; /* for thread_filter.h, which may change it */
	unsigned seen;        /* times that the threads of its process had been read when it came up */
};

struct jvm_process;

/* {0} is valid and empty. */
struct thread_names {
	bool off;             /* nothing is read, of any JVM */
	struct jvm_process **processes; /* [process_count] */
	size_t process_count, process_cap;
	size_t next;          /* whose turn it is */
	struct thread_name *threads; /* in the order in which they were met */
	size_t thread_count, thread_cap;
	struct map by_tid; /* (PID, TID) to its place in threads + 1 */
	struct new_records records;
	struct thread_probe *probe;
	bool asked_for_probe;
};

/* Take what was told of threads that have started: before their samples are taken. */
void thread_names_hear(struct thread_names *n);

/* Look at what the recording at path, its first size bytes, has got, for JVMs and threads; read names where it is
 * time to.  all: of all JVMs: once a second.  Takes some milliseconds: what there is no time for is left to the next
 * time, since rings run full meanwhile. */
void thread_names_update(struct thread_names *n, const char *path, uint64_t size, bool all);

/* The same, of all JVMs, however long it takes: where no names may be missing, and at the end. */
void thread_names_complete(struct thread_names *n, const char *path, uint64_t size);

/* That of a thread, which is made if need be; valid until the next one is made. */
struct thread_name *thread_names_find(struct thread_names *n, int pid, int tid);

/* How often the threads of this process were read; UINT_MAX: it is no JVM. */
unsigned thread_names_reads(const struct thread_names *n, int pid);

/* Append the section RECORDING_THREADS.  Returns how many names could not be read. */
uint64_t thread_names_format(const struct thread_names *n, struct str *out);

void thread_names_free(struct thread_names *n);

#endif
