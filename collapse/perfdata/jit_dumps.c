#include "collapse/perfdata/jit_dumps.h"

#include <string.h>
#include <time.h>

#include "core/error.h"

/* Does the recording use the same clock as jitdumps? */
static bool is_monotonic(const struct perfdata *d)
{
	for (size_t i = 0; i < d->event_count; i++) {
		const struct perf_event_attr *attr = &d->events[i].attr;

		if (!attr->use_clockid || attr->clockid != CLOCK_MONOTONIC)
			return false;
	}
	return true;
}

bool jit_dumps_read(struct jit_files *jit, const struct perfdata *d, struct sideband *sideband)
{
	struct modules *modules = &sideband->modules;

	for (size_t i = 0; i < modules->count; i++) {
		const struct module *m = &modules->items[i];
		size_t len = strlen(m->path);

		if (m->kind == MODULE_JIT && path_is_jitdump(m->path, len))
			jit_files_add(jit, m->pid, m->path, len);
	}
	if (!jit->count)
		return false;
	jit->timeless = !is_monotonic(d);
	if (jit->timeless)
		warn("%s: its clock is not that of the jitdumps: code at an address that was used several times gets "
		     "the last name (perf record -k CLOCK_MONOTONIC avoids this)",
		     d->path);
	jit_files_read(jit, 1, true);
	jit_files_place(jit, &sideband->spaces, modules);
	jit_files_complain(jit);
	return true;
}
