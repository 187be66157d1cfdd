/* whole_output: filters and writes whole lines (collapse/fold/whole_order.h) in several threads. */
#ifndef COLLAPSE_WHOLE_OUTPUT_H
#define COLLAPSE_WHOLE_OUTPUT_H

#include <stdio.h>

#include "collapse/frames/columns.h"
#include "collapse/fold/fold.h"
#include "collapse/fold/whole_order.h"

struct whole_output {
	struct whole_order *order;
	const struct text_parsed *parsed;
	const struct columns *columns; /* of text_columns() */
	size_t jobs;                   /* threads */
	const struct str *header;
	uint64_t *written; /* set by whole_write(): lines; NULL: nobody asks */
};

/* Make whole_write() leave out lines that do not pass filter (NULL: all pass).  Returns the sum of the lines that are
 * left in all parsing threads.  Fewer lines are written if several threads have the same line. */
uint64_t whole_keep(const struct whole_output *o, fold_filter *filter, const void *argument);

/* what: a struct whole_output; for output_write(). */
void whole_write(FILE *out, const void *what);

#endif
