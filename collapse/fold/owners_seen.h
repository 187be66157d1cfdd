/* owners_seen: whose the samples of a profile are, for its header: pods, containers and units (core/format/folded.h). */
#ifndef COLLAPSE_FOLD_OWNERS_SEEN_H
#define COLLAPSE_FOLD_OWNERS_SEEN_H

#include <stdint.h>

#include "collapse/perfdata/owned.h"
#include "collapse/perfdata/sample.h"
#include "core/str.h"

struct owners_seen {       /* {0} is valid and empty */
	uint64_t *samples; /* [owned.group_count], by group; NULL: none was noted */
};

/* Count a sample. */
void owners_seen_note(struct owners_seen *seen, const struct owned *owned, const struct recorded_sample *s);

/* Append "pods=... containers=... units=... ", each only if there are some. */
void owners_seen_add(const struct owners_seen *seen, const struct owned *owned, struct str *header);

void owners_seen_free(struct owners_seen *seen);

#endif
