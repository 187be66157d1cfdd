#include "collapse/perfdata/sideband.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/perfdata/recorded.h"
#include "collapse/perfdata/sample.h"
#include "core/error.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "core/str.h"
#include "core/symbols/space/changes.h"

enum { HEADER_BYTES = sizeof(struct perf_event_header) };

/* --- data of hardware that traces --- */

/* By enum auxtrace_type (linux/tools/perf/util/auxtrace.h). */
static const struct {
	const char *name;
	const char *itrace; /* argument of perf inject --itrace */
} aux_kinds[] = {
	{ "a tracer", "i100us" }, { "Intel PT", "i100us" }, { "Intel BTS", "i1000" }, { "ARM CoreSight", "i100us" },
	{ "ARM SPE", "" },        { "s390 CPU-MF", "" },    { "HiSilicon PTT", "" },
};

enum { AUX_KINDS = sizeof(aux_kinds) / sizeof(*aux_kinds) };

/* Count a record if it contains or describes data of hardware traces. */
static void aux_data_count(struct aux_data *a, const struct record *r)
{
	if (r->type == RECORD_AUXTRACE_INFO && r->size >= 12)
		a->kind = load_u32(r->bytes + 8);
	else if (r->type == RECORD_AUXTRACE && r->size >= 16)
		a->bytes += load_u64(r->bytes + 8);
}

static void aux_data_say(const struct aux_data *a, const char *path, struct str *out)
{
	uint32_t kind = a->kind < AUX_KINDS ? a->kind : 0;
	bool is_file = strcmp(path, "stdin") != 0;

	str_addf(out,
		 "%s: %llu bytes of %s are not decoded: perf inject --itrace%s%s%s%s -o decoded.data turns them into "
		 "samples, on the machine where they were recorded; collapse decoded.data instead",
		 path, (unsigned long long)a->bytes, aux_kinds[kind].name, *aux_kinds[kind].itrace ? "=" : "",
		 aux_kinds[kind].itrace, is_file ? " -i " : "", is_file ? path : "");
}

void aux_data_warn(const struct aux_data *a, const char *path)
{
	struct str text = { 0 };

	if (!a->bytes)
		return;
	aux_data_say(a, path, &text);
	warn("%s", text.buf);
	str_free(&text);
}

int aux_data_error(const struct aux_data *a, const char *path)
{
	struct str text = { 0 };

	aux_data_say(a, path, &text);
	error("%s", text.buf);
	str_free(&text);
	return -1;
}

/* --- user stacks that were recorded later --- */

enum { ENTRIES_AT = HEADER_BYTES + 16 };

struct deferred_key {
	uint64_t cookie;
	int64_t tid; /* -1: the records have none */
};

static struct deferred_key deferred_key_of(uint64_t cookie, int32_t tid)
{
	return (struct deferred_key){ cookie, tid };
}

/* Add a record of type RECORD_CALLCHAIN_DEFERRED: u64 cookie, u64 count, entries[count], then the fields at the end of
 * every record.  Returns false if it is malformed. */
static bool deferred_add(struct deferred *f, const struct perfdata *d, const struct record *r)
{
	struct deferred_key key;
	uint32_t number;

	if (r->size < ENTRIES_AT || load_u64(r->bytes + HEADER_BYTES + 8) > (r->size - ENTRIES_AT) / 8u)
		return false;
	key = deferred_key_of(load_u64(r->bytes + HEADER_BYTES), record_tid(d, r, -1));
	number = intern_add(&f->keys, (const char *)&key, sizeof(key));
	f->chains = xgrow(f->chains, &f->cap, number + 1, sizeof(*f->chains));
	f->chains[number] = r->bytes + HEADER_BYTES + 8;
	return true;
}

const uint8_t *deferred_find(const struct deferred *f, const struct recorded_sample *s, uint64_t *count)
{
	struct deferred_key key = deferred_key_of(s->cookie, s->event->layout.tid_from_end < 0 ? -1 : s->tid);
	uint32_t number = intern_find(&f->keys, (const char *)&key, sizeof(key));

	if (number == UINT32_MAX)
		return NULL;
	*count = load_u64(f->chains[number]);
	return f->chains[number] + 8;
}

static void deferred_free(struct deferred *f)
{
	intern_free(&f->keys);
	free(f->chains);
	*f = (struct deferred){ 0 };
}

/* --- kernel modules that were loaded while recording --- */

/* "/lib/modules/6.1.0/kernel/net/xt-mark.ko.xz" -> "[xt_mark]": the kernel writes '_' for '-' in
 * names of modules. */
static void kernel_areas_add_name(struct str *out, const char *path, size_t len)
{
	const char *slash = memrchr(path, '/', len), *name = slash ? slash + 1 : path, *end = path + len, *dot;

	dot = memmem(name, (size_t)(end - name), ".ko", 3);
	str_addc(out, '[');
	for (const char *c = name; c < (dot ? dot : end); c++)
		str_addc(out, *c == '-' ? '_' : *c);
	str_addc(out, ']');
}

