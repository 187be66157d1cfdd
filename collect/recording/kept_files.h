/* kept_files: keeps the files of mapped code open until their symbols have been read: a program may be removed or
 * replaced while it is recorded, and a container's goes away with its mount namespace.
 *
 * A file is opened when its mapping reaches the recording, up to a tenth of a second after it was made: a process
 * that lives shorter, with files that go away with it, gets no names. */
#ifndef COLLECT_RECORDING_KEPT_FILES_H
#define COLLECT_RECORDING_KEPT_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "collect/recording/new_records.h"
#include "core/symbols/space/modules.h"

/* {0} is valid and empty. */
struct kept_files {
	struct modules modules; /* kept_fd: of those that are open */
	size_t count, limit;
	struct new_records records;
};

/* Look at what was appended to the recording at path since the last call. size: of its whole records. */
void kept_files_update(struct kept_files *k, const char *path, uint64_t size);

/* Set kept_fd in modules of m whose file is kept. k must outlive them. */
void kept_files_give(struct kept_files *k, struct modules *m);

void kept_files_free(struct kept_files *k);

#endif
