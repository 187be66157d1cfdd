#include "collapse/perfdata/perfdata_events.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

void perfdata_add_id(struct perfdata *d, uint64_t id, size_t event)
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

size_t perfdata_add_event(struct perfdata *d, const uint8_t *bytes, size_t len)
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

void perfdata_rename_event(struct recorded_event *event, const uint8_t *name, size_t len)
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

void perfdata_complete_events(struct perfdata *d)
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

void perfdata_free_events(struct perfdata *d)
{
	for (size_t i = 0; i < d->event_count; i++)
		free(d->events[i].name);
	free(d->events);
	map_free(&d->ids);
}
