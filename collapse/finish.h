/* finish: the steps that all inputs share: select the time, filter, write the output. */
#ifndef COLLAPSE_FINISH_H
#define COLLAPSE_FINISH_H

#include "collapse/collapse.h"
#include "collapse/output/output_formats.h"

/* Resolve --from and --to to wall-clock times for an input that lasts from first_ns to last_ns;
 * without these options, select all of it.  no_clock: why the input's times are not wall-clock times;
 * NULL: they are.  Exits 1 or 2 if a time makes no sense. */
void finish_times(const struct options *o, uint64_t first_ns, uint64_t last_ns, const char *no_clock, uint64_t *from_ns,
		  uint64_t *to_ns);

/* Have c->fold apply the options' rules to all lines that are added; texts holds the texts of their frames. */
void finish_rules(struct collapse *c, struct intern *texts);

/* Keep the lines of c->fold that pass --include and --exclude; zeros: also lines with value 0.
 * Returns 0, or -1 after a message if none is left. */
int finish_keep(struct collapse *c, const struct intern *texts, bool zeros);

/* Do --include and --exclude keep a line with this text?  argument: a struct collapse. */
bool finish_is_kept(const char *text, size_t len, const void *argument);

/* The last step of finish_keep(): is any line kept? */
int finish_kept(struct collapse *c);

/* Write the output file in the output format.  Returns 0, or -1 after a message. */
int finish_product(const struct options *o, const struct product *p);

#endif
