/* points: --format points: text of two columns, "time value", as trace2heatmap.pl reads it.
 *
 *     ENDTIME(us) LATENCY(us)      a first line that is no such pair and has letters: a heading
 *     329797210338 1834
 *     329797212301,  0.25          a comma may part them; values may have fractions
 *
 * becomes timed folded text, by time:
 *
 *     # pyrograph: event=points clock=monotonic root=none unit=us
 *     @329797.210338000 points 1834
 *
 * Times are in --unitstime since the epoch, or, when they are less than 10^9 s, since some
 * start that nobody knows.  Empty lines and those that begin with '#' are passed over.  Wrong
 * ones are reported with their number, skipped and counted. */
#ifndef COLLAPSE_TEXT_POINTS_H
#define COLLAPSE_TEXT_POINTS_H

#include "collapse/options.h"

/* A struct input_format's collapse. */
int points_collapse(const struct options *o);

#endif
