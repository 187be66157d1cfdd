#include "collect/recording/kept_state.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/recording/records.h"
#include "core/map.h"

/* FORK and EXIT begin with pid, ppid, tid, ptid; COMM with pid, tid; the others, but for those about the kernel, too. */
struct task_ids {
	uint32_t pid, tid;
	uint32_t parent; /* of a new process; 0: it is none */
	bool has;
};

/* What ended: (pid, tid) -> where its EXIT is, plus 1; and the processes among them whose mappings a child has, who lives
 * and may not have called exec. */
struct ended {
	struct map tasks, needed;
};

static struct task_ids ids_of(const uint8_t *record, const struct perf_event_header *header)
{
	uint32_t fields[4] = { 0 };
	struct task_ids ids = { 0 };

	if (header->size < sizeof(*header) + 2 * sizeof(uint32_t))
		return ids;
	memcpy(fields, record + sizeof(*header),
	       header->size < sizeof(*header) + sizeof(fields) ? 2 * sizeof(uint32_t) : sizeof(fields));
	switch (header->type) {
	case PERF_RECORD_FORK:
		return (struct task_ids){ fields[0], fields[2], fields[0] == fields[1] ? 0 : fields[1], true };
	case PERF_RECORD_EXIT: return (struct task_ids){ fields[0], fields[2], 0, true };
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_NAMESPACES: return (struct task_ids){ fields[0], fields[1], 0, fields[0] != UINT32_MAX };
	default: return ids;
	}
}

static bool is_there(uint32_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%u", pid);
	return !access(path, F_OK);
}

/* In the older part.  The main thread of a process may end before others. */
static void find_ends(struct ended *ended, const struct kept_state *k)
{
	struct records all = { (const uint8_t *)k->out.buf, k->older, 0 };
	struct perf_event_header header;
	const uint8_t *record;

	while ((record = records_next(&all, &header))) {
		struct task_ids ids = ids_of(record, &header);

		if (header.type == PERF_RECORD_EXIT && ids.has && (ids.pid != ids.tid || !is_there(ids.pid)))
			*map_at(&ended->tasks, ids.pid, ids.tid) = (uint32_t)(record - all.bytes) + 1;
	}
}

static bool process_ended(const struct ended *ended, uint32_t pid, size_t at)
{
	return map_get(&ended->tasks, pid, pid) > at && !map_get(&ended->needed, pid, 0);
}

/* Parents were forked before their children: the last ones first. */
static void find_needed(struct ended *ended, const struct kept_state *k)
{
	struct records all = { (const uint8_t *)k->out.buf, k->out.len, 0 };
	struct perf_event_header header;
	struct task_ids *forks = NULL;
	size_t count = 0, cap = 0;
	const uint8_t *record;

	while ((record = records_next(&all, &header))) {
		struct task_ids ids = ids_of(record, &header);

		if (!ids.parent)
			continue;
		forks = xgrow(forks, &cap, count + 1, sizeof(*forks));
		forks[count++] = ids;
	}
	while (count--) {
		if (!process_ended(ended, forks[count].pid, 0))
			*map_at(&ended->needed, forks[count].parent, 0) = 1;
	}
	free(forks);
}

/* Mappings belong to the process. */
static bool has_ended(const struct ended *ended, const struct task_ids *ids, size_t at, uint32_t type)
{
	bool of_thread = type != PERF_RECORD_MMAP && type != PERF_RECORD_MMAP2 && ids->pid != ids->tid;

	return process_ended(ended, ids->pid, at) || (of_thread && map_get(&ended->tasks, ids->pid, ids->tid) > at);
}

static void forget_ended(struct kept_state *k)
{
	struct records all = { (const uint8_t *)k->out.buf, k->out.len, 0 };
	struct perf_event_header header;
	const uint8_t *record;
	struct ended ended = { 0 };
	size_t len = 0;

	find_ends(&ended, k);
	if (ended.tasks.count)
		find_needed(&ended, k);
	while (ended.tasks.count && (record = records_next(&all, &header))) {
		struct task_ids ids = ids_of(record, &header);
		size_t at = (size_t)(record - all.bytes);

		if (ids.has && has_ended(&ended, &ids, at, header.type))
			continue;
		memmove(k->out.buf + len, record, header.size);
		len += header.size;
	}
	if (ended.tasks.count)
		k->out.len = len;
	map_free(&ended.tasks);
	map_free(&ended.needed);
}

static void keep(void *state, const uint8_t *record, uint32_t type)
{
	struct kept_state *k = state;
	struct perf_event_header header;

	if (!record_is_state(type))
		return;
	memcpy(&header, record, sizeof(header));
	str_add(&k->out, (const char *)record, header.size);
}

void kept_state_take(struct kept_state *k, const char *path, uint64_t size)
{
	new_records_read(&k->passed, path, size, keep, k);
	forget_ended(k);
	k->older = k->out.len;
}

void kept_state_written(struct kept_state *k, uint64_t size)
{
	k->passed.seen = size;
}

void kept_state_free(struct kept_state *k)
{
	str_free(&k->out);
	*k = (struct kept_state){ 0 };
}
