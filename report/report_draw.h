/* report_draw: draws the charts of a report from its recording. */
#ifndef REPORT_REPORT_DRAW_H
#define REPORT_REPORT_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "report/report_files.h"

struct report {
	struct report_files files;
	const char *sources;  /* "cpu,sched" */
	const char *subject;  /* "process 8513 (java)" */
	const char *event;    /* sampled, as given; NULL: the default */
	bool heat_only;       /* for the CPU time */
	bool each;            /* blocks are recorded one by one */
	uint64_t length_ns;   /* that was asked for, or else recorded; 0: not known */
	bool self_contained;  /* each chart contains its script */
	const char *scripts;  /* names of the scripts that the charts share; NULL: none */
	bool sums_only;       /* no span was recorded by itself, so there is nothing to explain, and no timeline */
	const char *headline; /* lines that tell what happened; NULL: none */
	const char *of_each;  /* lines that charts of CPU time, locks, ... begin with: HEADLINE_ON_CPUS, HEADLINE_OF;
			       * NULL: none */
	bool drawn;           /* anything at all */
	int status;           /* of the first stage that failed */
};

/* Is it among the sources? */
bool report_records(const struct report *r, const char *source);

/* Draw all charts of the recording, going on after failures. */
void report_draw(struct report *r, const char *dir);

/* Print what report_draw() found: the culprit first. */
void report_tell_headline(const struct report *r);

/* Make the page of dir alone. */
void report_index(struct report *r, const char *dir);

#endif
