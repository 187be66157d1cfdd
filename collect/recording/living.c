#include "collect/recording/living.h"

#include <linux/perf_event.h>
#include <string.h>

static void living_note_thread(struct living *l, uint32_t pid, uint32_t tid)
{
	*map_at(&l->threads, pid, 0) = 1;
	*map_at(&l->threads, pid, tid) = 1;
}

/* FORK, EXIT: pid ppid tid ptid; the others: pid tid */
void living_note(struct living *l, const uint8_t *record, uint32_t type)
{
	bool is_fork = type == PERF_RECORD_FORK || type == PERF_RECORD_EXIT;
	struct perf_event_header header;
	uint32_t fields[3] = { 0 };
	size_t size = is_fork ? sizeof(fields) : 2 * sizeof(*fields);

	if (!is_fork && type != PERF_RECORD_COMM && type != PERF_RECORD_MMAP && type != PERF_RECORD_MMAP2)
		return;
	memcpy(&header, record, sizeof(header));
	if (header.size < sizeof(header) + size)
		return;
	memcpy(fields, record + sizeof(header), size);
	living_note_thread(l, fields[0], fields[is_fork ? 2 : 1]);
}

bool living_has(const struct living *l, int pid, int tid)
{
	return map_get(&l->threads, (uint32_t)pid, (uint32_t)tid);
}

void living_free(struct living *l)
{
	map_free(&l->threads);
}
