#include "collapse/cause/history.h"

#include <stdlib.h>
#include <string.h>

#include "core/format/recording.h"
#include "core/memory.h"
#include "core/sorted.h"

static bool history_is_of(const struct recorded_sample *s, const char *event)
{
	return s->event->spans && !strcmp(s->event->name, event);
}

bool history_wants(const struct recorded_sample *s)
{
	return (!s->event->spans && !s->event->lanes && !s->event->allocations) || history_is_of(s, RECORDING_SCHED) ||
	       history_is_of(s, RECORDING_OFFCPU);
}

bool history_has_stack(const struct recorded_sample *s)
{
	return !history_is_of(s, RECORDING_SCHED);
}

uint32_t history_thread(struct history *h, int pid, int tid)
{
	uint32_t *number = map_at(&h->by_tid, (uint64_t)(uint32_t)tid, (uint32_t)pid);

	if (!*number) {
		uint32_t *first = map_at(&h->processes, (uint64_t)(uint32_t)pid, 0);

		*number = (uint32_t)h->count + 1;
		if (!*first)
			*first = *number;
		h->threads = xgrow(h->threads, &h->cap, h->count + 1, sizeof(*h->threads));
		h->threads[h->count++] = (struct history_thread){ .pid = pid, .tid = tid, .process = *first - 1 };
	}
	return *number - 1;
}

static void history_add_span(struct history_list *l, const struct history_span *s)
{
	l->items = xgrow(l->items, &l->cap, l->count + 1, sizeof(*l->items));
	l->items[l->count++] = *s;
}

static void history_note_idle(struct history *h, uint32_t cpu, uint64_t ns)
{
	if (cpu >= 1 << 16)
		return;
	if (cpu >= h->cpu_count) {
		h->idle_ns = xgrow(h->idle_ns, &h->idle_cap, cpu + 1, sizeof(*h->idle_ns));
		while (h->cpu_count <= cpu)
			h->idle_ns[h->cpu_count++] = 0;
	}
	h->idle_ns[cpu] += ns;
}

static uint32_t history_find_waker(struct history *h, const struct recorded_sample *s)
{
	if (!s->has_wakers)
		return HISTORY_NONE;
	return s->waker_tid ? history_thread(h, s->waker_pid, s->waker_tid) : HISTORY_INTERRUPT;
}

static bool wants_cpu(int state)
{
	return state > RECORDING_RUNNING && state <= RECORDING_WOKEN;
}

static void history_add_state(struct history *h, const struct recorded_sample *s, struct history_span *span)
{
	struct history_span whole = *span;

	if (!s->tid) {
		history_note_idle(h, span->cpu, s->period);
		return;
	}
	if (s->state != RECORDING_RUNNING && s->state != RECORDING_THROTTLED && !wants_cpu(s->state))
		return;
	history_add_span(&h->states, span);
	/* When a wait was derived, all its parts are there, and any of them may be the one that counts. */
	if (!wants_cpu(s->state) || !s->count || s->longest_ns <= s->period || s->longest_ns > span->end_ns ||
	    s->event->derived)
		return;
	whole.begin_ns = whole.end_ns - s->longest_ns;
	whole.other = HISTORY_NONE;
	history_add_span(&h->waits, &whole);
}

static void add_wakes(struct history *h, struct history_wakes wakes)
{
	h->wakes = xgrow(h->wakes, &h->wake_cap, h->wake_count + 1, sizeof(*h->wakes));
	h->wakes[h->wake_count++] = wakes;
}

static void history_add_sum(struct history *h, const struct recorded_sample *s, uint32_t thread, uint32_t stack)
{
	struct history_sums *sums = &h->threads[thread].summed;
	uint32_t waker;

	h->long_sums += s->longest_ns >= HISTORY_LONG_NS;
	if (stack != HISTORY_NONE) {
		waker = history_find_waker(h, s);
		if (s->untaken)
			h->threads[thread].untaken += s->count;
		else if (waker < HISTORY_INTERRUPT)
			add_wakes(h, (struct history_wakes){ waker, thread, stack, s->count, s->period });
	} else if (!s->tid) {
		history_note_idle(h, s->cpu, s->period);
	} else {
		*(s->state == RECORDING_RUNNING ? &sums->ran_ns
		  : wants_cpu(s->state)         ? &sums->ready_ns
						: &sums->other_ns) += s->period;
	}
}

