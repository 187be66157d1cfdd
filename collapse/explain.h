/* explain: says what happened in the time of a recording, and who did it (collapse/cause/explanation.h). */
#ifndef COLLAPSE_EXPLAIN_H
#define COLLAPSE_EXPLAIN_H

#include "collapse/cause/history.h"
#include "collapse/collapse.h"

/* Read the samples of c, a recording that was opened and for which everything was chosen, and write the explanation.
 * Returns 0, or -1 after a message: without spans that were recorded one by one, nothing can be said. */
int explain_run(struct collapse *c);

/* Note what the names of threads say: who recorded this, and who stops a JVM. */
void explain_name_threads(struct collapse *c, struct history *h);

#endif
