/* kernel_areas: where modules of the kernel lay while recording, so that a function of theirs that has
 * no name is not shown as the kernel's: "[joydev]", as perf calls it. */
#ifndef COLLAPSE_PERFDATA_KERNEL_AREAS_H
#define COLLAPSE_PERFDATA_KERNEL_AREAS_H

#include <stddef.h>
#include <stdint.h>

#include "core/symbols/space/changes.h"
#include "core/symbols/space/modules.h"
#include "core/symbols/space/places.h"

struct kernel_area {
	uint64_t start, len;
	uint32_t module;
};

/* {0} is valid and empty. */
struct kernel_areas {
	struct kernel_area *items; /* [count]; sorted by kernel_areas_assign() */
	size_t count, cap;
};

/* Note a mapping of the kernel's, unless it is the kernel itself. */
void kernel_areas_add(struct kernel_areas *k, struct modules *modules, const struct mmap_record *m);

/* Places of the kernel, resolved, that have no name and lie in one of its modules become the module's. */
void kernel_areas_assign(struct kernel_areas *k, struct places *places);

void kernel_areas_free(struct kernel_areas *k);

#endif
