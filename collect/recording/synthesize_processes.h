/* synthesize_processes: records for each process, its threads and mappings, from /proc. */
#ifndef COLLECT_RECORDING_SYNTHESIZE_PROCESSES_H
#define COLLECT_RECORDING_SYNTHESIZE_PROCESSES_H

#include "collect/machine/procfs.h"
#include "collect/recording/synthesis.h"

/* Add the processes in pids; all if NULL. */
void synthesize_processes(struct synthesis *s, const struct pids *pids);

#endif
