#include "collect/recording/kept_state.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/recording/records.h"
#include "core/hash.h"
#include "core/map.h"

/* FORK and EXIT begin with pid, ppid, tid, ptid; COMM and all others, except records about the kernel, with pid,
 * tid. */
struct task_ids {
	uint32_t pid, tid;
	uint32_t parent; /* pid of the parent, if this is a new process; else 0 */
	bool has;
};

/* Facts in the older part of the state that no longer hold.  Positions are plus 1. */
struct over {
	struct map tasks;   /* that ended: (pid, tid) -> where */
	struct map needed;  /* living processes that inherited mappings and have not called exec since */
	struct map execs;   /* (pid, 0) -> the last one */
	struct map names;   /* (pid, tid) -> the last one */
	struct map ranges;  /* (address, pid) -> the last mapping there */
	struct map symbols; /* (hash of address and name, 0) -> 1 + how often such a symbol of the kernel has gone */
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

/* Ask in a way that works even where /proc hides other users' processes.  A number that belongs to no task counts as
 * present. */
static bool kept_state_is_there(uint32_t pid, uint32_t tid)
{
	return (int)pid <= 0 || (int)tid <= 0 || !syscall(SYS_tgkill, (int)pid, (int)tid, 0) || errno != ESRCH;
}

static struct records older_part(const struct kept_state *k)
{
	return (struct records){ (const uint8_t *)k->out.buf, k->older, 0 };
}

/* struct perf_event_header; u32 pid, tid; u64 addr, len */
enum { AT_ADDRESS = 16, AT_LENGTH = 24, RANGE_BYTES = 32 };

static bool is_mapping(const struct perf_event_header *header)
{
	return (header->type == PERF_RECORD_MMAP || header->type == PERF_RECORD_MMAP2) && header->size >= RANGE_BYTES;
}

static uint64_t load_range(const uint8_t *record, size_t at)
{
	uint64_t n;

	memcpy(&n, record + at, sizeof(n));
	return n;
}

/* struct perf_event_header; u64 addr; u32 len; u16 type, flags; char name[] */
enum { AT_KSYMBOL_FLAGS = 22, AT_KSYMBOL_NAME = 24, AT_KSYMBOL_ADDRESS = 8 };

static bool is_ksymbol(const struct perf_event_header *header)
{
	return header->type == PERF_RECORD_KSYMBOL && header->size > AT_KSYMBOL_NAME;
}

static bool ksymbol_goes(const uint8_t *record)
{
	uint16_t flags;

	memcpy(&flags, record + AT_KSYMBOL_FLAGS, sizeof(flags));
	return flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER;
}

static uint64_t ksymbol_key(const uint8_t *record, const struct perf_event_header *header)
{
	const char *name = (const char *)record + AT_KSYMBOL_NAME;

	return load_range(record, AT_KSYMBOL_ADDRESS) ^ hash_bytes(name, strnlen(name, header->size - AT_KSYMBOL_NAME));
}

/* The main thread of a process may end before others. */
static void note_record(struct over *over, struct map *seen, const uint8_t *record,
			const struct perf_event_header *header, uint32_t position)
{
	struct task_ids ids = ids_of(record, header);

	if (is_ksymbol(header) && ksymbol_goes(record)) {
		uint32_t *gone = map_at(&over->symbols, ksymbol_key(record, header), 0);

		*gone += *gone ? 1 : 2;
	}
	if (!ids.has)
		return;
	if (header->type == PERF_RECORD_EXIT && (ids.pid != ids.tid || !kept_state_is_there(ids.pid, ids.pid)))
		*map_at(&over->tasks, ids.pid, ids.tid) = position;
	if (header->type == PERF_RECORD_COMM)
		*map_at(&over->names, ids.pid, ids.tid) = position;
	if (header->type == PERF_RECORD_COMM && header->misc & PERF_RECORD_MISC_COMM_EXEC)
		*map_at(&over->execs, ids.pid, 0) = position;
	if (is_mapping(header))
		*map_at(&over->ranges, load_range(record, AT_ADDRESS), ids.pid) = position;
	*map_at(seen, ids.pid,
		header->type == PERF_RECORD_FORK || header->type == PERF_RECORD_COMM ? ids.tid : ids.pid) = 1;
}

/* Who ended in the last recording. */
static void find_ends(struct map *ends, const struct kept_state *k)
{
	struct records all = { (const uint8_t *)k->out.buf, k->out.len, k->older };
	struct perf_event_header header;
	const uint8_t *record;

	while ((record = records_next(&all, &header))) {
		struct task_ids ids = ids_of(record, &header);

		if (header.type == PERF_RECORD_EXIT && ids.has)
			*map_at(ends, ids.pid, ids.tid) = 1;
	}
}

/* An EXIT may be lost, so a thread that is not present has ended, too. */
static void find_over(struct over *over, const struct kept_state *k)
{
	struct records all = older_part(k);
	struct perf_event_header header;
	struct map seen = { 0 }, ends = { 0 };
	const uint8_t *record;

	find_ends(&ends, k);
	while ((record = records_next(&all, &header)))
		note_record(over, &seen, record, &header, (uint32_t)(record - all.bytes) + 1);
	for (size_t i = 0; i < seen.entry_count; i++) {
		const struct map_entry *e = &seen.entries[i];

		if (e->value && !map_get(&over->tasks, e->a, e->b) && !map_get(&ends, e->a, e->b) &&
		    !kept_state_is_there((uint32_t)e->a, e->b))
			*map_at(&over->tasks, e->a, e->b) = (uint32_t)k->older;
	}
	map_free(&seen);
	map_free(&ends);
}

static bool process_ended(const struct over *over, uint32_t pid, size_t at)
{
	return map_get(&over->tasks, pid, pid) > at && !map_get(&over->needed, pid, 0);
}

/* Go backwards, since parents were forked before their children. */
static void find_needed(struct over *over, const struct kept_state *k)
{
	struct records all = { (const uint8_t *)k->out.buf, k->out.len, 0 };
	struct perf_event_header header;
	struct task_ids *forks = NULL;
	size_t count = 0, cap = 0;
	const uint8_t *record;

	while ((record = records_next(&all, &header))) {
		struct task_ids ids = ids_of(record, &header);

		if (!ids.parent || map_get(&over->execs, ids.pid, 0) > (size_t)(record - all.bytes))
			continue;
		forks = xgrow(forks, &cap, count + 1, sizeof(*forks));
		forks[count++] = ids;
	}
	while (count--) {
		if (!process_ended(over, forks[count].pid, 0))
			*map_at(&over->needed, forks[count].parent, 0) = 1;
	}
	free(forks);
}

/* Does a later record replace this one, even in the older part?  at: position plus 1 */
static bool is_superseded(const struct over *over, const struct kept_state *k, const uint8_t *record,
			  const struct perf_event_header *header, const struct task_ids *ids, size_t at)
{
	uint32_t later;

	if (header->type == PERF_RECORD_COMM)
		return !(header->misc & PERF_RECORD_MISC_COMM_EXEC) && map_get(&over->names, ids->pid, ids->tid) > at;
	if (!is_mapping(header) || map_get(&over->needed, ids->pid, 0))
		return false;
	if (map_get(&over->execs, ids->pid, 0) > at)
		return true;
	later = map_get(&over->ranges, load_range(record, AT_ADDRESS), ids->pid);
	return later > at &&
	       load_range((const uint8_t *)k->out.buf + later - 1, AT_LENGTH) == load_range(record, AT_LENGTH);
}

/* The records that a kernel symbol came and that it went are dropped together.  Records of several CPUs may be in
 * another order than their events. */
static bool ksymbol_is_over(struct over *over, const uint8_t *record, const struct perf_event_header *header)
{
	uint32_t *gone;

	if (ksymbol_goes(record))
		return true;
	if (!map_get(&over->symbols, ksymbol_key(record, header), 0))
		return false;
	gone = map_at(&over->symbols, ksymbol_key(record, header), 0);
	if (*gone == 1)
		return false;
	--*gone;
	return true;
}

/* Mappings belong to the process. */
static bool kept_state_has_ended(const struct over *over, const struct task_ids *ids, size_t at, uint32_t type)
{
	bool of_thread = type != PERF_RECORD_MMAP && type != PERF_RECORD_MMAP2 && ids->pid != ids->tid;

	return process_ended(over, ids->pid, at) || (of_thread && map_get(&over->tasks, ids->pid, ids->tid) > at);
}

static bool kept_state_is_over(struct over *over, const struct kept_state *k, const uint8_t *record,
			       const struct perf_event_header *header, size_t at)
{
	struct task_ids ids = ids_of(record, header);

	if (at < k->older && is_ksymbol(header))
		return ksymbol_is_over(over, record, header);
	return ids.has && (kept_state_has_ended(over, &ids, at, header->type) ||
			   (at < k->older && is_superseded(over, k, record, header, &ids, at + 1)));
}

static void forget_over(struct kept_state *k)
{
	struct records all = { (const uint8_t *)k->out.buf, k->out.len, 0 };
	struct perf_event_header header;
	const uint8_t *record;
	struct over over = { 0 };
	struct str left = { 0 };

	find_over(&over, k);
	find_needed(&over, k);
	while ((record = records_next(&all, &header))) {
		if (!kept_state_is_over(&over, k, record, &header, (size_t)(record - all.bytes)))
			str_add(&left, (const char *)record, header.size);
	}
	str_free(&k->out);
	k->out = left;
	map_free(&over.tasks);
	map_free(&over.needed);
	map_free(&over.execs);
	map_free(&over.names);
	map_free(&over.ranges);
	map_free(&over.symbols);
}

static void kept_state_keep(void *state, const uint8_t *record, uint32_t type)
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
	new_records_read(&k->passed, path, size, kept_state_keep, k);
	forget_over(k);
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
