/* process_table: turns events of processes into spans; in each span, a process runs one program.
 *
 *     fork            exec            exec            exit     its parent waited
 *      |--- forked ----|--- execed ----|--- execed ----|          |  CPU time is final
 *
 * The spans of a process are written when its CPU time is final, or some seconds after its end if its parent does not
 * wait for it.  At an exec, CPU time is only known as of a timer tick: what the next program seems to have used in
 * excess of its lifetime belongs to the previous one.  Lost events leave gaps that are filled as well as possible: a
 * process whose fork was lost begins with its first known event.
 *
 * Processes that go on are written into each recording that is made in the meantime (flight recorder, watch). */
#ifndef COLLECT_PROCESSES_PROCESS_TABLE_H
#define COLLECT_PROCESSES_PROCESS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/processes.h"
#include "collect/processes/tracked_process.h"

struct process_table { /* {0}, then process_table_open() */
	struct process_output to;
	uint64_t begin_ns;                /* begin of the recording */
	uint64_t end_ns;                  /* end of the recording, once known; later events are not recorded */
	struct tracked_process **live;    /* [limit], by pid */
	struct tracked_process **leaving; /* [limit], by pid: processes that have ended, but whose CPU time is not final
					   * yet */
	uint32_t limit;
	struct leaver *queue; /* [queue_count] processes that have ended, in order of time */
	size_t queue_count, queue_cap;
	bool is_always_on;       /* process_table_write_before() is called */
	struct leaver *replaced; /* [replaced_count] processes with programs that ended in an exec and are not written
				  * yet */
	size_t replaced_count, replaced_cap;
	uint64_t forks, execs, failed, exits, there, open; /* how many */
	uint64_t unpaired;                                 /* whose end was lost */
	uint64_t not_final;                                /* number written with a CPU time that was not final */
	uint64_t look, look_ns;                            /* number and time of the last look */
};

void process_table_open(struct process_table *t, uint32_t limit);

/* Something happened. */
void process_table_add(struct process_table *t, const struct process_record *r);

/* Take a process found by the look at the beginning; its arguments are read from /proc. */
void process_table_add_there(struct process_table *t, const struct process_record *r);

/* Later looks: one begins; one finds a process, with its CPU time so far. */
void process_table_begin_look(struct process_table *t, uint64_t now_ns);
void process_table_update(struct process_table *t, const struct process_record *r);

/* Events were lost: take the processes that were known before the last look, but not found by it, as ended. */
void process_table_end_missing(struct process_table *t);

/* For a flight recorder, call this now and then, after a look.  The span of an ongoing process begins at the last mark
 * but one, so that it is not weeks long in a recording of some seconds. */
void process_table_mark(struct process_table *t);

/* Write processes that go on at now_ns, with their part from from_ns on.  Programs that were added later and begin
 * later are left out.  Returns how many. */
uint64_t process_table_tell(struct process_table *t, uint64_t from_ns, uint64_t now_ns);

/* Write processes that ended at from_ns or later and whose CPU time is not final yet, and keep them. */
void process_table_tell_ended(const struct process_table *t, uint64_t from_ns);

/* A program is written when the next program of its process has ended, because its CPU time is known then.  Write now
 * those that ended before until_ns. */
void process_table_write_before(struct process_table *t, uint64_t until_ns);

/* Ongoing processes were written; another recording begins at now_ns, with the rest of them. */
void process_table_cut(struct process_table *t, uint64_t now_ns);

/* Write processes that ended before ns and whose CPU time does not become final. */
void process_table_flush(struct process_table *t, uint64_t before_ns);

/* Is there a process that has ended and was waited for, but whose CPU time is not final yet?  The kernel reports the
 * final time within one or two grace periods of RCU. */
bool process_table_awaits_cpu(const struct process_table *t);

/* The recording ends: write all that is left.  If events were lost, it is unknown when missing processes ended;
 * otherwise they ended after the recording. */
void process_table_finish(struct process_table *t, uint64_t end_ns, bool has_losses);

void process_table_free(struct process_table *t);

#endif
