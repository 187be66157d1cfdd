/* thread_names: full names of the threads of a recording: what a JVM (collect/jvm/threads.h, collect/java/thread_probe.h), or
 * another language's runtime (collect/runtime/thread_reader.h), calls them.
 *
 * Runtimes are found by their mappings in the recording.  Their threads are read when the runtime is found, once a second,
 * and soon after a thread starts or is renamed; in a JVM, a probe, where permitted, reports threads that end sooner.  The
 * last name of a thread is kept. */
#ifndef COLLECT_JAVA_THREAD_NAMES_H
#define COLLECT_JAVA_THREAD_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/java/thread_probe.h"
#include "collect/recording/living.h"
#include "collect/recording/records.h"
#include "collect/runtime/thread_reader.h"
#include "core/map.h"
#include "core/str.h"

/* A thread's name, as last seen. */
struct thread_name {
	int pid, tid;
	char *name;               /* the runtime's name; NULL: there is none */
	bool unread;              /* the thread has a name, but it could not be read */
	bool is_decided, is_kept; /* for thread_filter.h, which may change it */
	unsigned seen;            /* how often the threads of its process had been read when this one appeared */
};

struct named_process;

/* {0} is valid and empty. */
struct thread_names {
	bool off;                                   /* read nothing from any JVM */
	const struct thread_reader *const *readers; /* of other runtimes, up to NULL; NULL: there are none */
	struct named_process **processes;           /* [process_count] */
	size_t process_count, process_cap;
	size_t next;                 /* index of the process whose turn it is */
	struct thread_name *threads; /* in the order in which they were met */
	size_t thread_count, thread_cap;
	struct map by_tid; /* (PID, TID) -> index in threads + 1 */
	struct new_records records;
	struct thread_probe *probe;
	bool asked_for_probe;
};

/* Take the probe's reports of threads that have started, before their samples are taken. */
void thread_names_hear(struct thread_names *n);

/* Look for runtimes and threads in what was appended to the recording at path (size bytes); read names that are due.
 * all: from all runtimes, once a second.  Stops after some milliseconds, since rings fill up meanwhile, and leaves the rest
 * for the next call. */
void thread_names_update(struct thread_names *n, const char *path, uint64_t size, bool all);

/* Like thread_names_update() for all runtimes, however long that takes.  For the end, and wherever names must be
 * complete. */
void thread_names_complete(struct thread_names *n, const char *path, uint64_t size);

/* The entry of a thread, created if needed; valid until the next one is created. */
struct thread_name *thread_names_find(struct thread_names *n, int pid, int tid);

/* How often the threads of this process were read; UINT_MAX: it has no runtime that names threads. */
unsigned thread_names_reads(const struct thread_names *n, int pid);

/* Append the section RECORDING_THREADS.  Returns the number of unreadable names. */
uint64_t thread_names_format(const struct thread_names *n, struct str *out);

/* Forget runtimes and threads that nothing refers to any more. */
void thread_names_forget(struct thread_names *n, const struct living *living);

void thread_names_free(struct thread_names *n);

#endif
