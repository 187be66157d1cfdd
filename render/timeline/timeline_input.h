/* timeline_input: from files and options to a timeline that can be arranged. */
#ifndef RENDER_TIMELINE_TIMELINE_INPUT_H
#define RENDER_TIMELINE_TIMELINE_INPUT_H

#include <stdbool.h>

#include "render/bars/bars_style.h"
#include "render/timeline/timeline.h"

/* Read every file (argv[0..count); stdin when there is none).  sums: see struct timeline_filter.  Returns 0, or -1
 * after a message. */
int timeline_read_all(struct timeline *t, const struct bars_style *style, bool sums, char **argv, int count);

/* Why there is nothing to draw, or NULL. */
const char *timeline_why_nothing(const struct timeline *t);

/* Find the window, and cut the spans to --from and --to (NULL: not given).  Returns NULL, or why there is nothing to
 * draw. */
const char *timeline_find_window(struct timeline *t, const char *from, const char *to);

#endif
