/* tracked_process: a process in process_table.h, and the spans that are written for it. */
#ifndef COLLECT_PROCESSES_TRACKED_PROCESS_H
#define COLLECT_PROCESSES_TRACKED_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/recording/event.h"
#include "core/format/recording.h"
#include "core/str.h"

/* A process, in the program that it runs now. */
struct tracked_process {
	uint64_t start_ns, begin_ns;
	uint64_t cpu_before_ns;                      /* until begin_ns */
	uint64_t main_ns, main_before_ns;            /* cpu_ns and cpu_before_ns of its first thread alone */
	uint64_t mark_ns, mark_cpu_ns, mark_main_ns; /* at process_table_mark(); 0: there was none since begin_ns */
	uint64_t end_ns;                             /* it is leaving */
	uint64_t cpu_ns, peak_bytes;
	uint64_t look; /* number of the last look that was before its first event, or that found it */
	uint32_t pid, parent, begun, status, flags;
	bool cut;                       /* its arguments were cut */
	bool is_first;                  /* time before begin_ns is in no recording */
	struct tracked_process *before; /* the program that it ran before, which is not written yet; NULL: none */
	uint32_t before_count;
	char name[16];
	struct str args;
};

struct process_output {
	const struct event *event;
	struct str *out; /* spans, for recording_append() */
};

/* Write the span that ends at end_ns. */
void tracked_process_write(const struct process_output *o, const struct tracked_process *p, uint64_t end_ns,
			   enum recording_ended ended);

/* Write its program as one that goes on at now_ns, from from_ns on; how its CPU time was distributed earlier is not
 * known. */
void tracked_process_write_open(const struct process_output *o, const struct tracked_process *p, uint64_t from_ns,
				uint64_t now_ns);

/* Its program ended at p->end_ns.  CPU time is known as of a timer tick, so its first thread may seem to have used more
 * than the time that has passed.  The excess belongs to the earlier programs, as far as they had time for it.  (The
 * last program also gets some after its end, when the kernel cleans up.) */
void tracked_process_settle(struct tracked_process *p);

/* Its program ended at p->end_ns, and another one begins: keep the facts about the old program until the new one has
 * ended, too.  Returns the CPU time in ns for which neither the old program nor earlier ones had time, to be counted
 * for the new program. */
uint64_t tracked_process_replace(const struct process_output *o, struct tracked_process *p);

/* Write the earlier programs that ended before until_ns, in order, and forget them. */
void tracked_process_write_before(const struct process_output *o, struct tracked_process *p, uint64_t until_ns);

/* Write those that ended at from_ns or later, and keep them. */
void tracked_process_tell_before(const struct process_output *o, const struct tracked_process *p, uint64_t from_ns);

/* The process goes on when the recording ends, at end_ns, and was looked at after that. */
void tracked_process_end_open(struct tracked_process *p, uint64_t end_ns);

/* Free p, which may be NULL, with its earlier programs. */
void tracked_process_free(struct tracked_process *p);

/* The most memory that a process has had so far, from /proc; 0: it has gone. */
uint64_t tracked_process_peak(uint32_t pid);

#endif
