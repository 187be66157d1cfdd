/* output_formats: the output formats of collapse, --output-format NAME.
 *
 * To add one: write a file here that defines its struct output_format, and add a row in
 * OUTPUT_FORMATS. */
#ifndef COLLAPSE_OUTPUT_OUTPUT_FORMATS_H
#define COLLAPSE_OUTPUT_OUTPUT_FORMATS_H

#include <stdio.h>

#include "collapse/fold/fold.h"
#include "collapse/fold/times.h"
#include "core/intern.h"
#include "core/str.h"

/* The data to write.  The caller owns all of it. */
struct product {
	const struct fold *fold;           /* its lines are sorted; write those that are kept */
	const struct intern *texts;        /* of the frames of its lines */
	const struct timed_samples *times; /* sorted; stack is the number of a line; NULL: write only sums */
	const char *unit;                  /* unit of the values in the first column: samples, ns, ... */
	struct str header;                 /* comments (core/format/folded.h), whole lines; may be empty */
};

struct output_format {
	const char *name;
	/* Write p; the caller checks out for errors. */
	void (*write)(FILE *out, const struct product *p);
};

#define OUTPUT_FORMATS(X) X(folded)

#define DECLARE(name) extern const struct output_format name##_output;
OUTPUT_FORMATS(DECLARE)
#undef DECLARE

/* Append their names: "folded, ...". */
void output_formats_list(struct str *out);

/* The format called name; exits 2 when there is none. */
const struct output_format *output_format_find(const char *name);

#endif
