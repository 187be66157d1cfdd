/* jobs: runs several pieces of work at the same time, each in a process of its own. */
#ifndef REPORT_JOBS_H
#define REPORT_JOBS_H

#include <stddef.h>

struct drawing_job {
	/* Does the work, in a child; returns a result for its parent, 0 to 0xffff. */
	unsigned (*run)(void *context, const void *part);
	const void *part;
	unsigned result; /* out: what run() returned, or JOB_LOST */
};

/* The result of a job whose process ended before it returned. */
#define JOB_LOST 0x10000u

/* Run all jobs, as many at once as this process may use CPUs.  The jobs' messages on stderr are printed in the order of
 * the jobs, not in the order in which they end, and a line that several jobs print appears once. */
void jobs_run(struct drawing_job *jobs, size_t count, void *context);

#endif
