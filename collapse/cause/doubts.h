/* doubts: losses that could change which thread is found guilty, and what a recording cannot show because it was
 * recorded only as sums, or not at all. */
#ifndef COLLAPSE_CAUSE_DOUBTS_H
#define COLLAPSE_CAUSE_DOUBTS_H

#include "collapse/cause/finding.h"
#include "collapse/cause/history.h"
#include "collapse/cause/slow.h"
#include "collapse/perfdata/perfdata.h"
#include "core/str.h"

/* Append "Another cause is possible: 2.4 % of the spans of time were lost", without a full stop; nothing if everything
 * that matters is known. */
void doubts_of_recording(const struct perfdata *d, const struct history *h, struct str *out);

/* Append a line for each thing that the recording cannot show, each with the option that would show it. */
void unknown_of_recording(const struct perfdata *d, const struct slow *slow, struct str *out);

/* Append a line if several threads of a process ran all the time: whether they did useful work cannot be told. */
void unknown_of_running(const struct findings *all, const struct history *h, struct str *out);

#endif
