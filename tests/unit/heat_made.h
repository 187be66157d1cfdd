/* heat_made: heat map events made by hand, for tests. */
#ifndef TESTS_UNIT_HEAT_MADE_H
#define TESTS_UNIT_HEAT_MADE_H

#include <stdlib.h>

#include "core/memory.h"
#include "core/wallclock.h"
#include "render/heat/grid.h"

#define SEC NS_PER_SEC
#define MS (SEC / 1000)

/* 2026-11-21T12:00:00Z. */
#define NOON (1795262400 * SEC)

struct made_event {
	uint64_t time_ns, value;
	uint32_t stack;
};

/* Recording 0 is host "a".  By default, stacks belong to it, and are not idle. */
static inline struct heat made_heat(size_t stacks)
{
	struct heat h = { 0 };

	h.stack_count = stacks;
	h.stacks = xcalloc(stacks, sizeof(*h.stacks));
	h.recordings = xcalloc(4, sizeof(*h.recordings));
	h.recording_count = 1;
	for (size_t i = 0; i < 4; i++)
		h.recordings[i].host = xstrdup(i ? "b" : "a");
	h.gaps = xcalloc(8, sizeof(*h.gaps));
	h.same_value = 1;
	return h;
}

static inline int made_by_time(const void *a, const void *b)
{
	const struct made_event *x = a, *y = b;

	return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

/* Events in any order; the result is as heat_finish() leaves it. */
static inline void made_events(struct heat *h, struct made_event *events, size_t count)
{
	qsort(events, count, sizeof(*events), made_by_time);
	h->time_ns = xcalloc(count + 1, sizeof(*h->time_ns));
	h->stack = xcalloc(count + 1, sizeof(*h->stack));
	h->value = xcalloc(count + 1, sizeof(*h->value));
	h->event_count = count;
	for (size_t i = 0; i < count; i++) {
		h->time_ns[i] = events[i].time_ns;
		h->value[i] = events[i].value;
		h->stack[i] = events[i].stack;
	}
}

/* Stack i has the key keys[i]. */
static inline void made_dimension(struct heat *h, const char *name, const char *const *keys)
{
	struct heat_dimension *d;

	h->dimensions = xrealloc(h->dimensions, (h->dimension_count + 1) * sizeof(*d));
	d = &h->dimensions[h->dimension_count++];
	*d = (struct heat_dimension){ .name = xstrdup(name), .key_count = h->stack_count };
	d->key_of = xcalloc(h->stack_count, sizeof(*d->key_of));
	d->keys = xcalloc(h->stack_count, sizeof(*d->keys));
	for (uint32_t i = 0; i < h->stack_count; i++) {
		d->key_of[i] = i;
		d->keys[i].name = intern_add(&h->names, keys[i], strlen(keys[i]));
	}
}

static inline void made_cpus(struct heat *h, const char *const *cpus)
{
	made_dimension(h, "cpu", cpus);
}

/* Recording number r has observed from..to on CPUs 0..cpus-1. */
static inline void made_recording(struct heat *h, uint32_t r, uint64_t from_ns, uint64_t to_ns, double rate_hz,
				  uint32_t cpus)
{
	struct heat_recording *recording = &h->recordings[r];

	recording->from_ns = from_ns;
	recording->to_ns = to_ns;
	recording->rate_hz = rate_hz;
	recording->cpus = xcalloc(cpus + 1, sizeof(*recording->cpus));
	for (recording->cpu_count = 0; recording->cpu_count < cpus; recording->cpu_count++)
		recording->cpus[recording->cpu_count] = (uint32_t)recording->cpu_count;
}

static inline void made_free(struct heat *h)
{
	for (size_t i = 0; i < 4; i++) {
		free(h->recordings[i].host);
		free(h->recordings[i].cpus);
	}
	for (size_t i = 0; i < h->dimension_count; i++) {
		free(h->dimensions[i].name);
		free(h->dimensions[i].key_of);
		free(h->dimensions[i].keys);
	}
	free(h->dimensions);
	free(h->recordings);
	free(h->gaps);
	free(h->stacks);
	free(h->time_ns);
	free(h->stack);
	free(h->value);
	intern_free(&h->names);
	*h = (struct heat){ 0 };
}

#endif
