/* file_ids: the build-ids of mapped files, each read once. */
#ifndef COLLECT_MACHINE_FILE_IDS_H
#define COLLECT_MACHINE_FILE_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/symbols/elf/elf_file.h"

struct file_id {
	uint64_t device, inode; /* inode 0: an empty slot */
	uint8_t len, id[BUILD_ID_MAX];
};

struct file_ids {              /* {0} is empty */
	struct file_id *slots; /* [slot_count], open addressing by device and inode */
	size_t slot_count, count;
};

/* The file's entry; inode must not be 0.  *fresh: the entry is new and has no id yet.  Valid until the next
 * call. */
struct file_id *file_id_find(struct file_ids *f, uint64_t device, uint64_t inode, bool *fresh);

void file_ids_free(struct file_ids *f);

#endif
