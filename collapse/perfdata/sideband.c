#include "collapse/perfdata/sideband.h"

#include <string.h>

#include "collapse/perfdata/recorded.h"
#include "collapse/perfdata/sample.h"
#include "core/error.h"
#include "core/format/recording.h"
#include "core/symbols/space/changes.h"

enum { HEADER_BYTES = sizeof(struct perf_event_header) };

/* --- counts --------------------------------------------------------------------- */

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

/* They are all that some recordings have (perf record -e dummy --switch-events). */
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

/* perf reports losses twice: with the kernel's LOST records, if other records follow them, and at the
 * end with a sum for each event, a LOST_SAMPLES record without a time. */
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

/* --- changes: mappings, names, processes ------------------------------------------- */

/* "[kernel.kallsyms]_text": pgoff is the address of _text while recording. */
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
	if (!d->features[RECORDING_SYMBOLS].size) /* recorded symbols refer to the ids in MMAP2 records */
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
	changes_free(&changes);
	if (s->damaged)
		warn("%s: %llu %s malformed and %s skipped", d->path, (unsigned long long)s->damaged,
		     s->damaged == 1 ? "sample is" : "samples are", s->damaged == 1 ? "is" : "are");
}

void sideband_free(struct sideband *s)
{
	if (!s)
		return;
	modules_free(&s->modules);
	spaces_free(&s->spaces);
	comms_free(&s->comms);
	runtime_names_free(&s->thread_names);
	build_ids_free(&s->build_ids);
	deferred_free(&s->deferred);
	kernel_areas_free(&s->kernel_areas);
	kernel_code_free(&s->kernel_code);
	*s = (struct sideband){ 0 };
}
