/* kept_files: keeps the files of mapped code open until their symbols have been read: a program may be removed or
 * replaced while it is recorded, and the files of a container go away with its mount namespace.
 *
 * A file is opened when its mapping reaches the recording, up to a tenth of a second after the mapping was made.
 * If a process ends sooner and its files go away with it, its frames get no names. */
#ifndef COLLECT_RECORDING_KEPT_FILES_H
#define COLLECT_RECORDING_KEPT_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "collect/recording/records.h"
#include "core/str.h"
#include "core/symbols/kernel_copy.h"
#include "core/symbols/space/modules.h"

/* {0} is valid and empty. */
struct kept_files {
	struct modules modules; /* modules whose files are kept have kept_fd */
	size_t count, limit;
	struct new_records records;
	struct kernel_copy kernel; /* see kept_files_keep_kernel() */
	struct str kernel_modules; /* names and addresses, as of the last look */
	bool kernel_changed;       /* since then, or it may have */
	struct kept_files *before; /* during kept_files_forget(): what was kept until then */
};

/* Also keep the kernel's symbols, until a module or BPF program comes or goes.  For callers that complete one recording
 * after another, as reading these symbols takes 50 ms. */
void kept_files_keep_kernel(struct kept_files *k);

/* Look at what was appended to the recording at path since the last call.
 * size: the bytes of the recording's whole records. */
void kept_files_update(struct kept_files *k, const char *path, uint64_t size);

/* Keep open only files that were mapped when the records in state were written, or in the recording at path after its
 * first `from` bytes; size as above. */
void kept_files_forget(struct kept_files *k, const struct str *state, const char *path, uint64_t from, uint64_t size);

/* Set kept_fd in those modules of m whose files are kept.  k must outlive m. */
void kept_files_give(struct kept_files *k, struct modules *m);

void kept_files_free(struct kept_files *k);

#endif
