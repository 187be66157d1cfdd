/* side_band: what a recording knows about processes besides samples: names, mappings, forks and exits. */
#ifndef COLLECT_RUN_SIDE_BAND_H
#define COLLECT_RUN_SIDE_BAND_H

#include <stdbool.h>

struct collection;
struct synthesis;

/* Choose the event that reports these: the first event, or a dummy event if there is none or if the first one sees too
 * little.  Call this after all other events were added. */
void side_band_add(struct collection *c);

/* Are only the targets' names and mappings to be kept, although the event reports everybody's? */
bool side_band_is_narrowed(const struct collection *c);

/* Append the present state of all processes (everybody) or of the targets. */
void side_band_state(const struct collection *c, bool everybody, struct synthesis *s);

/* Write the state before the recording, of all processes or of the targets.  Returns 0, or -1 after a message. */
int side_band_begin(struct collection *c);

#endif
