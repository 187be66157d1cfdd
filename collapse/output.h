/* output: writes folded text: the comment that says where it comes from, and
 * the lines. */
#ifndef COLLAPSE_OUTPUT_H
#define COLLAPSE_OUTPUT_H

#include <stdio.h>

#include "collapse/clock.h"
#include "collapse/fold.h"
#include "collapse/sideband.h"

/* One sample, for --timed. */
struct timed_sample {
	uint64_t wall_ns, value;
	uint32_t stack;
};

struct origin {
	const struct perfdata *data;
	const struct sideband *sideband;
	const struct clock *clock;
	const struct event *event;  /* NULL: several */
	const char *unit, *filter;  /* filter: options as given, or "" */
	const char *roots;          /* see roots_names() */
	uint64_t first_ns, last_ns; /* of the samples used, as recorded */
	uint64_t samples;           /* used */
	uint64_t truncated;         /* of them, those whose stack was cut */
};

/* Write the "# pyrograph: ..." line. */
void output_header(FILE *out, const struct origin *origin, const struct fold *fold);

/* Write the kept lines, "stack value". */
void output_lines(FILE *out, const struct fold *fold, const struct names *names);

/* Write "@seconds.nanoseconds stack value" for each sample of a kept line, in
 * the order of time; sorts samples. */
void output_timed(FILE *out, const struct fold *fold, const struct names *names,
		  struct timed_sample *samples, size_t count);

#endif
