#include "collapse/perfdata/perfdata.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collapse/perfdata/foreign.h"
#include "collapse/perfdata/spool.h"
#include "collapse/perfdata/tracing.h"
#include "core/error.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "core/str.h"

/* --- events ------------------------------------------------------------------------------ */

/* Remember that samples with this id belong to the event with this number. */
static void perfdata_add_id(struct perfdata *d, uint64_t id, size_t event)
{
	*map_at(&d->ids, id, 0) = (uint32_t)event + 1;
}

struct recorded_event *perfdata_event(const struct perfdata *d, uint64_t id)
{
	uint32_t event;

	if (d->event_count == 1)
		return &d->events[0];
	event = map_get(&d->ids, id, 0);
	return event ? &d->events[event - 1] : NULL;
}

/* Add an event; bytes[0..len) is a perf_event_attr, whose length depends on the perf that wrote the
 * file.  Returns its number. */
static size_t perfdata_add_event(struct perfdata *d, const uint8_t *bytes, size_t len)
{
	struct recorded_event *event;

	d->events = xgrow(d->events, &d->event_cap, d->event_count + 1, sizeof(*d->events));
	event = &d->events[d->event_count];
	*event = (struct recorded_event){ 0 };
	memcpy(&event->attr, bytes, len < sizeof(event->attr) ? len : sizeof(event->attr));
	event->layout = event_layout(&event->attr);
	event->name = event_name(&event->attr);
	return d->event_count++;
}

struct recorded_event *perfdata_add_derived(struct perfdata *d, const char *name)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_BPF_OUTPUT };
	struct recorded_event *event = &d->events[perfdata_add_event(d, (const uint8_t *)&attr, sizeof(attr))];

	free(event->name);
	event->name = xstrdup(name);
	event->derived = event->spans = true;
	return event;
}

/* Set an event's name, which ends at a NUL, or after len bytes; an empty name is ignored. */
static void perfdata_rename_event(struct recorded_event *event, const uint8_t *name, size_t len)
{
	size_t n = strnlen((const char *)name, len);

	if (!n)
		return;
	free(event->name);
	event->name = xstrndup((const char *)name, n);
}

/* Allocations are recorded at several places in a JVM, as one event for each.  Assign the samples of
 * all these events to the first one. */
static void unite_allocations(struct perfdata *d)
{
	size_t first = 0;

	while (first < d->event_count && !d->events[first].allocations)
		first++;
	for (size_t i = 0; i < d->ids.entry_count; i++) {
		uint32_t *event = &d->ids.entries[i].value;

		if (*event && d->events[*event - 1].allocations &&
		    !memcmp(&d->events[*event - 1].layout, &d->events[first].layout, sizeof(struct sample_layout)))
			*event = (uint32_t)first + 1;
	}
}

/* Call this once all events have names: it sets the members that depend on names and attributes. */
static void perfdata_complete_events(struct perfdata *d)
{
	for (size_t i = 0; i < d->event_count; i++) {
		d->events[i].spans = event_has_spans(&d->events[i]);
		d->events[i].lanes = event_has_lanes(&d->events[i]);
		d->events[i].processes = event_has_processes(&d->events[i]);
		d->events[i].windows = event_has_windows(&d->events[i]);
		d->events[i].allocations = event_has_allocations(&d->events[i]);
		d->events[i].walked = perfdata_is_ours(d) && event_was_walked(&d->events[i]);
	}
	unite_allocations(d);
}

static void perfdata_free_events(struct perfdata *d)
{
	for (size_t i = 0; i < d->event_count; i++)
		free(d->events[i].name);
	free(d->events);
	map_free(&d->ids);
}

/* --- headers of files, and sections that they point to ---------------------------------- */

/* struct perf_file_header: magic, header size, attr size, then three sections
 * (attrs, data, event types) and 256 feature bits. */
