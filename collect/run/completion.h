/* completion: adds what follows the data of a recording: names, losses, the machine. */
#ifndef COLLECT_RUN_COMPLETION_H
#define COLLECT_RUN_COMPLETION_H

#include "collect/java/jit_maps.h"
#include "collect/recording/kept_files.h"
#include "collect/recording/writer.h"
#include "collect/sampling/sampler.h"

/* Add the sections, count losses, and finish.  s: also count losses that no record reports; NULL: they were counted.
 * Mappings that were not read yet are read from `read`, which is r itself or a recording that r is a part of. Returns
 * 0, or -1 after a message. */
int recording_complete(struct recording *r, const struct recording *read, const struct sampler *s,
		       struct kept_files *kept, struct jit_maps *maps);

#endif
