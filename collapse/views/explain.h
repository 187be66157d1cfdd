/* explain: says what happened in the time of a recording, and who did it (collapse/cause/explanation.h). */
#ifndef COLLAPSE_VIEWS_EXPLAIN_H
#define COLLAPSE_VIEWS_EXPLAIN_H

#include "collapse/cause/frames.h"
#include "collapse/cause/history.h"
#include "collapse/views/reading.h"

struct explain_request {
	const char *form;   /* "" as text, "headline", "json", "markdown" */
	const char *output; /* the file; NULL: stdout */
	bool correlates;    /* with what others did during each outlier */
};

/* Read the samples of r, in which everything has been chosen, and write the explanation.  Returns 0, or -1 after a
 * message, for example if no spans were recorded one by one. */
int explain_run(struct reading *r, const struct explain_request *how);

/* Add to a history what else the recording tells about its threads: whose they are, priorities, CPUs; and join waits
 * in slices. */
void explain_prepare(struct reading *r, struct history *h, struct cause_frames *frames);

/* For findings_make(): threads of the recorder are neither victims nor guilty.  --threads chooses the victims. */
unsigned explain_roles_of(const struct history_thread *t, const void *reading);

#endif