/* "[kernel.kallsyms]_text", "[guest.kernel.kallsyms.412]"; "[joydev]" and "[bpf_prog_...]" are not the kernel itself */
static bool is_kernel_itself(const struct mmap_record *m)
{
	return !m->path_len || text_begins(m->path, m->path_len, "[kernel.") ||
	       text_begins(m->path, m->path_len, "[guest.kernel");
}

/* Note a kernel mapping, unless it is the kernel itself. */
static void kernel_areas_add(struct kernel_areas *k, struct modules *modules, const struct mmap_record *m)
{
	struct str name = { 0 };

	if (is_kernel_itself(m))
		return;
	if (m->path[0] == '[')
		str_add(&name, m->path, m->path_len);
	else
		kernel_areas_add_name(&name, m->path, m->path_len);
	k->items = xgrow(k->items, &k->cap, k->count + 1, sizeof(*k->items));
	k->items[k->count++] =
		(struct kernel_area){ m->start, m->len, modules_add(modules, MODULE_KERNEL, name.buf, "-", 0) };
	str_free(&name);
}

SORT_BY(kernel_areas_by_start, struct kernel_area, start);

/* The area that contains address; NULL: none. */
static const struct kernel_area *kernel_areas_find(const struct kernel_areas *k, uint64_t address)
{
	size_t low = FIRST_NOT(i, k->count, k->items[i].start <= address);

	return low && address - k->items[low - 1].start < k->items[low - 1].len ? &k->items[low - 1] : NULL;
}

void kernel_areas_assign(struct kernel_areas *k, struct places *places)
{
	const struct kernel_area *area;

	if (!k->count)
		return;
	qsort(k->items, k->count, sizeof(*k->items), kernel_areas_by_start);
	for (size_t i = 0; i < places->count; i++) {
		struct place *place = &places->items[i];

		if (place->module == MODULE_KERNEL_ID && !place->name && (area = kernel_areas_find(k, place->address)))
			place->module = area->module;
	}
}

static void kernel_areas_free(struct kernel_areas *k)
{
	free(k->items);
	*k = (struct kernel_areas){ 0 };
}

/* --- counts --- */

static void sideband_count_sample(struct sideband *s, const struct perfdata *d, const struct record *r)
{
	struct recorded_sample sample;

	if (!sample_read(d, r, &sample)) {
		s->damaged++;
		return;
	}
	sample.event->sample_count++;
	if (!s->first_ns || (sample.begin_ns && sample.begin_ns < s->first_ns)) /* 0 is no time */
		s->first_ns = sample.begin_ns;
	if (!s->samples++ || sample.time_ns > s->last_ns)
		s->last_ns = sample.time_ns;
}

static bool sideband_is_switch(const struct record *r)
{
	return r->type == PERF_RECORD_SWITCH || r->type == PERF_RECORD_SWITCH_CPU_WIDE;
}

/* Records of switches are the only source of times in some recordings (perf record -e dummy --switch-events). */
static void count_switch(struct sideband *s, const struct perfdata *d, const struct record *r)
{
	uint64_t time_ns = record_time(d, r, 0);

	if (s->samples || !time_ns)
		return;
	if (!s->first_ns || time_ns < s->first_ns)
		s->first_ns = time_ns;
	if (time_ns > s->last_ns)
		s->last_ns = time_ns;
}

/* perf reports losses twice: by the kernel's LOST records, if other records follow them; and at the end by a sum for
 * each event, a LOST_SAMPLES record without a time. */
static void count_loss(struct sideband *s, const struct perfdata *d, const struct record *r)
{
	if (r->type == PERF_RECORD_LOST && r->size >= HEADER_BYTES + 16) {
		s->lost_records++;
		s->lost_samples += load_u64(r->bytes + HEADER_BYTES + 8);
	} else if (r->type == PERF_RECORD_LOST_SAMPLES && r->size >= HEADER_BYTES + 8) {
		*(record_time(d, r, 1) ? &s->lost_samples : &s->lost_sums) += load_u64(r->bytes + HEADER_BYTES);
	} else if (r->type == PERF_RECORD_THROTTLE) {
		s->throttled++;
	}
}

/* --- changes: mappings, names, processes --- */

/* From "[kernel.kallsyms]_text": pgoff is the address of _text at the time of the recording. */
static void note_kernel(struct sideband *s, const struct mmap_record *m)
{
	static const char prefix[] = "[kernel.kallsyms]";
	size_t skip = sizeof(prefix) - 1;

	if (m->path_len <= skip || m->path_len - skip >= sizeof(s->kernel_symbol) || memcmp(m->path, prefix, skip))
		return;
	memcpy(s->kernel_symbol, m->path + skip, m->path_len - skip);
	s->kernel_symbol[m->path_len - skip] = '\0';
	s->kernel_address = m->offset;
}

