/* unknown: what a recording cannot know, because it was not recorded, or only in sums. */
#ifndef COLLAPSE_CAUSE_UNKNOWN_H
#define COLLAPSE_CAUSE_UNKNOWN_H

#include "collapse/cause/slow.h"
#include "collapse/perfdata/perfdata.h"
#include "core/str.h"

/* Append a line for each such thing, each with what would tell. */
void unknown_of_recording(const struct perfdata *d, const struct slow *slow, struct str *out);

#endif
