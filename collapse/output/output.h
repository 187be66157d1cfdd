/* output: writes folded text: the comment that says where it comes from, and
 * the lines. */
#ifndef COLLAPSE_OUTPUT_OUTPUT_H
#define COLLAPSE_OUTPUT_OUTPUT_H

#include <stdio.h>

#include "collapse/fold/fold.h"
#include "collapse/fold/gather.h"
#include "collapse/perfdata/seen.h"

struct origin {
	const struct perfdata *data;
	const struct recorded_event *event;  /* NULL: several */
	const char *filter;         /* options as given, or "" */
	bool columns;               /* name them */
	const struct seen *seen;    /* of timed output; else NULL */
};

/* Write the "# pyrograph: ..." line, and behind it the gaps in what was seen. */
void output_header(FILE *out, const struct origin *origin, const struct gather *g, const struct fold *fold);

/* Append about how long ns is: "1s", "250ms". */
void output_about(struct str *out, uint64_t ns);

/* Write the kept lines, "stack value ...". */
void output_lines(FILE *out, const struct fold *fold, const struct names *names);

/* Write "@seconds.nanoseconds stack value ..." for each sample of a kept line, in
 * the order of time; sorts them. */
void output_timed(FILE *out, const struct fold *fold, const struct names *names,
		  struct timed_samples *times);

#endif
