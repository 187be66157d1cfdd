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
};

/* Read such a section: of each line, what follows the number. */
void file_names_read(struct file_names *f, const struct perfdata *d, enum recording_feature section);

void file_names_free(struct file_names *f);

#endif
