/* timeline_windows: --timeline --between WHICH: of all that threads did, what lies in windows (collapse/roots/windows.h). */
#ifndef COLLAPSE_TIMELINE_WINDOWS_H
#define COLLAPSE_TIMELINE_WINDOWS_H

#include "collapse/fold/times.h"
#include "collapse/roots/windows.h"
#include "collapse/timeline_lines.h"

/* Whose sample was added as the last of times? */
void timeline_note_owner(struct timeline_lines *t, const struct timed_samples *times, int pid, int tid);

/* Cut the spans at the borders of windows, and leave out what is outside.  Sums have no place in time: they are left out,
 * too.  Returns how many of them. */
size_t timeline_cut(const struct timeline_lines *t, const struct windows *w, struct timed_samples *times);

#endif
