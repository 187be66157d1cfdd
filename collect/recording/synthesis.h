/* synthesis: records that we write for what existed before the recording began
 * (collect/recording/synthesize_kernel.h, collect/recording/synthesize_processes.h). */
#ifndef COLLECT_RECORDING_SYNTHESIS_H
#define COLLECT_RECORDING_SYNTHESIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/machine/file_ids.h"
#include "core/str.h"
#include "core/symbols/elf/elf_file.h"

struct synthesis {          /* {0}, then id */
	uint64_t id;        /* id of the event that the records belong to */
	struct str out;     /* whole records */
	bool kernel_hidden; /* kptr_restrict hides the kernel's addresses */
	struct file_ids files;
};

/* The fields of a PERF_RECORD_MMAP2. */
struct mmap2 {
	uint32_t pid, tid;
	uint64_t start, len, offset;
	union {
		struct {
			uint32_t major, minor;
			uint64_t inode, generation;
		};
		struct {
			uint8_t id_len, reserved[3];
			uint8_t id[BUILD_ID_MAX];
		};
	};
	uint32_t protection, flags;
};

/* Add a record: its fields, a name padded with zeros to 8 bytes (none if NULL), and the trailer. */
void synthesis_add(struct synthesis *s, uint32_t type, uint16_t misc, uint32_t pid, uint32_t tid, const void *fields,
		   size_t fields_len, const char *name, size_t name_len);

void synthesis_add_mmap2(struct synthesis *s, uint16_t misc, const struct mmap2 *m, const char *name, size_t len);

void synthesis_free(struct synthesis *s);

#endif
