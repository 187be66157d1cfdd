/* synthesis: records that we write for what existed before the recording began: the kernel, processes, mappings. */
#ifndef COLLECT_RECORDING_SYNTHESIS_H
#define COLLECT_RECORDING_SYNTHESIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/machine/cpus.h"
#include "collect/machine/procfs.h"
#include "core/str.h"
#include "core/symbols/elf/elf_file.h"

struct file_id {
	uint64_t device, inode; /* inode 0: an empty slot */
	uint8_t len, id[BUILD_ID_MAX];
};

struct file_ids {              /* the build-ids of mapped files, read once for each file; {0} is empty */
	struct file_id *slots; /* [slot_count], open addressing by device and inode */
	size_t slot_count, count;
};

struct synthesis {          /* {0}, then id */
	uint64_t id;        /* id of the event that the records belong to */
	struct str out;     /* whole records */
	bool kernel_hidden; /* kptr_restrict hides the kernel's addresses */
	struct file_ids files;
};

/* Add the kernel's text and its modules. */
void synthesize_kernel(struct synthesis *s);

/* Add the recorded CPUs, as perf writes them. */
void synthesize_cpus(struct synthesis *s, const struct cpus *cpus);

/* Add the processes in pids (NULL: all), with their threads and mappings, from /proc. */
void synthesize_processes(struct synthesis *s, const struct pids *pids);

void synthesis_free(struct synthesis *s);

#endif
