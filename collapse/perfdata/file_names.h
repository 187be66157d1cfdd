/* file_names: the files that samples refer to by number (RECORDING_FILES). */
#ifndef COLLAPSE_PERFDATA_FILE_NAMES_H
#define COLLAPSE_PERFDATA_FILE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/perfdata.h"

struct file_name { /* points into the recording */
	const char *path;
	size_t len;
};

struct file_names { /* {0} is empty */
	struct file_name *list;
	size_t count, cap;
};

void file_names_read(struct file_names *f, const struct perfdata *d);

void file_names_free(struct file_names *f);

#endif
