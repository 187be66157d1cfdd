/* findings: what went wrong in the time of a recording, the worst first, each with the thread and the function that
 * did it. */
#ifndef COLLAPSE_CAUSE_FINDINGS_H
#define COLLAPSE_CAUSE_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/cause/finding.h"

/* What a thread may be, of these. */
enum finding_role { FINDING_VICTIM = 1, FINDING_GUILTY = 2 };

typedef unsigned findings_roles(const struct history_thread *thread, const void *argument);

/* Find them.  h is sorted. */
void findings_make(struct findings *all, const struct history *h, struct cause_frames *f, findings_roles *roles,
		   const void *argument);

void findings_free(struct findings *all);

#endif