uint32_t history_by(struct history *h, const struct comms *comms, const struct recorded_sample *s)
{
	if (!s->event->spans || s->by <= 0 || s->by == RECORDING_BY_OTHERS)
		return HISTORY_NONE;
	return history_thread(h, comms_pid(comms, s->by, s->time_ns), s->by);
}

static void history_add_run(struct history_thread *t, const struct recorded_sample *s)
{
	t->cpu = !t->ran_ns || t->cpu == s->cpu ? s->cpu : HISTORY_NONE;
	t->ran_ns += s->period;
}

void history_cover(struct history *h, uint64_t begin_ns, uint64_t end_ns)
{
	if (!h->last_ns || begin_ns < h->first_ns)
		h->first_ns = begin_ns;
	if (end_ns > h->last_ns)
		h->last_ns = end_ns;
}

void history_add(struct history *h, const struct recorded_sample *s, uint64_t begin_ns, uint32_t stack, uint32_t by)
{
	uint32_t thread = history_thread(h, s->pid, s->tid);
	struct history_span span = { .begin_ns = begin_ns,
				     .end_ns = begin_ns,
				     .thread = thread,
				     .other = by,
				     .stack = stack,
				     .cpu = s->cpu,
				     .state = s->event->spans && s->state > 0 ? (uint8_t)s->state : 0,
				     .open = s->span_flags & RECORDING_OPEN };

	if (s->event->spans) {
		if (s->state == RECORDING_RUNNING)
			history_add_run(&h->threads[thread], s);
		else if (wants_cpu(s->state))
			h->threads[thread].ready_ns += s->period;
		else if (s->state == RECORDING_THROTTLED)
			h->threads[thread].throttled_ns += s->period;
		else if (s->state == RECORDING_DEAD)
			h->threads[thread].ended = true;
		if (!(s->span_flags & RECORDING_SINGLE)) {
			history_add_sum(h, s, thread, stack);
			return;
		}
		span.end_ns += s->period;
	}
	history_cover(h, span.begin_ns, span.end_ns);
	if (!s->event->spans) {
		h->threads[thread].sampled_ns += event_is_clock(s->event) ? s->period : 0;
		history_add_span(&h->samples, &span);
	} else if (stack == HISTORY_NONE) {
		history_add_state(h, s, &span);
	} else {
		span.other = history_find_waker(h, s);
		history_add_span(&h->blocks, &span);
	}
}

static void ask_list(struct history *h, struct history_list *list, history_asked *is_asked, const void *argument)
{
	for (size_t i = 0; i < list->count; i++) {
		struct history_span *s = &list->items[i];

		s->unasked = !is_asked(argument, &h->threads[s->thread], s->begin_ns, s->end_ns);
	}
}

void history_ask(struct history *h, history_asked *is_asked, const void *argument)
{
	h->limited = true;
	ask_list(h, &h->states, is_asked, argument);
	ask_list(h, &h->blocks, is_asked, argument);
}

/* ---- in order ------------------------------------------------------------------------ */

static int by_thread_and_time(const void *a, const void *b)
{
	const struct history_span *x = a, *y = b;

	return ORDER(x->thread, y->thread) ?: ORDER(x->begin_ns, y->begin_ns) ?: ORDER(x->end_ns, y->end_ns);
}

static void history_sort_list(struct history_list *l)
{
	if (l->count)
		qsort(l->items, l->count, sizeof(*l->items), by_thread_and_time);
}

static void note_range(struct history_range *r, size_t i)
{
	if (!r->count++)
		r->first = i;
}

