#include "core/symbols/space/changes.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/memory.h"
#include "core/sorted.h"

enum { HEADER_BYTES = sizeof(struct perf_event_header), MMAP_BYTES = 32, MMAP2_BYTES = 64 };

static struct perf_event_header header_of(const uint8_t *record)
{
	struct perf_event_header header;

	memcpy(&header, record, sizeof(header));
	return header;
}

static uint32_t changes_load_u32(const uint8_t *p)
{
	uint32_t n;

	memcpy(&n, p, sizeof(n));
	return n;
}

static uint64_t changes_load_u64(const uint8_t *p)
{
	uint64_t n;

	memcpy(&n, p, sizeof(n));
	return n;
}

bool is_change(uint32_t type)
{
	return type == PERF_RECORD_MMAP || type == PERF_RECORD_MMAP2 || type == PERF_RECORD_COMM ||
	       type == PERF_RECORD_FORK;
}

void changes_add(struct changes *c, const uint8_t *record, uint64_t time_ns)
{
	size_t size = header_of(record).size;
	uint8_t *copy = arena_alloc(&c->records, size);

	memcpy(copy, record, size);
	c->items = xgrow(c->items, &c->cap, c->count + 1, sizeof(*c->items));
	c->items[c->count] = (struct change){ time_ns, copy, (uint32_t)c->count };
	c->count++;
}

static int changes_by_time(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return ORDER(x->time_ns, y->time_ns) ?: ORDER(x->order, y->order);
}

void changes_sort(struct changes *c)
{
	if (c->count)
		qsort(c->items, c->count, sizeof(*c->items), changes_by_time);
}

/* MMAP:  pid tid addr len pgoff path
 * MMAP2: pid tid addr len pgoff (maj min ino gen | size build-id) prot flags path */
bool mmap_record_read(const uint8_t *record, bool trust_build_ids, struct mmap_record *m)
{
	struct perf_event_header header = header_of(record);
	bool second = header.type == PERF_RECORD_MMAP2;
	size_t head = HEADER_BYTES + (second ? MMAP2_BYTES : MMAP_BYTES);
	const uint8_t *body = record + HEADER_BYTES;

	if (header.size < head)
		return false;
	*m = (struct mmap_record){
		.pid = (int)changes_load_u32(body),
		.kernel = (header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL,
		.data = header.misc & PERF_RECORD_MISC_MMAP_DATA,
		.start = changes_load_u64(body + 8),
		.len = changes_load_u64(body + 16),
		.offset = changes_load_u64(body + 24),
		.path = (const char *)record + head,
		.path_len = strnlen((const char *)record + head, header.size - head),
	};
	m->copied = second && (changes_load_u32(body + 60) & MAP_TYPE) == MAP_PRIVATE;
	if (second && header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID && trust_build_ids && body[32] <= BUILD_ID_MAX) {
		m->build_id_len = body[32];
		memcpy(m->build_id, body + 36, m->build_id_len);
	} else if (second) {
		m->major = changes_load_u32(body + 32);
		m->minor = changes_load_u32(body + 36);
		m->inode = changes_load_u64(body + 40);
	}
	return true;
}

uint32_t change_module(struct modules *modules, const struct mmap_record *m)
{
	char *path = xstrndup(m->path, m->path_len);
	uint32_t module = modules_add_mapping(modules, path, m->build_id, m->build_id_len, m->major, m->minor, m->inode,
					      m->copied, m->pid);

	free(path);
	modules_saw(modules, module, m->pid, m->start, m->len);
	return module;
}

void change_map(struct spaces *spaces, struct modules *modules, const struct mmap_record *m, uint64_t time_ns)
{
	bool dump = path_is_jitdump(m->path, m->path_len);
	uint32_t module;

	if (m->kernel || m->data)
		return;
	module = change_module(modules, m);
	if (path_is_runtime(m->path, m->path_len))
		spaces_map_always(spaces, m->pid, m->start, m->len, module);
	else if (dump) /* a dump is mapped only to show where it is, never to run */
		return;
	else if (modules->items[module].kind == MODULE_JIT) /* the offsets of such mappings differ between the
							     * kernel and /proc */
		spaces_map_memory(spaces, m->pid, time_ns, m->start, m->len, module);
	else
		spaces_map(spaces, m->pid, time_ns, m->start, m->len, m->offset, module);
}

/* FORK: pid ppid tid ptid time.  COMM: pid tid name. */
void change_process(struct spaces *spaces, const struct change *change)
{
	struct perf_event_header header = header_of(change->record);
	const uint8_t *body = change->record + HEADER_BYTES;

	if (header.size < HEADER_BYTES + 8)
		return;
	if (header.type == PERF_RECORD_FORK)
		spaces_fork(spaces, (int)changes_load_u32(body), (int)changes_load_u32(body + 4), change->time_ns);
	else if (header.type == PERF_RECORD_COMM && header.misc & PERF_RECORD_MISC_COMM_EXEC)
		spaces_exec(spaces, (int)changes_load_u32(body), change->time_ns);
}

void changes_apply(struct changes *c, struct spaces *spaces, struct modules *modules, bool trust_build_ids)
{
	struct mmap_record m;

	changes_sort(c);
	for (size_t i = 0; i < c->count; i++) {
		const struct change *change = &c->items[i];
		uint32_t type = header_of(change->record).type;

		if (type != PERF_RECORD_MMAP && type != PERF_RECORD_MMAP2)
			change_process(spaces, change);
		else if (mmap_record_read(change->record, trust_build_ids, &m))
			change_map(spaces, modules, &m, change->time_ns);
	}
}

void changes_free(struct changes *c)
{
	if (!c)
		return;
	free(c->items);
	arena_free(&c->records);
	*c = (struct changes){ 0 };
}
