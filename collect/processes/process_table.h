/* process_table: makes spans of what happens to processes: in each, a process runs one program.
 *
 *     fork            exec            exec            exit     it was waited for
 *      |--- forked ----|--- execed ----|--- execed ----|          |  CPU time is final
 *
 * The spans of a process are written when its CPU time is final, or some seconds after its end if its parent does not
 * wait for it.  At an exec, CPU time is only known as of a timer tick: what the next program seems to have used beyond
 * the time that there was belongs to the one before.  Lost events leave gaps that are filled as well as possible: a
 * process whose fork was lost begins with its first known event.
 *
 * Processes that go on are written into each recording that is made meanwhile (flight recorder, watch). */
#ifndef COLLECT_PROCESSES_PROCESS_TABLE_H
#define COLLECT_PROCESSES_PROCESS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/processes.h"
#include "collect/processes/tracked_process.h"

struct process_table { /* {0}, then process_table_open() */
	struct process_output to;
	uint64_t begin_ns;                /* of the recording, ... */
	uint64_t end_ns;                  /* ... and its end, once that is known; later events are not recorded */
	struct tracked_process **live;    /* [limit], by pid */
	struct tracked_process **leaving; /* [limit], by pid: has ended; its CPU time is not final yet */
	uint32_t limit;
	struct leaver *queue; /* [queue_count], those that were leaving, in order of time */
	size_t queue_count, queue_cap;
	bool is_always_on;       /* process_table_write_before() is called */
	struct leaver *replaced; /* [replaced_count], if so: programs ended by an exec, not written yet */
	size_t replaced_count, replaced_cap;
	uint64_t forks, execs, failed, exits, there, open; /* how many */
	uint64_t unpaired;                                 /* whose end was lost */
	uint64_t not_final;                                /* written with a CPU time that was not final */
	uint64_t look, look_ns;                            /* the number and time of the last look */
};

void process_table_open(struct process_table *t, uint32_t limit);

/* Something happened. */
void process_table_add(struct process_table *t, const struct process_record *r);

/* A process found by a look at the beginning; its arguments are read from /proc. */
void process_table_add_there(struct process_table *t, const struct process_record *r);

/* At later looks: a look begins; it finds a process, whose CPU time so far is known at that time. */
void process_table_begin_look(struct process_table *t, uint64_t now_ns);
void process_table_update(struct process_table *t, const struct process_record *r);

/* Events were lost: processes that the last look did not find, although they were known before it, have ended. */
void process_table_end_missing(struct process_table *t);

/* For a flight recorder, call this now and then, after a look: a span of a process that goes on begins at the last mark
 * but one, so that it is not weeks long in a recording of some seconds. */
void process_table_mark(struct process_table *t);

/* Write processes that go on at now_ns, with their part from from_ns on; programs that were added later, and begin
 * later, are left out.  Returns how many. */
uint64_t process_table_tell(struct process_table *t, uint64_t from_ns, uint64_t now_ns);

/* Write processes that ended at from_ns or later and whose CPU time is not final yet, and keep them. */
void process_table_tell_ended(const struct process_table *t, uint64_t from_ns);

/* A program's CPU time is known, and it is written, when the next program of its process has ended, too: write now
 * those that ended before until_ns. */
void process_table_write_before(struct process_table *t, uint64_t until_ns);

/* Processes that go on were written: another recording begins at now_ns, with the rest. */
void process_table_cut(struct process_table *t, uint64_t now_ns);

/* Write processes that ended before ns and whose CPU time does not become final. */
void process_table_flush(struct process_table *t, uint64_t before_ns);

/* Has a process ended, and been waited for, whose CPU time is not final yet?  The kernel reports it within a grace
 * period of RCU or two. */
bool process_table_awaits_cpu(const struct process_table *t);

/* The recording ends: write all that is left.  With losses, nobody knows when the processes that are gone ended;
 * without, they ended after the recording. */
void process_table_finish(struct process_table *t, uint64_t end_ns, bool has_losses);

void process_table_free(struct process_table *t);

#endif
