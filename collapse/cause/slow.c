#include "collapse/cause/slow.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

bool slow_wants(const struct recorded_sample *s)
{
	return s->event->spans && !strcmp(s->event->name, RECORDING_FAULTS);
}

void slow_add(struct slow *all, const struct recorded_sample *s, uint64_t begin_ns, uint32_t thread, uint32_t stack)
{
	struct slow_thing t = { .kind = SLOW_FAULT,
				.begin_ns = begin_ns,
				.end_ns = begin_ns + s->period,
				.thread = thread,
				.stack = stack,
				.what = s->fault,
				.file = s->file,
				.offset = s->offset };

	if (!(s->span_flags & RECORDING_SINGLE)) {
		all->summed += s->count;
		return;
	}
	for (unsigned i = 0; i < RECORDING_REASON_COUNT; i++)
		t.parts[i] = s->reasons >> i & 1 ? s->parts[i] : 0;
	all->items = xgrow(all->items, &all->cap, all->count + 1, sizeof(t));
	all->items[all->count++] = t;
}

unsigned slow_main_reason(const struct slow_thing *t)
{
	unsigned most = 0;

	for (unsigned i = 1; i < RECORDING_REASON_COUNT; i++) {
		if (t->parts[i] > t->parts[most])
			most = i;
	}
	return most;
}

void slow_free(struct slow *all)
{
	if (all)
		free(all->items);
}
