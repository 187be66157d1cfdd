#include "collapse/cause/slow.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sorted.h"

static const char *const events[SLOW_KINDS] = { RECORDING_FAULTS, RECORDING_CALLS, RECORDING_IO, RECORDING_LOCKS };

static size_t slow_kind_of(const struct recorded_sample *s)
{
	size_t kind = 0;

	while (kind < SLOW_KINDS && strcmp(s->event->name, events[kind]) != 0)
		kind++;
	return kind;
}

bool slow_wants(const struct recorded_sample *s)
{
	return s->event->spans && slow_kind_of(s) < SLOW_KINDS;
}

static int slow_what_of(const struct recorded_sample *s, enum slow_kind kind)
{
	switch (kind) {
	case SLOW_CALL: return (int)s->syscall;
	case SLOW_REQUEST: return s->io;
	case SLOW_LOCK: return s->lock;
	default: return s->fault;
	}
}

void slow_add(struct slow *all, const struct recorded_sample *s, uint64_t begin_ns, uint32_t thread, uint32_t other,
	      uint32_t stack)
{
	enum slow_kind kind = (enum slow_kind)slow_kind_of(s);
	uint64_t rest = s->period;
	struct slow_thing t = { .kind = kind,
				.begin_ns = begin_ns,
				.end_ns = begin_ns + s->period,
				.thread = thread,
				.stack = stack,
				.what = slow_what_of(s, kind),
				.error = s->error,
				.device = s->device,
				.other = other,
				.file = s->file,
				.offset = s->offset };

	if (!(s->span_flags & RECORDING_SINGLE)) {
		all->summed += s->count;
		return;
	}
	for (unsigned i = 0; i < RECORDING_REASON_COUNT; i++) {
		t.parts[i] = s->reasons >> i & 1 ? s->parts[i] : 0;
		rest -= t.parts[i] < rest ? t.parts[i] : rest;
	}
	if (kind == SLOW_CALL || kind == SLOW_LOCK)
		t.parts[RECORDING_REASON_OTHER] += rest; /* it goes on */
	all->items = xgrow(all->items, &all->cap, all->count + 1, sizeof(t));
	all->items[all->count++] = t;
}

static int slow_by_thread_and_begin(const void *a, const void *b)
{
	const struct slow_thing *x = a, *y = b;

	return ORDER(x->thread, y->thread) ?: ORDER(x->begin_ns, y->begin_ns) ?: ORDER(y->end_ns, x->end_ns) ?:
	       ORDER(x->kind, y->kind) ?: ORDER(x->stack, y->stack);
}

void slow_sort(struct slow *all)
{
	if (all->count)
		qsort(all->items, all->count, sizeof(*all->items), slow_by_thread_and_begin);
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
