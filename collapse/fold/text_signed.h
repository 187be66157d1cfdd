/* text_signed: values of text that may be negative (TEXT_MINUS): of profiles that were compared, and of heaps that shrink.
 *
 *     a;grow 100, a;grow -150, a;grow 200    -->    a;grow 150 300, what is taken off and what is added    -->    a;grow 150
 *
 * If no stack's sum is negative, there is one value, the net sum; else a differential of both. */
#ifndef COLLAPSE_FOLD_TEXT_SIGNED_H
#define COLLAPSE_FOLD_TEXT_SIGNED_H

#include <stdbool.h>

#include "collapse/fold/fold.h"
#include "collapse/fold/text_request.h"

/* If some whole lines have negative values, make frames and stacks of all lines, as if they had never been kept whole;
 * setup, that of p, then says so. */
void text_signed_unfold(struct text_parsed *p, struct text_setup *setup);

/* Replace both columns of f by their difference, unless that of a kept line is negative.  Returns whether they were. */
bool text_signed_net(struct fold *f, struct columns *columns);

#endif
