/* window_lengths: how long windows took (collapse/roots/windows.h): percentiles, a distribution, and the slowest:
 *
 *     windows of a thread, begin_request,end_request: 100, total 1.792 s
 *
 *     p50        5.27 ms
 *     longest   136.0 ms
 *
 *     from         to    windows
 *     5 ms      10 ms         61  ########################################
 *
 *     begin                           length  thread
 *     2026-11-25T01:58:58.458572376Z  136 ms  requests-4711/server-4713 */
#ifndef COLLAPSE_VIEWS_WINDOW_LENGTHS_H
#define COLLAPSE_VIEWS_WINDOW_LENGTHS_H

#include "collapse/views/reading.h"

/* Write the report on the chosen windows to the file output.  Returns 0, or -1 after a message. */
int window_lengths_write(struct reading *r, const char *output);

#endif
