/* output: writes the output file, and the comments of folded text that describe the recording. */
#ifndef COLLAPSE_OUTPUT_OUTPUT_H
#define COLLAPSE_OUTPUT_OUTPUT_H

#include <stdio.h>

#include "collapse/fold/fold.h"
#include "collapse/fold/gather.h"
#include "collapse/perfdata/seen.h"

struct origin {
	const struct perfdata *data;
	const struct recorded_event *event; /* NULL: several */
	bool wall;                          /* all the time of threads, from several events */
	const char *filter;                 /* options as given, or "" */
	bool columns;                       /* write their names */
	const struct seen *seen;            /* for timed output; else NULL */
	const struct str *guilty, *victims; /* FOLDED_GUILTY, FOLDED_VICTIMS; NULL or empty: none */
};

/* Append the "# pyrograph: ..." line, followed by the gaps in the observation. */
void output_header(struct str *out, const struct origin *origin, const struct gather *g, const struct fold *fold);

/* Append ns, rounded for readers: "1s", "250ms". */
void output_about(struct str *out, uint64_t ns);

/* Write the file path (NULL: stdout) with this function.  Returns 0, or -1 after a message. */
int output_write(const char *path, void (*write)(FILE *out, const void *what), const void *what);

#endif