enum {
	AT_ATTR_SIZE = 16,
	AT_ATTRS = 24,
	AT_DATA = 40,
	AT_EVENT_TYPES = 56, /* unused in version 2; in our recordings, the place of the early clock anchors */
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

/* Features are written last, so a file without any was not finished. */
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

/* Find the records and the features, and read the events.  Sets *compressed if some records are compressed.  Returns 0,
 * or -1 after a message. */
static int perfdata_read_sections(struct perfdata *d, bool *compressed)
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

/* --- headers of streams: records, not sections as in a file ----------------------------- */

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

/* Call this once d->data is set.  Returns whether some records are compressed. */
static bool perfdata_read_pipe(struct perfdata *d)
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

/* --- feature sections: the machine, the command, the names of events -------------------- */

/* "u32 length, text padded with NULs": how perf stores strings. */
static char *perfdata_features_read_string(const uint8_t **p, const uint8_t *end)
{
	uint32_t len;
	char *text;

	if (end - *p < 4)
		return NULL;
	len = load_u32(*p);
	*p += 4;
	if (len > (size_t)(end - *p))
		return NULL;
	text = xstrndup((const char *)*p, strnlen((const char *)*p, len));
	*p += len;
	return text;
}

static char *read_string_feature(const struct perfdata *d, int feature)
{
	size_t len;
	const uint8_t *p = perfdata_feature(d, feature, &len);

	return p ? perfdata_features_read_string(&p, p + len) : NULL;
}

/* "u32 count, strings": the command line. */
static char *perfdata_features_read_command(const struct perfdata *d)
{
	size_t len;
	const uint8_t *p = perfdata_feature(d, FEATURE_CMDLINE, &len), *end = p ? p + len : NULL;
	struct str command = { 0 };
	uint32_t count;

	if (!p || len < 4)
		return NULL;
	count = load_u32(p);
	p += 4;
	for (uint32_t i = 0; i < count; i++) {
		char *word = perfdata_features_read_string(&p, end);

		if (!word)
			break;
		str_addf(&command, "%s%s", i ? " " : "", word);
		free(word);
	}
	return command.buf;
}

/* "u32 events, u32 attr size, then for each: attr, u32 ids, name, u64 ids[]". */
static void read_event_names(struct perfdata *d)
{
	size_t len;
	const uint8_t *p = perfdata_feature(d, FEATURE_EVENT_DESC, &len), *end = p ? p + len : NULL;
	uint32_t count, attr_size;

	if (!p || len < 8)
		return;
	count = load_u32(p);
	attr_size = load_u32(p + 4);
	p += 8;
	for (uint32_t i = 0; i < count && i < d->event_count; i++) {
		uint32_t ids;
		char *name;

		if ((size_t)(end - p) < (size_t)attr_size + 4)
			return;
		ids = load_u32(p + attr_size);
		p += attr_size + 4;
		name = perfdata_features_read_string(&p, end);
		if (!name)
			return;
		perfdata_rename_event(&d->events[i], (const uint8_t *)name, strlen(name));
		free(name);
		if (ids > (size_t)(end - p) / 8)
			return;
		p += 8 * (size_t)ids;
	}
}

/* In pipe mode, perf writes the formats of tracepoints, but not their names.  Take the name of "tracepoint:1329" from
 * its format. */
static void name_tracepoints(struct perfdata *d)
{
	size_t len;
	const uint8_t *section = perfdata_feature(d, FEATURE_TRACING_DATA, &len);

	for (size_t i = 0; i < d->event_count; i++) {
		struct recorded_event *event = &d->events[i];
		struct str name = { 0 };

		if (event->attr.type != PERF_TYPE_TRACEPOINT || strncmp(event->name, "tracepoint:", 11))
			continue;
		tracing_add_name(&name, section, len, event->attr.config);
		perfdata_rename_event(event, (const uint8_t *)str_text(&name), name.len);
		str_free(&name);
	}
}

/* Call this once the sections and the events are known.  Invalid sections are ignored. */
static void perfdata_read_features(struct perfdata *d)
{
	d->hostname = read_string_feature(d, FEATURE_HOSTNAME);
	d->osrelease = read_string_feature(d, FEATURE_OSRELEASE);
	d->arch = read_string_feature(d, FEATURE_ARCH);
	d->command = perfdata_features_read_command(d);
	read_event_names(d);
	name_tracepoints(d);
}

/* --- the recording ---------------------------------------------------------------------- */

enum {
	AT_HEADER_SIZE = 8,
	PIPE_HEADER_BYTES = 16,
};

static int map_file(struct perfdata *d, int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return error("%s: %s", d->path, strerror(errno));
	d->mtime_ns = (uint64_t)st.st_mtim.tv_sec * 1000000000 + (uint64_t)st.st_mtim.tv_nsec;
	d->size = (uint64_t)st.st_size;
	if (!d->size)
		return error("%s: is empty", d->path);
	d->bytes = mmap(NULL, d->size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (d->bytes == MAP_FAILED) {
		d->bytes = NULL;
		return error("%s: %s", d->path, strerror(errno));
	}
	madvise((void *)d->bytes, d->size, MADV_SEQUENTIAL);
	return 0;
}

static bool has_magic(const void *bytes, uint64_t size)
{
	return size >= strlen(PERFDATA_MAGIC) && !memcmp(bytes, PERFDATA_MAGIC, strlen(PERFDATA_MAGIC));
}

static int map_input(struct perfdata *d, struct input_stream *in)
{
	int spool, status;

	if (input_is_file(in))
		return map_file(d, in->fd);
	if (in->head.len && !has_magic(str_text(&in->head), in->head.len)) /* before all of it is copied */
		return foreign_explain(d->path, (const uint8_t *)in->head.buf, in->head.len);
	spool = spool_copy(in);
	if (spool < 0)
		return -1;
	status = map_file(d, spool);
	close(spool);
	return status;
}

static int check_magic(const struct perfdata *d)
{
	if (!has_magic(d->bytes, d->size))
		return foreign_explain(d->path, d->bytes, d->size);
	if (d->size < PIPE_HEADER_BYTES)
		return error("%s: too short for a perf.data file (%llu bytes)", d->path, (unsigned long long)d->size);
	return 0;
}

/* Replace the records by decompressed ones. */
static int perfdata_expand(struct perfdata *d)
{
	uint64_t size = 0;
	int fd = spool_expand(perfdata_records(d), d->path, &size);

	if (fd < 0)
		return -1;
	if (size) {
		d->expanded = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (d->expanded == MAP_FAILED) {
			d->expanded = NULL;
			close(fd);
			return error("%s: %s", d->path, strerror(errno));
		}
	}
	close(fd);
	d->data = (struct sched_span){ 0, size };
	return 0;
}

struct record_cursor perfdata_records(const struct perfdata *d)
{
	return (struct record_cursor){
		.bytes = d->expanded ? d->expanded : d->bytes,
		.at = d->data.offset,
		.end = d->data.offset + d->data.size,
		.path = d->cut ? NULL : d->path, /* warned already */
		.drop = !d->expanded,
	};
}

bool perfdata_is_ours(const struct perfdata *d)
{
	return d->features[RECORDING_LOSSES].size || d->early_clocks.size;
}

const uint8_t *perfdata_feature(const struct perfdata *d, int feature, size_t *len)
{
	*len = (size_t)d->features[feature].size;
	return *len ? d->bytes + d->features[feature].offset : NULL;
}

/* With "cat one.data two.data", perf reads only the first file, and so do we. */
static void perfdata_look_behind(const struct perfdata *d)
{
	uint64_t end = d->data.offset + d->data.size;

	for (size_t i = 0; i < sizeof(d->features) / sizeof(*d->features); i++) {
		uint64_t feature = d->features[i].offset + d->features[i].size;

		end = feature > end ? feature : end;
	}
	if (end < d->size && has_magic(d->bytes + end, d->size - end))
		warn("%s: another recording begins at byte %llu, and is ignored: give each as a file of its own",
		     d->path, (unsigned long long)end);
}

int perfdata_open(struct perfdata *d, struct input_stream *in)
{
	bool compressed = false;

	*d = (struct perfdata){ .path = in->path };
	if (map_input(d, in) < 0 || check_magic(d) < 0)
		return -1;
	if (load_u64(d->bytes + AT_HEADER_SIZE) == PIPE_HEADER_BYTES) {
		d->data = (struct sched_span){ PIPE_HEADER_BYTES, d->size - PIPE_HEADER_BYTES };
		compressed = perfdata_read_pipe(d);
	} else if (perfdata_read_sections(d, &compressed) < 0) {
		return -1;
	} else {
		perfdata_look_behind(d);
	}
	if (!d->event_count)
		return error("%s: contains no events", d->path);
	perfdata_read_features(d);
	perfdata_complete_events(d);
	return compressed ? perfdata_expand(d) : 0;
}

void perfdata_drop_pages(const struct perfdata *d)
{
	if (!d->expanded)
		madvise((void *)d->bytes, d->size, MADV_DONTNEED);
}

void perfdata_close(struct perfdata *d)
{
	if (!d)
		return;
	if (d->bytes)
		munmap((void *)d->bytes, d->size);
	if (d->expanded)
		munmap((void *)d->expanded, d->data.size);
	perfdata_free_events(d);
	free(d->hostname);
	free(d->osrelease);
	free(d->arch);
	free(d->command);
	*d = (struct perfdata){ 0 };
}
