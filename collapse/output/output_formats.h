/* output_formats: the output formats of collapse, --output-format NAME.
 *
 * To add one: write a file here that defines its struct output_format, and add a row in
 * OUTPUT_FORMATS. */
#ifndef COLLAPSE_OUTPUT_OUTPUT_FORMATS_H
#define COLLAPSE_OUTPUT_OUTPUT_FORMATS_H

#include <stdio.h>

#include "collapse/fold/fold.h"
#include "collapse/frames/names.h"
#include "collapse/fold/times.h"
#include "collapse/perfdata/build_ids.h"
#include "core/intern.h"
#include "core/str.h"

/* The data to write.  The caller owns all of it.  Everything except the header is as collapse/fold made it. */
struct product {
	const struct fold *fold;           /* its lines are sorted; those that are kept are written */
	const struct intern *texts;        /* of the frames of its lines */
	const struct timed_samples *times; /* samples in order of time, whose stack is the number of a line; NULL: write
					    * only sums */
	const struct names *names;         /* of a recording, for the modules of frames; otherwise NULL */
	const struct build_ids *build_ids; /* by path, for modules without a build-id of their own; NULL: none */
	const struct roots *roots;         /* the roots, whose frames are a line's first ones (fold.h, shape) */
	bool roots_asked;                  /* roots were chosen by --root or the like, not only by the format */
	bool source_lines;                 /* frames may end in ":prog.c:12" */
	bool is_folded;                    /* the product comes from folded text, and only its header knows the roots */
	bool spans;        /* timed samples are spans, which begin at their time and last as long as their value */
	const char *unit;  /* unit of the values in the first column: samples, ns, ... */
	struct str header; /* comments (core/format/folded.h), whole lines; may be empty */
};

struct output_format {
	const char *name;
	const char *const *endings; /* ending of file names for which --output chooses this format; NULL: none */
	bool binary;                /* not for terminals */
	bool unlisted;              /* between our programs: not in --help */
	bool spans;                 /* the format has spans, so sums of many short spans should have no time */
	bool tables; /* the format has labels, so it gets more roots without --root, and more values without --weight */
	bool owners; /* ... and those roots that say whose processes are, if the recording knows */
	/* Write p.  The caller checks afterwards for errors of out. */
	void (*write)(FILE *out, const struct product *p);
};

#define ENDINGS(...) ((const char *const[]){ __VA_ARGS__, NULL })

#define OUTPUT_FORMATS(X) \
	X(folded)         \
	X(pprof)          \
	X(otlp)           \
	X(speedscope)     \
	X(firefox)        \
	X(chrome)         \
	X(csv)            \
	X(samples)

#define DECLARE(name) extern const struct output_format name##_output;
OUTPUT_FORMATS(DECLARE)
#undef DECLARE

/* Append their names: "folded pprof ...". */
void output_formats_list(struct str *out);

/* The i-th of these; NULL after the last one. */
const char *output_format_name(size_t i);

/* The format called name; exits 2 when there is none. */
const struct output_format *output_format_find(const char *name);

/* The format for a file of this name (NULL: stdout): the one with its ending, otherwise folded. */
const struct output_format *output_format_of_file(const char *path);

#endif
