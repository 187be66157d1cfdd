/* living: the processes and threads that some records are about, which lived when the records were written or later. */
#ifndef COLLECT_RECORDING_LIVING_H
#define COLLECT_RECORDING_LIVING_H

#include <stdbool.h>
#include <stdint.h>

#include "core/map.h"

/* {0} is valid and empty. */
struct living {
	struct map threads; /* (PID, TID); TID 0: the process itself */
};

/* Note which thread a record (FORK, EXIT, COMM, MMAP2, ...) is about. */
void living_note(struct living *l, const uint8_t *record, uint32_t type);

/* Was there a record about this thread of a process; tid 0: about the process? */
bool living_has(const struct living *l, int pid, int tid);

void living_free(struct living *l);

#endif
