#include "collect/spans.h"

#include <string.h>
#include <time.h>

#include "core/memory.h"

/* As many entries as a record of 64 kB has room for. */
enum { CHAIN_MAX = (UINT16_MAX - sizeof(struct perf_event_header) - sizeof(struct recording_sample) -
		    sizeof(struct recording_span)) / sizeof(uint64_t) };

size_t spans_add_event(struct events *events, const char *name)
{
	struct event *e;
	uint64_t letters = 0;

	memcpy(&letters, name, strnlen(name, sizeof(letters)));
	events->list = xgrow(events->list, &events->cap, events->count + 1, sizeof(*events->list));
	e = &events->list[events->count];
	*e = (struct event){ .name = xstrdup(name), .attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(e->attr),
		.config = PERF_COUNT_SW_BPF_OUTPUT,
		.config1 = letters,
		.sample_period = 1,
		.sample_type = EVENT_SAMPLE_TYPE | PERF_SAMPLE_RAW,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	} };
	event_add_id(e, SPANS_FIRST_ID + events->count);
	return events->count++;
}

void span_add(struct str *out, const struct event *e, const struct span *s)
{
	size_t count = s->chain_count <= CHAIN_MAX ? s->chain_count : CHAIN_MAX;
	size_t size = sizeof(struct perf_event_header) + sizeof(struct recording_sample) +
		      count * sizeof(uint64_t) + sizeof(struct recording_span);
	struct perf_event_header header = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, (uint16_t)size };
	struct recording_sample sample = {
		.id = e->ids[0],
		.ip = count ? s->chain[0] : 0,
		.pid = (uint32_t)s->pid,
		.tid = (uint32_t)s->tid,
		.time_ns = s->time_ns,
		.cpu = s->cpu,
		.period = s->ns,
		.chain_count = count,
	};
	struct recording_span tail = {
		.size = sizeof(tail) - sizeof(tail.size),
		.flags = s->flags,
		.count = s->count,
		.longest_ns = s->longest_ns,
		.begin_ns = s->begin_ns,
		.migrations = s->migrations,
	};

	str_add(out, (const char *)&header, sizeof(header));
	str_add(out, (const char *)&sample, sizeof(sample));
	str_add(out, (const char *)s->chain, count * sizeof(*s->chain));
	str_add(out, (const char *)&tail, sizeof(tail));
}
