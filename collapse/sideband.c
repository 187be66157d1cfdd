#include "collapse/sideband.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/sample.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/progress.h"

enum { HEADER_BYTES = sizeof(struct perf_event_header) };

struct change {
	uint64_t time_ns;
	struct record record;
};

struct changes {
	struct change *items;
	size_t count, cap;
};

/* --- counting, on the way ------------------------------------------------------- */

static void count_sample(struct sideband *s, const struct perfdata *d, const struct record *r)
{
	struct event *event;
	uint64_t time_ns;

	if (!sample_read_time(d, r, &event, &time_ns)) {
		s->damaged++;
		return;
	}
	event->sample_count++;
	if (!s->samples++ || time_ns < s->first_ns)
		s->first_ns = time_ns;
	if (time_ns > s->last_ns)
		s->last_ns = time_ns;
}

static void count_loss(struct sideband *s, const struct record *r)
{
	if (r->type == PERF_RECORD_LOST && r->size >= HEADER_BYTES + 16) {
		s->lost_records++;
		s->lost_samples += load_u64(r->bytes + HEADER_BYTES + 8);
	} else if (r->type == PERF_RECORD_LOST_SAMPLES && r->size >= HEADER_BYTES + 8) {
		s->lost_samples += load_u64(r->bytes + HEADER_BYTES);
	} else if (r->type == PERF_RECORD_THROTTLE) {
		s->throttled++;
	}
}

/* --- changes: mappings, names, processes ------------------------------------------- */

/* The text at offset at of a record, which ends with a NUL or with the record. */
static size_t text_at(const struct record *r, size_t at, const char **text)
{
	*text = at < r->size ? (const char *)r->bytes + at : "";
	return at < r->size ? strnlen(*text, r->size - at) : 0;
}

/* "[kernel.kallsyms]_text": pgoff is the address of _text while recording. */
static void note_kernel(struct sideband *s, const char *path, size_t len, uint64_t pgoff)
{
	static const char prefix[] = "[kernel.kallsyms]";
	size_t skip = sizeof(prefix) - 1;

	if (len <= skip || len - skip >= sizeof(s->kernel_symbol) || memcmp(path, prefix, skip))
		return;
	memcpy(s->kernel_symbol, path + skip, len - skip);
	s->kernel_symbol[len - skip] = '\0';
	s->kernel_address = pgoff;
}

/* MMAP:  pid tid addr len pgoff path
 * MMAP2: pid tid addr len pgoff (maj min ino gen | build-id) prot flags path */
static void apply_mmap(struct sideband *s, const struct record *r, uint64_t time_ns)
{
	const uint8_t *body = r->bytes + HEADER_BYTES;
	bool second = r->type == PERF_RECORD_MMAP2;
	uint32_t major = 0, minor = 0, module;
	size_t head = second ? 64 : 32, len, build_id_len = 0;
	uint64_t inode = 0, pgoff;
	uint8_t build_id[BUILD_ID_MAX];
	const char *text;
	char *path;
	int pid;

	if (r->size < HEADER_BYTES + head || r->misc & PERF_RECORD_MISC_MMAP_DATA)
		return;
	pid = (int)load_u32(body);
	pgoff = load_u64(body + 24);
	len = text_at(r, HEADER_BYTES + head, &text);
	if ((r->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL) {
		note_kernel(s, text, len, pgoff);
		return;
	}
	if (second && r->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		build_id_len = body[32] < BUILD_ID_MAX ? body[32] : BUILD_ID_MAX;
		memcpy(build_id, body + 36, build_id_len);
	} else if (second) {
		major = load_u32(body + 32);
		minor = load_u32(body + 36);
		inode = load_u64(body + 40);
	}
	path = xstrndup(text, len);
	if (!build_id_len)
		build_id_len = build_ids_find(&s->build_ids, path, build_id);
	module = modules_add_mapping(&s->modules, path, build_id, build_id_len, major, minor, inode,
				     pid);
	free(path);
	spaces_map(&s->spaces, pid, time_ns, load_u64(body + 8), load_u64(body + 16), pgoff, module);
}

/* COMM: pid tid name; the misc bit tells exec from prctl. */
static void apply_comm(struct sideband *s, const struct record *r, uint64_t time_ns)
{
	const char *name;
	size_t len;

	if (r->size < HEADER_BYTES + 8)
		return;
	len = text_at(r, HEADER_BYTES + 8, &name);
	if (r->misc & PERF_RECORD_MISC_COMM_EXEC)
		spaces_exec(&s->spaces, (int)load_u32(r->bytes + HEADER_BYTES), time_ns);
	comms_set(&s->comms, (int)load_u32(r->bytes + HEADER_BYTES + 4), time_ns, name, len);
}

/* FORK: pid ppid tid ptid time */
static void apply_fork(struct sideband *s, const struct record *r, uint64_t time_ns)
{
	const uint8_t *body = r->bytes + HEADER_BYTES;

	if (r->size < HEADER_BYTES + 24)
		return;
	spaces_fork(&s->spaces, (int)load_u32(body), (int)load_u32(body + 4), time_ns);
	comms_fork(&s->comms, (int)load_u32(body + 8), (int)load_u32(body + 12), time_ns);
}

static void apply(struct sideband *s, const struct change *change)
{
	switch (change->record.type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		apply_mmap(s, &change->record, change->time_ns);
		break;
	case PERF_RECORD_COMM:
		apply_comm(s, &change->record, change->time_ns);
		break;
	case PERF_RECORD_FORK:
		apply_fork(s, &change->record, change->time_ns);
		break;
	}
}

static int by_time(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->record.bytes < y->record.bytes ? -1 : x->record.bytes > y->record.bytes;
}

static void note_change(struct changes *changes, const struct record *r, uint64_t time_ns)
{
	changes->items = xgrow(changes->items, &changes->cap, changes->count + 1,
			       sizeof(*changes->items));
	changes->items[changes->count++] = (struct change){ time_ns, *r };
}

void sideband_read(struct sideband *s, struct perfdata *d)
{
	struct changes changes = {0};
	struct record_cursor cursor;
	uint64_t latest_ns = 0;
	struct record r;

	modules_init(&s->modules);
	build_ids_read(&s->build_ids, d);
	record_cursor_init(&cursor, d);
	while (record_next(&cursor, &r)) {
		switch (r.type) {
		case PERF_RECORD_SAMPLE:
			count_sample(s, d, &r);
			break;
		case PERF_RECORD_MMAP:
		case PERF_RECORD_MMAP2:
		case PERF_RECORD_COMM:
		case PERF_RECORD_FORK:
			latest_ns = record_time(d, &r, latest_ns);
			note_change(&changes, &r, latest_ns);
			break;
		default:
			count_loss(s, &r);
		}
	}
	if (changes.count)
		qsort(changes.items, changes.count, sizeof(*changes.items), by_time);
	for (size_t i = 0; i < changes.count; i++)
		apply(s, &changes.items[i]);
	free(changes.items);
	if (s->damaged)
		warn("%s: %llu samples make no sense and are skipped", d->path,
		     (unsigned long long)s->damaged);
}

void sideband_free(struct sideband *s)
{
	if (!s)
		return;
	modules_free(&s->modules);
	spaces_free(&s->spaces);
	comms_free(&s->comms);
	build_ids_free(&s->build_ids);
	*s = (struct sideband){0};
}
