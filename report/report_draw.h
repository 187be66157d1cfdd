/* report_draw: from the recording of a report to its charts. */
#ifndef REPORT_REPORT_DRAW_H
#define REPORT_REPORT_DRAW_H

#include <stdbool.h>

#include "report/report_files.h"

struct report {
	struct report_files files;
	const char *sources;    /* "cpu,sched" */
	const char *subject;    /* "process 8513" */
	const char *event;      /* that was sampled, as it was given; NULL: the usual one */
	bool heat_only;         /* of what the CPU did */
	bool each;              /* blocks are recorded one by one */
	bool drawn;             /* something was */
	int status;             /* of the first stage that failed */
};

/* Is it among the sources? */
bool report_records(const struct report *r, const char *source);

/* Draw all charts of what was recorded, and the page of dir, whatever fails. */
void report_draw(struct report *r, const char *dir);

#endif
