/* syscall_names: the names of system calls in a recording (RECORDING_SYSCALLS). */
#ifndef COLLAPSE_PERFDATA_SYSCALL_NAMES_H
#define COLLAPSE_PERFDATA_SYSCALL_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/perfdata.h"
#include "core/map.h"

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
