/* window_pairs: forms windows from begins and ends.
 *
 * A window of a thread goes from a begin to an end by the same thread.  A begin inside a window is nested if it comes
 * from a deeper call, which its stack pointer shows; the window then lasts until there were as many ends as begins.
 * Otherwise the end of the window was missed (an error, a longjmp): this window is left out, and a new one begins.
 *
 * A window of a process goes from the first begin by any of its threads until no thread is inside; an end by a thread
 * that is not inside belongs to one that is.
 *
 * A window is cut when its thread, or process, ends or executes another program. */
#ifndef COLLECT_WINDOWS_WINDOW_PAIRS_H
#define COLLECT_WINDOWS_WINDOW_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/windows.h"
#include "core/format/recording.h"
#include "core/map.h"

struct window_pair {
	uint32_t pid, tid; /* tid: the thread that ended it */
	uint32_t cpu;
	uint32_t flags; /* enum recording_window */
	bool open;      /* it had not ended with the recording */
	uint64_t begin_ns, end_ns;
};

typedef void window_take(void *self, const struct window_pair *w);

struct window_pairs {
	/* set by the caller */
	bool whole_process;
	window_take *take;
	void *self;

	uint64_t counts[RECORDING_WINDOWS_COUNT];
	struct window_thread {
		uint32_t pid, tid;
		uint32_t depth; /* begins without an end; 0: not inside */
		uint32_t era;   /* of its process */
		uint64_t begin_ns, sp;
	} * threads;
	struct window_process {
		uint32_t pid;
		uint32_t inside; /* threads */
		uint32_t owed;   /* how many of these were ended by other threads */
		uint32_t era;    /* number of ended windows of the process, by which older facts about threads are
				  * recognised */
		uint64_t begin_ns;
	} * processes;
	size_t thread_count, thread_cap, process_count, process_cap;
	struct map by_tid, by_pid; /* -> number + 1 */
	size_t many;               /* number of entries in both at which to forget those that are in no window; 0: not
				    * set yet */
};

/* Add a record; the records of a thread come in the order of time.  Calls take() for each window that ends. */
void window_pairs_add(struct window_pairs *p, const struct window_record *r);

/* The recording ends: report open windows, once. */
void window_pairs_finish(struct window_pairs *p, uint64_t end_ns);

void window_pairs_free(struct window_pairs *p);

#endif
