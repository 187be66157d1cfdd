/* run: one run of pyrograph collapse, from an input to lines. */
#ifndef COLLAPSE_RUN_H
#define COLLAPSE_RUN_H

#include "collapse/collapse.h"

/* Run collapse as the options say.  Returns 0, or -1 after a message. */
int collapse_run(struct collapse *c);

void collapse_free(struct collapse *c);

#endif
