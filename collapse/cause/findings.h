/* findings: what went wrong in the time of a recording, the worst first, each with the thread and the function that
 * did it. */
#ifndef COLLAPSE_CAUSE_FINDINGS_H
#define COLLAPSE_CAUSE_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/cause/finding.h"

typedef unsigned findings_roles(const struct history_thread *thread, const void *argument);

/* Find those that are worth a person's time: they cost at least a hundredth of the recording's.  h is sorted. */
void findings_make(struct findings *all, const struct history *h, struct cause_frames *f, findings_roles *roles,
		   const void *argument);

void findings_free(struct findings *all);

#endif
