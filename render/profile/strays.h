/* strays: times so far from all others that an axis with them would show nothing else: because of a single sample at
 * time 0, from a broken record or before a clock was set, 12 days would be drawn for an hour.
 *
 *     *                                                          ************************
 *     0                     an hour or more, and              all but one in 500
 *                           10 times as long as the rest */
#ifndef RENDER_PROFILE_STRAYS_H
#define RENDER_PROFILE_STRAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"
#include "render/profile/source.h"

/* Maximum of strays at each end; with fewer than 50 times, there are none. */
enum { STRAYS_MAX = 16 };

struct strays {                                             /* {0}: no time was seen */
	uint64_t low[STRAYS_MAX + 1], high[STRAYS_MAX + 1]; /* the least, ascending; the greatest, descending */
	size_t count;
};

void strays_see(struct strays *s, uint64_t time_ns);

/* Call this after all times.  Those in [*from_ns, *to_ns) are left.  Returns how many are strays; if 0, nothing is
 * set. */
size_t strays_find(const struct strays *s, uint64_t *from_ns, uint64_t *to_ns);

/* The same for a chart that leaves out strays: a warning reports them as strays_say() does, and they are added to the
 * source's losses.  If the source says which time was observed, there are no strays. */
size_t strays_leave(const struct strays *s, const char *what, struct folded_source *source, uint64_t *from_ns,
		    uint64_t *to_ns);

/* Among the losses: "strays 1". */
#define STRAYS_LOSS "strays"

/* Append "1 of 2001 events is not drawn: up to 12 days from all others (...)"; nothing if there are none. */
void strays_say(const struct strays *s, const char *what, struct str *out);

#endif
