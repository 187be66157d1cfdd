#include "collect/jit_maps.h"

#include <linux/perf_event.h>

#include "collect/anchors.h"
#include "core/symbols/changes.h"
#include "core/symbols/modules.h"

static void look_at(void *argument, const uint8_t *record, uint32_t type)
{
	struct jit_maps *j = argument;
	struct mmap_record m;

	if ((type != PERF_RECORD_MMAP && type != PERF_RECORD_MMAP2) ||
	    !mmap_record_read(record, true, &m) || m.kernel || m.data)
		return;
	if (path_is_anonymous(m.path, m.path_len))
		jit_files_add(&j->files, m.pid, NULL, 0);
	else if (path_is_jitdump(m.path, m.path_len))
		jit_files_add(&j->files, m.pid, m.path, m.path_len);
}

void jit_maps_update(struct jit_maps *j, const char *path, uint64_t size, bool last)
{
	new_records_read(&j->records, path, size, look_at, j);
	jit_files_read(&j->files, monotonic_ns(), last);
}

void jit_maps_free(struct jit_maps *j)
{
	if (!j)
		return;
	jit_files_free(&j->files);
	*j = (struct jit_maps){0};
}