static void sort_states(struct history *h)
{
	history_sort_list(&h->states);
	for (size_t i = 0; i < h->count; i++)
		h->threads[i].states.count = 0;
	for (size_t i = 0; i < h->states.count; i++)
		note_range(&h->threads[h->states.items[i].thread].states, i);
}

/* The first span of a range that ends after ns. */
static size_t first_after(const struct history_list *l, const struct history_range *r, uint64_t ns)
{
	return r->first + FIRST_NOT(i, r->count, l->items[r->first + i].end_ns <= ns);
}

/* Add the summed parts of a wait during which many threads had the CPU in turns. */
static void fill_wait(struct history *h, const struct history_span *wait, struct history_list *parts)
{
	struct history_thread *t = &h->threads[wait->thread];
	struct history_span part = *wait;

	for (size_t i = first_after(&h->states, &t->states, wait->begin_ns); i < t->states.first + t->states.count;
	     i++) {
		const struct history_span *s = &h->states.items[i];
		uint64_t ns;

		if (part.begin_ns >= wait->end_ns)
			break;
		part.end_ns = s->begin_ns < wait->end_ns ? s->begin_ns : wait->end_ns;
		if (part.end_ns > part.begin_ns) {
			ns = part.end_ns - part.begin_ns;
			t->summed.ready_ns -= ns < t->summed.ready_ns ? ns : t->summed.ready_ns;
			history_add_span(parts, &part);
		}
		if (s->end_ns > part.begin_ns)
			part.begin_ns = s->end_ns;
	}
}

static void fill_waits(struct history *h)
{
	struct history_list parts = { 0 };

	for (size_t i = 0; i < h->waits.count; i++)
		fill_wait(h, &h->waits.items[i], &parts);
	for (size_t i = 0; i < parts.count; i++)
		history_add_span(&h->states, &parts.items[i]);
	if (parts.count)
		sort_states(h);
	free(parts.items);
	free(h->waits.items);
	h->waits = (struct history_list){ 0 };
}

void history_sort(struct history *h)
{
	history_sort_list(&h->blocks);
	history_sort_list(&h->samples);
	for (size_t i = 0; i < h->blocks.count; i++)
		note_range(&h->threads[h->blocks.items[i].thread].blocks, i);
	for (size_t i = 0; i < h->samples.count; i++)
		note_range(&h->threads[h->samples.items[i].thread].samples, i);
	sort_states(h);
	fill_waits(h);
}

/* ---- questions ----------------------------------------------------------------------- */

static uint64_t covered(const struct history_list *l, const struct history_range *r, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t ns = 0;

	for (size_t i = first_after(l, r, from_ns); i < r->first + r->count && l->items[i].begin_ns < to_ns; i++)
		ns += history_overlap(&l->items[i], from_ns, to_ns);
	return ns;
}

/* How much time between from_ns and to_ns did the thread probably spend in short spans of this kind, which took sum_ns
 * in all? */
static uint64_t short_ns(const struct history *h, uint32_t thread, uint64_t from_ns, uint64_t to_ns, uint64_t sum_ns)
{
	const struct history_thread *t = &h->threads[thread];
	uint64_t all_ns = t->summed.ran_ns + t->summed.ready_ns + t->summed.other_ns, left_ns = to_ns - from_ns,
		 known_ns;

	if (!sum_ns || to_ns <= from_ns)
		return 0;
	known_ns = covered(&h->states, &t->states, from_ns, to_ns) + covered(&h->blocks, &t->blocks, from_ns, to_ns);
	left_ns -= known_ns < left_ns ? known_ns : left_ns;
	if (left_ns > all_ns)
		left_ns = all_ns;
	return (uint64_t)((__uint128_t)left_ns * sum_ns / all_ns);
}

static uint64_t history_in_state(const struct history *h, uint32_t thread, int state, uint64_t from_ns, uint64_t to_ns)
{
	const struct history_range *r = &h->threads[thread].states;
	uint64_t ns = 0;

	for (size_t i = first_after(&h->states, r, from_ns); i < r->first + r->count; i++) {
		const struct history_span *s = &h->states.items[i];

		if (s->begin_ns >= to_ns)
			break;
		if (s->state == state)
			ns += history_overlap(s, from_ns, to_ns);
	}
	return ns;
}

