/* merge: folds several inputs, of any formats, into one output.
 *
 * Each input is folded by a process of its own, with the options that were given; their lines are read as one folded
 * text, in the order of the inputs:
 *
 *     collapse --root input a.data b.jfr  -->  collapse --root input a.data  -.
 *                                              collapse --root input b.jfr  --+--> merged lines
 *
 * Formats, clocks and names of one input so never meet those of another.  Lines of an input that differ from those of the
 * first one, with times or without, or with other columns, are left out, which is an error. */
#ifndef COLLAPSE_MERGE_H
#define COLLAPSE_MERGE_H

#include "collapse/fold/text_stacks.h"
#include "collapse/input/input.h"
#include "collapse/options.h"

struct merge {
	const struct options *options;
	pid_t *children; /* [options->input_count]; 0: not started, or gone */
	int *pipes;      /* [options->input_count] */
	size_t started, read;
	struct text_setup shape; /* of the first input's lines */
	const char *shape_of;    /* its path; NULL: there were no lines yet */
	bool failed;             /* an input could not be folded; its process said why */
};

/* Start to fold o->inputs, more than one, into *in, which is read as folded text.  Returns 0, or -1 after a message. */
int merge_begin(struct merge *m, const struct options *o, struct input_stream *in);

/* Wait for all processes.  Returns 0, or -1 if one failed; what the others gave was in the input. */
int merge_end(struct merge *m);

#endif
