/* findings: the problems found in a recording, the worst first, each with the thread and the function that caused
 * it. */
#ifndef COLLAPSE_CAUSE_FINDINGS_H
#define COLLAPSE_CAUSE_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/cause/finding.h"

typedef unsigned findings_roles(const struct history_thread *thread, const void *argument);

/* Find the problems that are worth a person's time: they cost at least a hundredth of the recording's.  h is sorted. */
void findings_make(struct findings *all, const struct history *h, struct cause_frames *f, findings_roles *roles,
		   const void *argument);

void findings_free(struct findings *all);

#endif