uint64_t history_ran(const struct history *h, uint32_t thread, uint64_t from_ns, uint64_t to_ns)
{
	return history_in_state(h, thread, RECORDING_RUNNING, from_ns, to_ns) +
	       short_ns(h, thread, from_ns, to_ns, h->threads[thread].summed.ran_ns);
}

uint64_t history_throttled(const struct history *h, uint32_t thread, uint64_t from_ns, uint64_t to_ns)
{
	return history_in_state(h, thread, RECORDING_THROTTLED, from_ns, to_ns);
}

/* Add up for how long each thread had the CPU; only the first threads are remembered. */
struct holders {
	struct {
		uint32_t thread;
		uint64_t ns;
	} items[32];
	size_t count;
};

static void history_add_holder(struct holders *all, uint32_t thread, uint64_t ns)
{
	size_t i = 0;

	while (i < all->count && all->items[i].thread != thread)
		i++;
	if (i == sizeof(all->items) / sizeof(*all->items))
		return;
	if (i == all->count) {
		all->items[i].thread = thread;
		all->items[i].ns = 0;
		all->count++;
	}
	all->items[i].ns += ns;
}

/* The thread that had the CPU for most of the time, if one did. */
static uint32_t main_holder(const struct holders *all, uint64_t waited_ns)
{
	for (size_t i = 0; i < all->count; i++) {
		if (all->items[i].ns * 2 > waited_ns)
			return all->items[i].thread;
	}
	return HISTORY_NONE;
}

uint64_t history_waited(const struct history *h, uint32_t thread, uint64_t from_ns, uint64_t to_ns, uint32_t *by)
{
	const struct history_range *r = &h->threads[thread].states;
	struct holders holders = { .count = 0 };
	uint64_t ns = 0;

	for (size_t i = first_after(&h->states, r, from_ns); i < r->first + r->count; i++) {
		const struct history_span *s = &h->states.items[i];

		if (s->begin_ns >= to_ns)
			break;
		if (!wants_cpu(s->state))
			continue;
		ns += history_overlap(s, from_ns, to_ns);
		if (s->other != HISTORY_NONE)
			history_add_holder(&holders, s->other, history_overlap(s, from_ns, to_ns));
	}
	ns += short_ns(h, thread, from_ns, to_ns, h->threads[thread].summed.ready_ns);
	*by = main_holder(&holders, ns);
	return ns;
}

uint64_t history_next_state(const struct history *h, uint32_t thread, uint64_t ns)
{
	const struct history_range *r = &h->threads[thread].states;
	const struct history_span *states = h->states.items + r->first;
	size_t i = FIRST_NOT(at, r->count, states[at].begin_ns <= ns);

	return i < r->count ? states[i].begin_ns : UINT64_MAX;
}

const struct history_span *history_block(const struct history *h, uint32_t thread, uint64_t from_ns, uint64_t to_ns)
{
	const struct history_range *r = &h->threads[thread].blocks;
	const struct history_span *best = NULL;
	uint64_t most = 0;

	for (size_t i = first_after(&h->blocks, r, from_ns); i < r->first + r->count; i++) {
		const struct history_span *s = &h->blocks.items[i];
		uint64_t part = history_overlap(s, from_ns, to_ns);

		if (s->begin_ns >= to_ns)
			break;
		if (part > most) {
			most = part;
			best = s;
		}
	}
	return best;
}

void history_free(struct history *h)
{
	if (!h)
		return;
	free(h->states.items);
	free(h->blocks.items);
	free(h->samples.items);
	free(h->threads);
	free(h->idle_ns);
	free(h->wakes);
	free(h->waits.items);
	map_free(&h->by_tid);
	map_free(&h->processes);
	*h = (struct history){ 0 };
}
