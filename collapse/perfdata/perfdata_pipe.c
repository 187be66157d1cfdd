#include "collapse/perfdata/perfdata_pipe.h"

#include <linux/perf_event.h>

#include "collapse/perfdata/perfdata_events.h"

static void read_attr_record(struct perfdata *d, const struct record *r)
{
	uint32_t attr_size = r->size >= 16 ? load_u32(r->bytes + 12) : 0; /* attr.size */
	size_t head = sizeof(struct perf_event_header), event;

	if (!attr_size)
		attr_size = PERF_ATTR_SIZE_VER0;
	if (attr_size < PERF_ATTR_SIZE_VER0 || attr_size > r->size - head)
		return;
	event = perfdata_add_event(d, r->bytes + head, attr_size);
	for (size_t at = head + attr_size; at + 8 <= r->size; at += 8)
		perfdata_add_id(d, load_u64(r->bytes + at), event);
}

/* EVENT_UPDATE: u64 type (2 = name), u64 id, text. */
static void read_update_record(struct perfdata *d, const struct record *r)
{
	struct recorded_event *event;

	if (r->size <= 24 || load_u64(r->bytes + 8) != 2)
		return;
	event = perfdata_event(d, load_u64(r->bytes + 16));
	if (event)
		perfdata_rename_event(event, r->bytes + 24, r->size - 24);
}

/* HEADER_FEATURE: u64 feature, then the contents of that section. */
static void read_feature_record(struct perfdata *d, const struct record *r)
{
	uint64_t feature = r->size >= 16 ? load_u64(r->bytes + 8) : FEATURE_COUNT;

	if (feature < FEATURE_COUNT)
		d->features[feature] = (struct sched_span){ (uint64_t)(r->bytes + 16 - d->bytes), r->size - 16u };
}

/* TRACING_DATA: u32 size; the section itself follows the record. */
static void read_tracing_record(struct perfdata *d, const struct record *r)
{
	if (r->size >= 12)
		d->features[FEATURE_TRACING_DATA] =
			(struct sched_span){ (uint64_t)(r->bytes - d->bytes) + r->size, load_u32(r->bytes + 8) };
}

bool perfdata_read_pipe(struct perfdata *d)
{
	struct record_cursor cursor = perfdata_records(d);
	bool compressed = false;
	struct record r;

	while (record_next(&cursor, &r)) {
		if (r.type == RECORD_HEADER_ATTR)
			read_attr_record(d, &r);
		else if (r.type == RECORD_EVENT_UPDATE)
			read_update_record(d, &r);
		else if (r.type == RECORD_HEADER_FEATURE)
			read_feature_record(d, &r);
		else if (r.type == RECORD_HEADER_TRACING_DATA)
			read_tracing_record(d, &r);
		compressed |= r.type == RECORD_COMPRESSED || r.type == RECORD_COMPRESSED2;
	}
	return compressed;
}
