/* output_formats: what collapse writes, --output-format NAME.
 *
 * To add one: a file here that defines its struct output_format, and a row in OUTPUT_FORMATS. */
#ifndef COLLAPSE_OUTPUT_OUTPUT_FORMATS_H
#define COLLAPSE_OUTPUT_OUTPUT_FORMATS_H

#include <stdio.h>

#include "collapse/fold/fold.h"
#include "collapse/fold/times.h"
#include "core/intern.h"
#include "core/str.h"

/* What is to be written; the format owns none of it. */
struct product {
	const struct fold *fold;           /* its lines are sorted, and those to be written are marked as kept */
	const struct intern *texts;        /* of the frames of its lines */
	const struct timed_samples *times; /* sorted; stack is the number of a line; NULL: only sums are wanted */
	const char *unit;                  /* unit of the values in the first column: samples, ns, ... */
	struct str header;                 /* comments as core/format/folded.h has them: whole lines; may be empty */
};

struct output_format {
	const char *name;
	const char *about; /* for the list of formats: a few words */
	/* Write all of it; whether out took it is checked by the caller. */
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
