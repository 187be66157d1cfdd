/* choice: chooses the event of a recording that is used, and how it is shown. */
#ifndef COLLAPSE_CHOICE_H
#define COLLAPSE_CHOICE_H

#include <stdbool.h>

#include "collapse/options.h"
#include "collapse/perfdata/event.h"
#include "collapse/perfdata/perfdata.h"

struct choice {
	struct recorded_event *event; /* the only one used; NULL: all */
	const struct preset *preset;  /* how it is shown */
	bool nothing;                 /* on failure: the event was recorded, but has no samples */
};

/* Choose the event that the options ask for, and report the others that d has.  Exits 2 if the
 * options name an event that d does not have.  Returns 0, or -1 after a message. */
int choice_make(struct perfdata *d, const struct options *o, struct choice *choice);

#endif
