/* recorded_names: the names of things that samples refer to by number: files and devices (RECORDING_FILES,
 * RECORDING_DEVICES), system calls (RECORDING_SYSCALLS). */
#ifndef COLLAPSE_PERFDATA_RECORDED_NAMES_H
#define COLLAPSE_PERFDATA_RECORDED_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/perfdata.h"
#include "core/format/recording.h"
#include "core/map.h"

struct file_name { /* points into the recording */
	const char *path;
	size_t len;
};

struct file_names { /* {0} is empty */
	struct file_name *list;
	size_t count, cap;
	uint64_t first; /* number of the first one */
};

/* Read such a section: for each line, the text after the number. */
void file_names_read(struct file_names *f, const struct perfdata *d, enum recording_feature section);

/* The name with that number; NULL: there is none.  Valid until f is freed. */
const struct file_name *file_names_get(const struct file_names *f, uint64_t number);

void file_names_free(struct file_names *f);

struct named_syscall { /* name points into the recording */
	uint64_t number;
	const char *name;
	size_t len;
};

struct syscall_names { /* {0} is empty */
	struct named_syscall *list;
	size_t count, cap;
	struct map by_number; /* place in list + 1 */
};

void syscall_names_read(struct syscall_names *n, const struct perfdata *d);

/* NULL: the recording does not name it. */
const struct named_syscall *syscall_names_find(const struct syscall_names *n, uint64_t number);

void syscall_names_free(struct syscall_names *n);

#endif
