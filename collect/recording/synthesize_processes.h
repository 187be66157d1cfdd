/* synthesize_processes: records, from /proc, for each process with its threads and mappings. */
#ifndef COLLECT_RECORDING_SYNTHESIZE_PROCESSES_H
#define COLLECT_RECORDING_SYNTHESIZE_PROCESSES_H

#include "collect/machine/procfs.h"
#include "collect/recording/synthesis.h"

/* The processes in pids; every one there is when NULL. */
void synthesize_processes(struct synthesis *s, const struct pids *pids);

#endif
