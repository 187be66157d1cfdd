#include "collapse/perfdata/perfdata_sections.h"

#include <linux/perf_event.h>
#include <string.h>

#include "collapse/perfdata/perfdata_events.h"
#include "core/error.h"

/* struct perf_file_header: magic, header size, attr size, then three sections
 * (attrs, data, event types) and 256 feature bits. */
enum {
	AT_ATTR_SIZE = 16,
	AT_ATTRS = 24,
	AT_DATA = 40,
	AT_EVENT_TYPES = 56, /* unused in version 2; in our recordings, the early clock anchors */
	AT_FEATURES = 72,
	FILE_HEADER_BYTES = 104,
};

static bool in_file(const struct perfdata *d, struct sched_span s)
{
	return s.offset <= d->size && s.size <= d->size - s.offset;
}

static struct sched_span load_span(const uint8_t *p)
{
	return (struct sched_span){ load_u64(p), load_u64(p + 8) };
}

static int read_attrs(struct perfdata *d)
{
	struct sched_span attrs = load_span(d->bytes + AT_ATTRS);
	uint64_t entry = load_u64(d->bytes + AT_ATTR_SIZE);

	if (entry < PERF_ATTR_SIZE_VER0 + 16 || entry > 4096 || !in_file(d, attrs) || attrs.size < entry)
		return error("%s: the table of events is damaged", d->path);
	for (uint64_t at = 0; at + entry <= attrs.size; at += entry) {
		const uint8_t *bytes = d->bytes + attrs.offset + at;
		struct sched_span ids = load_span(bytes + entry - 16);
		size_t event = perfdata_add_event(d, bytes, entry - 16);

		if (!in_file(d, ids)) {
			warn("%s: event %zu: its ids lie outside the file", d->path, event);
			continue;
		}
		for (uint64_t i = 0; i + 8 <= ids.size; i += 8)
			perfdata_add_id(d, load_u64(d->bytes + ids.offset + i), event);
	}
	return 0;
}

static void read_feature_table(struct perfdata *d)
{
	uint64_t at = d->data.offset + d->data.size;

	for (int bit = 0; bit < FEATURE_COUNT; bit++) {
		struct sched_span section;

		if (!(d->bytes[AT_FEATURES + bit / 8] & (1 << bit % 8)))
			continue;
		if (!in_file(d, (struct sched_span){ at, 16 })) {
			d->cut = true;
			return;
		}
		section = load_span(d->bytes + at);
		at += 16;
		if (in_file(d, section))
			d->features[bit] = section;
		else
			warn("%s: feature section %d lies outside the file", d->path, bit);
	}
}

/* Features are written last: a file without any was not finished. */
static bool has_features(const struct perfdata *d)
{
	static const uint8_t zeros[FEATURE_COUNT / 8];

	return memcmp(d->bytes + AT_FEATURES, zeros, sizeof(zeros));
}

/* Find the records, trusting the file's own length more than its header. */
static void find_data(struct perfdata *d)
{
	struct sched_span data = load_span(d->bytes + AT_DATA);

	if (data.offset < FILE_HEADER_BYTES || data.offset > d->size) {
		warn("%s: its records lie outside the file", d->path);
		data = (struct sched_span){ d->size, 0 };
		d->cut = true;
	} else if (!data.size || !has_features(d)) {
		warn("%s: was not finished (the recorder was killed?); read up to its last record", d->path);
		data.size = d->size - data.offset;
		d->cut = true;
	} else if (data.size > d->size - data.offset) {
		warn("%s: is cut off, %llu bytes are missing", d->path,
		     (unsigned long long)(data.size - (d->size - data.offset)));
		data.size = d->size - data.offset;
		d->cut = true;
	}
	d->data = data;
}

int perfdata_read_sections(struct perfdata *d, bool *compressed)
{
	if (d->size < FILE_HEADER_BYTES)
		return error("%s: is cut off within its header", d->path);
	find_data(d);
	if (read_attrs(d) < 0)
		return -1;
	if (!d->cut)
		read_feature_table(d);
	d->early_clocks = load_span(d->bytes + AT_EVENT_TYPES);
	if (!in_file(d, d->early_clocks))
		d->early_clocks = (struct sched_span){ 0 };
	*compressed = d->bytes[AT_FEATURES + FEATURE_COMPRESSED / 8] & (1 << FEATURE_COMPRESSED % 8);
	return 0;
}
