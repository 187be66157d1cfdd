#include "collapse/history_samples.h"

#include <string.h>

#include "core/format/recording.h"

static struct recorded_event *find_derived(const struct perfdata *d, const char *name)
{
	for (size_t i = 0; i < d->event_count; i++) {
		struct recorded_event *e = &d->events[i];

		if (e->derived && !e->from_states && !strcmp(e->name, name))
			return e;
	}
	return NULL;
}

int history_samples_read(struct collapse *c, derived_sink *sink, void *argument)
{
	struct record_cursor cursor = perfdata_records(&c->data);
	struct derived_request request = {
		.event = find_derived(&c->data, RECORDING_SCHED),
		.blocked = find_derived(&c->data, RECORDING_OFFCPU),
		.source = c->source,
		.source_argument = c->source_argument,
		.user_stacks = &c->user_stacks,
		.sink = sink,
		.sink_argument = argument,
	};
	struct recorded_sample sample;
	struct record r;

	while (record_next(&cursor, &r)) {
		if (r.type == PERF_RECORD_SAMPLE && sample_read(&c->data, &r, &sample) &&
		    !(request.event && sample.event->attr.type == PERF_TYPE_TRACEPOINT))
			sink(argument, &sample);
	}
	return request.event ? derived_read(&c->data, &c->sideband, &request) : 0;
}
