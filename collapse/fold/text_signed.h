/* text_signed: values in text that may be negative (TEXT_MINUS), as in comparisons of profiles, and in heaps that
 * shrink.
 *
 *     a;grow 100, a;grow -150, a;grow 200    -->    a;grow 150 300, what is taken off and what is added    -->    a;grow 150
 *
 * If no stack's sum is negative, a line gets one value, the net sum; otherwise both values, as a differential. */
#ifndef COLLAPSE_FOLD_TEXT_SIGNED_H
#define COLLAPSE_FOLD_TEXT_SIGNED_H

#include <stdbool.h>

#include "collapse/fold/fold.h"
#include "collapse/fold/text_request.h"

/* If some whole lines have negative values, split all lines into frames and stacks, as if they had never been kept
 * whole; the setup of p then says so. */
void text_signed_unfold(struct text_parsed *p, struct text_setup *setup);

/* Replace both columns of f by their difference, unless the difference of some kept line is negative.  Returns whether
 * the columns were replaced. */
bool text_signed_net(struct fold *f, struct columns *columns);

#endif
