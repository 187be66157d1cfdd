/* diff: pyrograph collapse --diff BEFORE AFTER: the stacks of two inputs, recordings or folded text, in lines with
 * two values (core/format/folded.h), which render flame shows as a difference.
 *
 *     # pyrograph: event=cpu-clock normalize=total unit=samples
 *     # before: a.data: host=db1 event=cpu-clock ... unit=samples
 *     # after: b.folded: host=db1 ... unit=samples
 *     java;main;handle 17 34.5
 *     java;main;idle 4 0 */
#ifndef COLLAPSE_DIFF_H
#define COLLAPSE_DIFF_H

#include "collapse/options.h"

/* Returns 0; -1 after a message; or 1 with --if-any, if one side has nothing that was asked for. */
int diff_run(const struct options *o);

#endif
