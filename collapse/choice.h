/* choice: which event of a recording is used, and what is made of it. */
#ifndef COLLAPSE_CHOICE_H
#define COLLAPSE_CHOICE_H

#include <stdbool.h>

#include "collapse/options.h"
#include "collapse/perfdata/event.h"
#include "collapse/perfdata/perfdata.h"

struct choice {
	struct recorded_event *event; /* the only one used; NULL: all */
	const struct preset *preset;  /* what is made of it */
	bool nothing;                 /* on failure: it was recorded, but has no samples */
};

/* Choose what the options ask for, and report what else there is.  Exits 2 if the options name an
 * event that d does not have.  Returns 0, or -1 after a message. */
int choice_make(struct perfdata *d, const struct options *o, struct choice *choice);

#endif