static void apply_mmap(struct sideband *s, const struct change *change)
{
	struct mmap_record m;

	if (!mmap_record_read(change->record, s->trust_build_ids, &m))
		return;
	if (m.kernel) {
		note_kernel(s, &m);
		kernel_areas_add(&s->kernel_areas, &s->modules, &m);
	}
	if (!m.build_id_len)
		m.build_id_len = build_ids_find(&s->build_ids, m.path, m.path_len, m.build_id);
	change_map(&s->spaces, &s->modules, &m, change->time_ns);
}

/* COMM: pid tid name */
static void apply_comm(struct sideband *s, const struct change *change, size_t size)
{
	const char *name = (const char *)change->record + HEADER_BYTES + 8;

	if (size >= HEADER_BYTES + 8)
		comms_set(&s->comms, (int)load_u32(change->record + HEADER_BYTES),
			  (int)load_u32(change->record + HEADER_BYTES + 4), change->time_ns, name,
			  strnlen(name, size - HEADER_BYTES - 8));
}

/* FORK: pid ppid tid ptid time */
static void apply_fork(struct sideband *s, const struct change *change, size_t size)
{
	const uint8_t *body = change->record + HEADER_BYTES;

	if (size >= HEADER_BYTES + 16)
		comms_fork(&s->comms, (int)load_u32(body), (int)load_u32(body + 8), (int)load_u32(body + 12),
			   change->time_ns);
}

static void sideband_apply(struct sideband *s, const struct change *change)
{
	struct perf_event_header header;

	memcpy(&header, change->record, sizeof(header));
	switch (header.type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2: apply_mmap(s, change); break;
	case PERF_RECORD_COMM:
		apply_comm(s, change, header.size);
		change_process(&s->spaces, change);
		break;
	case PERF_RECORD_FORK:
		apply_fork(s, change, header.size);
		change_process(&s->spaces, change);
		break;
	}
}

/* Are the build-ids in MMAP2 records valid: requested from the kernel, or written by us? */
static bool trusts_build_ids(const struct perfdata *d)
{
	if (perfdata_is_ours(d))
		return true;
	for (size_t i = 0; i < d->event_count; i++) {
		if (d->events[i].attr.build_id)
			return true;
	}
	return false;
}

void sideband_read(struct sideband *s, struct perfdata *d)
{
	struct changes changes = { 0 };
	struct record_cursor cursor = perfdata_records(d);
	uint64_t latest_ns = 0;
	struct record r;

	modules_init(&s->modules);
	s->trust_build_ids = trusts_build_ids(d);
	if (!d->features[RECORDING_SYMBOLS].size) /* symbols in the recording refer to the ids in MMAP2 records */
		build_ids_read(&s->build_ids, d);
	while (record_next(&cursor, &r)) {
		if (r.type == PERF_RECORD_SAMPLE) {
			sideband_count_sample(s, d, &r);
		} else if (is_change(r.type)) {
			latest_ns = record_time(d, &r, latest_ns);
			changes_add(&changes, r.bytes, latest_ns);
		} else if (r.type == RECORD_CALLCHAIN_DEFERRED) {
			s->damaged += !deferred_add(&s->deferred, d, &r);
		} else if (r.type == PERF_RECORD_KSYMBOL) {
			latest_ns = record_time(d, &r, latest_ns);
			kernel_code_add(&s->kernel_code, r.bytes, r.size, latest_ns);
		} else if (sideband_is_switch(&r)) {
			count_switch(s, d, &r);
		} else {
			count_loss(s, d, &r);
			aux_data_count(&s->aux, &r);
		}
	}
	if (s->lost_samples < s->lost_sums)
		s->lost_samples = s->lost_sums;
	kernel_code_sort(&s->kernel_code);
	changes_sort(&changes);
	for (size_t i = 0; i < changes.count; i++)
		sideband_apply(s, &changes.items[i]);
	recorded_code_read(d, &s->spaces, &s->modules);
	runtime_names_read(&s->thread_names, &s->comms, d);
	owned_read(&s->owned, d);
	changes_free(&changes);
	if (s->damaged)
		warn("%s: %llu %s malformed and %s skipped", d->path, (unsigned long long)s->damaged,
		     s->damaged == 1 ? "sample is" : "samples are", s->damaged == 1 ? "is" : "are");
}

bool sideband_wants(struct sideband *s, int pid, int tid, uint64_t time_ns)
{
	return thread_is_wanted(&s->thread_names, &s->comms, pid, tid, time_ns) &&
	       owned_is_wanted(&s->owned, pid, time_ns);
}

void sideband_free(struct sideband *s)
{
	if (!s)
		return;
	modules_free(&s->modules);
	spaces_free(&s->spaces);
	comms_free(&s->comms);
	runtime_names_free(&s->thread_names);
	owned_free(&s->owned);
	build_ids_free(&s->build_ids);
	deferred_free(&s->deferred);
	kernel_areas_free(&s->kernel_areas);
	kernel_code_free(&s->kernel_code);
	*s = (struct sideband){ 0 };
}
