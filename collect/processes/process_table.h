/* process_table: makes spans of what happens to processes: in each, a process runs one program.
 *
 *     fork            exec            exec            exit     it was waited for
 *      |--- forked ----|--- execed ----|--- execed ----|          |  CPU time is final
 *
 * The last span of a process is written when its CPU time is final, or some seconds after its end if its parent does not
 * wait for it.  Lost events leave gaps that are filled as well as can be: a process whose fork was lost begins with what
 * is heard of it first. */
#ifndef COLLECT_PROCESSES_PROCESS_TABLE_H
#define COLLECT_PROCESSES_PROCESS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/processes.h"
#include "collect/recording/event.h"
#include "core/str.h"

struct tracked_process;

struct process_table { /* {0}, then process_table_open() */
	const struct event *event;
	struct str *out;                  /* spans, for recording_append() */
	uint64_t begin_ns;                /* of the recording, ... */
	uint64_t end_ns;                  /* ... and its end, once it is known; what comes later is not recorded */
	struct tracked_process **live;    /* [limit], by pid */
	struct tracked_process **leaving; /* [limit], by pid: has ended; its CPU time is not final yet */
	uint32_t limit;
	struct leaver *queue; /* [queue_count], those that were leaving, in order of time */
	size_t queue_count, queue_cap;
	uint64_t forks, execs, failed, exits, there, open; /* how many */
	uint64_t unpaired;                                 /* whose end was lost */
};

void process_table_open(struct process_table *t, uint32_t limit);

/* Something happened. */
void process_table_add(struct process_table *t, const struct process_record *r);

/* One that exists, at a look at the beginning; its arguments are read from /proc. */
void process_table_add_there(struct process_table *t, const struct process_record *r);

/* ... and at one at the end: its CPU time so far. */
void process_table_update(struct process_table *t, const struct process_record *r);

/* Write those that ended before ns and whose CPU time does not become final. */
void process_table_flush(struct process_table *t, uint64_t before_ns);

/* The recording ends: write all that is left.  With losses, those that are gone ended nobody knows when; without, they
 * ended after the recording. */
void process_table_finish(struct process_table *t, uint64_t end_ns, bool has_losses);

void process_table_free(struct process_table *t);

#endif
