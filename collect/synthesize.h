/* synthesize: records for what was there before the recording began: the kernel,
 * its modules, and from /proc each process with its threads and mappings. */
#ifndef COLLECT_SYNTHESIZE_H
#define COLLECT_SYNTHESIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/cpus.h"
#include "collect/procfs.h"
#include "core/str.h"

struct synthesis {            /* {0}, then id */
	uint64_t id;          /* of the event that the records seem to come from */
	struct str out;       /* the records, whole ones */
	bool kernel_hidden;   /* kptr_restrict hides its addresses */
	struct file_id *files; /* build-ids by file */
	size_t file_count, file_slots;
};

/* The CPUs that are looked at, as perf says it. */
void synthesize_cpus(struct synthesis *s, const struct cpus *cpus);

/* The kernel's text and its modules. */
void synthesize_kernel(struct synthesis *s);

/* The processes in pids; every one there is when NULL. */
void synthesize_processes(struct synthesis *s, const struct pids *pids);

void synthesis_free(struct synthesis *s);

#endif
