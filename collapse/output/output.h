/* output: the comments of folded text that say which recording it comes from. */
#ifndef COLLAPSE_OUTPUT_OUTPUT_H
#define COLLAPSE_OUTPUT_OUTPUT_H

#include "collapse/fold/fold.h"
#include "collapse/fold/gather.h"
#include "collapse/perfdata/seen.h"

struct origin {
	const struct perfdata *data;
	const struct recorded_event *event; /* NULL: several */
	const char *filter;                 /* options as given, or "" */
	bool columns;                       /* name them */
	const struct seen *seen;            /* for timed output; else NULL */
};

/* Append the "# pyrograph: ..." line, and after it the gaps in what was seen. */
void output_header(struct str *out, const struct origin *origin, const struct gather *g, const struct fold *fold);

/* Append ns, rounded for people: "1s", "250ms". */
void output_about(struct str *out, uint64_t ns);

#endif
