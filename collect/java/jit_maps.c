#include "collect/java/jit_maps.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "collect/machine/anchors.h"
#include "core/memory.h"
#include "core/symbols/space/changes.h"
#include "core/symbols/space/modules.h"

static struct jit_birth *birth_of(struct jit_maps *j, int pid)
{
	if (!j->births)
		j->births = xcalloc(JIT_BIRTHS, sizeof(*j->births));
	return &j->births[(unsigned)pid % JIT_BIRTHS];
}

/* FORK: pid ppid tid ptid time (0: the process was there before) */
static void note_birth(struct jit_maps *j, const uint8_t *record)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, parent_pid, tid, parent_tid;
		uint64_t ns;
	} fork;

	memcpy(&fork.header, record, sizeof(fork.header));
	if (fork.header.size < sizeof(fork))
		return;
	memcpy(&fork, record, sizeof(fork));
	if (fork.pid != fork.parent_pid && fork.ns)
		*birth_of(j, (int)fork.pid) = (struct jit_birth){ (int)fork.pid, fork.ns };
}

static void jit_maps_add_file(struct jit_maps *j, int pid, const char *path, size_t path_len)
{
	size_t number = jit_files_add(&j->files, pid, path, path_len);
	const struct jit_birth *birth = birth_of(j, pid);

	if (number < j->files.count && birth->pid == pid)
		j->files.items[number].born_ns = birth->ns;
}

static void jit_maps_look_at(void *argument, const uint8_t *record, uint32_t type)
{
	struct jit_maps *j = argument;
	struct mmap_record m;

	if (type == PERF_RECORD_FORK)
		note_birth(j, record);
	if ((type != PERF_RECORD_MMAP && type != PERF_RECORD_MMAP2) || !mmap_record_read(record, true, &m) ||
	    m.kernel || m.data)
		return;
	if (path_is_anonymous(m.path, m.path_len, m.copied))
		jit_maps_add_file(j, m.pid, NULL, 0);
	else if (path_is_jitdump(m.path, m.path_len))
		jit_maps_add_file(j, m.pid, m.path, m.path_len);
}

void jit_maps_update(struct jit_maps *j, const char *path, uint64_t size, bool last)
{
	new_records_read(&j->records, path, size, jit_maps_look_at, j);
	jit_files_read(&j->files, monotonic_ns(), last);
}

static bool is_living(const void *living, int pid)
{
	return living_has(living, pid, 0);
}

void jit_maps_forget(struct jit_maps *j, const struct living *living)
{
	jit_files_forget(&j->files, is_living, living);
}

void jit_maps_free(struct jit_maps *j)
{
	if (!j)
		return;
	jit_files_free(&j->files);
	free(j->births);
	*j = (struct jit_maps){ 0 };
}
