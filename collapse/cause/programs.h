/* programs: processes whose functions or waits are invisible because of their language, and the option that would show
 * them.
 *
 *     node without flags       stacks end in Builtins_JSEntry: functions of JavaScript are not seen
 *     a program of Go          functions are seen, but a goroutine that waits has no thread */
#ifndef COLLAPSE_CAUSE_PROGRAMS_H
#define COLLAPSE_CAUSE_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "collapse/cause/frames.h"
#include "collapse/cause/history.h"
#include "core/str.h"

struct explanation;

struct programs {       /* {0} is valid and empty */
	uint8_t *kinds; /* by the first thread of a process: 0, or the kind of program */
};

/* Look at all stacks of h. */
void programs_find(struct programs *p, const struct history *h, struct cause_frames *f);

/* Append "; functions of JavaScript are not seen (node --perf-basic-prof shows them)" if this thread's process has
 * hidden functions.  of_waits: also if only its waits are hidden. */
void programs_add_note(const struct programs *p, const struct history *h, uint32_t thread, bool of_waits,
		       struct str *out);

/* Are only the waits of the thread's process hidden? */
bool programs_hides_waits(const struct programs *p, const struct history *h, uint32_t thread);

/* Append a line for each kind of program that occurs, with its processes. */
void programs_add_unknown(const struct programs *p, const struct explanation *e, struct str *out);

void programs_free(struct programs *p);

#endif
