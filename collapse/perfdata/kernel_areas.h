/* kernel_areas: where kernel modules were loaded while recording, so that nameless frames in them are
 * shown as "[joydev]", as in perf, and not attributed to the kernel itself. */
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

/* Note a kernel mapping, unless it is the kernel itself. */
void kernel_areas_add(struct kernel_areas *k, struct modules *modules, const struct mmap_record *m);

/* Assign resolved kernel places without a name to the kernel module that they are in. */
void kernel_areas_assign(struct kernel_areas *k, struct places *places);

void kernel_areas_free(struct kernel_areas *k);

#endif
