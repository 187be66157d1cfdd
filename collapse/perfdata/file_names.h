/* file_names: the files, or devices, that samples refer to by number (RECORDING_FILES, RECORDING_DEVICES). */
#ifndef COLLAPSE_PERFDATA_FILE_NAMES_H
#define COLLAPSE_PERFDATA_FILE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/perfdata.h"
#include "core/format/recording.h"

struct file_name { /* points into the recording */
	const char *path;
	size_t len;
};

struct file_names { /* {0} is empty */
	struct file_name *list;
	size_t count, cap;
	uint64_t first; /* number of the first one */
};

/* Read such a section: of each line, what follows the number. */
void file_names_read(struct file_names *f, const struct perfdata *d, enum recording_feature section);

/* The one of that number; NULL if there is none.  Valid until f is freed. */
const struct file_name *file_names_get(const struct file_names *f, uint64_t number);

void file_names_free(struct file_names *f);

#endif
