#include "collapse/perfdata/event.h"

#include <string.h>

#include "core/format/events.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "core/str.h"

struct sample_layout event_layout(const struct perf_event_attr *attr)
{
	struct sample_layout l = { -1, -1, -1, -1, -1, -1, 0, -1, -1, -1 };
	uint64_t type = attr->sample_type;
	const struct {
		uint64_t bit;
		int *at;
	} fields[] = {
		{ PERF_SAMPLE_IDENTIFIER, &l.id }, { PERF_SAMPLE_IP, &l.ip },   { PERF_SAMPLE_TID, &l.tid },
		{ PERF_SAMPLE_TIME, &l.time },     { PERF_SAMPLE_ADDR, NULL },  { PERF_SAMPLE_ID, &l.id },
		{ PERF_SAMPLE_STREAM_ID, NULL },   { PERF_SAMPLE_CPU, &l.cpu }, { PERF_SAMPLE_PERIOD, &l.period }
	};
	/* The fields that come after TIME at the end of records that are not samples. */
	const uint64_t after_time = PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		if (!(type & fields[i].bit))
			continue;
		if (fields[i].at && *fields[i].at < 0)
			*fields[i].at = l.fixed;
		l.fixed += 8;
	}
	if (attr->sample_id_all && type & PERF_SAMPLE_TIME)
		l.time_from_end = 8 + 8 * __builtin_popcountll(type & after_time);
	if (attr->sample_id_all && type & PERF_SAMPLE_TID)
		l.tid_from_end = 8 + 8 * __builtin_popcountll(type & (PERF_SAMPLE_TIME | after_time));
	if (attr->sample_id_all && type & PERF_SAMPLE_CPU)
		l.cpu_from_end = type & PERF_SAMPLE_IDENTIFIER ? 16 : 8;
	return l;
}

static const char *const hardware[] = {
	"cycles",        "instructions", "cache-references",        "cache-misses",           "branches",
	"branch-misses", "bus-cycles",   "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles"
};

static const char *const software[] = { "cpu-clock",        "task-clock",   "page-faults",  "context-switches",
					"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
					"emulation-faults", "dummy",        "bpf-output",   "cgroup-switches" };

static bool perfdata_event_is_ours(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_BPF_OUTPUT &&
	       attr->sample_type & PERF_SAMPLE_RAW;
}

/* The name of one of our own events, for a recording that was not finished (core/format/recording.h);
 * NULL if the event is not ours. */
static const char *own_name(const struct perf_event_attr *attr)
{
	const struct event_row *row;

	for (unsigned i = 0; perfdata_event_is_ours(attr) && (row = event_row_at(i)); i++) {
		uint64_t letters = 0;

		memcpy(&letters, row->name, strlen(row->name));
		if (letters == attr->config1)
			return row->name;
	}
	return NULL;
}

char *event_name(const struct perf_event_attr *attr)
{
	unsigned long long config = attr->config;
	struct str name = { 0 };

	if (own_name(attr))
		return xstrdup(own_name(attr));

	if (attr->type == PERF_TYPE_HARDWARE && config < sizeof(hardware) / sizeof(*hardware))
		return xstrdup(hardware[config]);
	if (attr->type == PERF_TYPE_SOFTWARE && config < sizeof(software) / sizeof(*software))
		return xstrdup(software[config]);
	if (attr->type == PERF_TYPE_TRACEPOINT)
		str_addf(&name, "tracepoint:%llu", config);
	else if (attr->type == PERF_TYPE_RAW)
		str_addf(&name, "r%llx", config);
	else
		str_addf(&name, "type%u:%llx", attr->type, config);
	return name.buf;
}

bool event_is_clock(const struct recorded_event *event)
{
	return event->attr.type == PERF_TYPE_SOFTWARE &&
	       (event->attr.config == PERF_COUNT_SW_CPU_CLOCK || event->attr.config == PERF_COUNT_SW_TASK_CLOCK);
}

const char *event_unit(const struct recorded_event *event)
{
	if (event->allocations)
		return "bytes";
	if (event->lanes)
		return "value";
	return event->spans || event_is_clock(event) ? "ns" : event->name;
}

/* Other tools may call theirs as ours. */
static bool event_is_of_kind(const struct recorded_event *event, enum event_kind kind)
{
	return perfdata_event_is_ours(&event->attr) && event_row_of(event->name)->kind == kind;
}

bool event_has_allocations(const struct recorded_event *event)
{
	return event_is_of_kind(event, EVENT_ALLOCATIONS);
}

bool event_has_processes(const struct recorded_event *event)
{
	return event_is_of_kind(event, EVENT_PROCESSES);
}

bool event_has_windows(const struct recorded_event *event)
{
	return event_is_of_kind(event, EVENT_WINDOWS);
}

bool event_has_lanes(const struct recorded_event *event)
{
	return event_is_of_kind(event, EVENT_VALUES);
}

bool event_has_spans(const struct recorded_event *event)
{
	return perfdata_event_is_ours(&event->attr) && event_row_of(event->name)->name &&
	       !event_has_allocations(event) && !event_has_lanes(event);
}

bool event_was_walked(const struct recorded_event *event)
{
	const struct perf_event_attr *attr = &event->attr;

	return attr->exclude_callchain_user && attr->sample_type & PERF_SAMPLE_CALLCHAIN &&
	       !(attr->sample_type & PERF_SAMPLE_STACK_USER);
}
