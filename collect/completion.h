/* completion: what a recording holds behind its data: names, losses, the machine. */
#ifndef COLLECT_COMPLETION_H
#define COLLECT_COMPLETION_H

#include "collect/jit_maps.h"
#include "collect/kept_files.h"
#include "collect/sampler.h"
#include "collect/writer.h"

/* Add the sections, count what was lost, and finish.  Returns 0, or -1 after a
 * message. */
int recording_complete(struct recording *r, const struct sampler *s, struct kept_files *kept,
		       struct jit_maps *maps);

#endif
