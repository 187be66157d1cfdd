/* Completes a heat after reading: sorts, sums up, makes the profile. */
#include "render/heat/heat.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "render/heat/heat_parts.h"
#include "render/profile/idle.h"
#include "core/textsort.h"

/* ---- lines outside of the wanted time -------------------------------- */

static uint64_t at_least(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t at_most(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void cut_events(struct heat *h, const struct heat_filter *f)
{
	size_t left = 0;

	if (!f->from_ns && !f->to_ns)
		return;
	for (size_t i = 0; i < h->event_count; i++) {
		if (h->time_ns[i] < f->from_ns || h->time_ns[i] >= f->to_ns)
			continue;
		h->time_ns[left] = h->time_ns[i];
		h->stack[left] = h->stack[i];
		if (h->value)
			h->value[left] = h->value[i];
		left++;
	}
	h->event_count = left;
}

/* If a header gives the observed time, we rely on it. */
static bool is_observed(const struct heat *h)
{
	for (size_t i = 0; i < h->recording_count; i++) {
		if (h->recordings[i].from_ns || h->recordings[i].to_ns)
			return true;
	}
	return false;
}

static struct heat_filter without_strays(struct heat *h, const struct heat_filter *f)
{
	struct heat_filter left = *f;

	if (f->from_ns || f->to_ns || is_observed(h))
		return left;
	for (size_t i = 0; i < h->event_count; i++)
		strays_see(&h->strays, h->time_ns[i]);
	if (!strays_find(&h->strays, &left.from_ns, &left.to_ns))
		h->strays = (struct strays){ 0 };
	return left;
}

static int compare_gaps(const void *a, const void *b)
{
	const struct heat_gap *x = a, *y = b;

	return ORDER(x->start_ns, y->start_ns) ?: ORDER(x->end_ns, y->end_ns) ?:
	       ORDER(x->recording, y->recording) ?: ORDER(x->cpu, y->cpu);
}

static void cut_gaps(struct heat *h, const struct heat_filter *f)
{
	size_t left = 0;

	for (size_t i = 0; i < h->gap_count; i++) {
		struct heat_gap gap = h->gaps[i];

		if (f->from_ns || f->to_ns) {
			gap.start_ns = at_least(gap.start_ns, f->from_ns);
			gap.end_ns = at_most(gap.end_ns, f->to_ns);
		}
		if (gap.start_ns < gap.end_ns)
			h->gaps[left++] = gap;
	}
	h->gap_count = left;
	if (left)
		qsort(h->gaps, left, sizeof(*h->gaps), compare_gaps);
}

static uint64_t heat_end_of(const struct heat *h, size_t event)
{
	uint64_t time_ns = h->time_ns[event], lasts = h->spans ? heat_value(h, event) : 0;

	return time_ns > UINT64_MAX - lasts - 1 ? UINT64_MAX : time_ns + (lasts ? lasts : 1);
}

/* A recording whose header does not give its start or end covers the time of its events; how much longer it
 * observed is unknown. */
static void heat_find_times(struct heat *h, const struct heat_filter *f)
{
	for (size_t i = 0; i < h->recording_count; i++) {
		struct heat_recording *r = &h->recordings[i];

		r->from_open = !r->from_ns;
		r->to_open = !r->to_ns;
		r->from_ns = r->from_open ? UINT64_MAX : r->from_ns;
	}
	for (size_t i = 0; i < h->event_count; i++) {
		struct heat_recording *r = &h->recordings[h->stacks[h->stack[i]].recording];

		r->from_ns = at_most(r->from_ns, h->time_ns[i]);
		r->to_ns = at_least(r->to_ns, heat_end_of(h, i));
	}
	for (size_t i = 0; i < h->recording_count; i++) {
		struct heat_recording *r = &h->recordings[i];

		if (f->from_ns || f->to_ns) {
			r->from_open &= r->from_ns >= f->from_ns;
			r->to_open &= r->to_ns <= f->to_ns;
			r->from_ns = at_least(r->from_ns, f->from_ns);
			r->to_ns = at_most(r->to_ns, f->to_ns);
		}
		if (r->from_ns >= r->to_ns)
			r->from_ns = r->to_ns = 0;
	}
}

bool heat_window(const struct heat *h, uint64_t *from_ns, uint64_t *to_ns)
{
	*from_ns = UINT64_MAX;
	*to_ns = 0;
	for (size_t i = 0; i < h->recording_count; i++) {
		const struct heat_recording *r = &h->recordings[i];

		if (r->from_ns == r->to_ns)
			continue;
		*from_ns = at_most(*from_ns, r->from_ns);
		*to_ns = at_least(*to_ns, r->to_ns);
	}
	return *from_ns < *to_ns;
}

/* ---- stacks ----------------------------------------------------------------------- */

static int heat_sum_up(struct heat *h)
{
	uint64_t total = 0;

	for (size_t i = 0; i < h->event_count; i++) {
		struct heat_stack *s = &h->stacks[h->stack[i]];
		uint64_t value = heat_value(h, i);

		if (__builtin_add_overflow(total, value, &total))
			return error("the sum of all values would be too large");
		s->events++;
		s->value += value;
	}
	return 0;
}

struct order {
	const struct heat *heat;
	const uint32_t *rank; /* [text] */
};

static int heat_compare_stacks(const void *a, const void *b, void *ctx)
{
	const struct order *order = ctx;
	const struct heat_stack *x = &order->heat->stacks[*(const uint32_t *)a];
	const struct heat_stack *y = &order->heat->stacks[*(const uint32_t *)b];

	if (x->events != y->events)
		return x->events > y->events ? -1 : 1;
	if (x->text != y->text)
		return order->rank[x->text] < order->rank[y->text] ? -1 : 1;
	return (x->recording > y->recording) - (x->recording < y->recording);
}

/* Sort stacks by number of events, the largest first, and drop those without events. */
static void order_stacks(struct heat *h)
{
	struct order order = { h, textsort_ranks(&h->texts) };
	uint32_t *sorted = xmalloc(h->stack_count * sizeof(*sorted));
	uint32_t *number = xmalloc(h->stack_count * sizeof(*number)), count = 0;
	struct heat_stack *stacks;

	for (uint32_t i = 0; i < h->stack_count; i++) {
		if (h->stacks[i].events)
			sorted[count++] = i;
	}
	qsort_r(sorted, count, sizeof(*sorted), heat_compare_stacks, &order);
	stacks = xmalloc(count * sizeof(*stacks));
	for (uint32_t i = 0; i < count; i++) {
		stacks[i] = h->stacks[sorted[i]];
		number[sorted[i]] = i;
	}
	for (size_t i = 0; i < h->event_count; i++)
		h->stack[i] = number[h->stack[i]];
	free(h->stacks);
	h->stacks = stacks;
	h->stack_count = count;
	free(sorted);
	free(number);
	free((void *)order.rank);
}

/* If everything is idle time of threads, show it, since there is nothing else to see. */
static void heat_keep_idle(struct heat *h)
{
	if (!h->idle_of_threads || h->idle_events != h->event_count)
		return;
	for (size_t i = 0; i < h->stack_count; i++)
		h->stacks[i].idle = false;
	h->idle_events = 0;
}

static void find_idle(struct heat *h)
{
	struct root_places *places = xcalloc(h->recording_count, sizeof(*places));

	for (size_t i = 0; i < h->recording_count; i++)
		root_places_read(&places[i], &h->recordings[i].source);
	for (size_t i = 0; i < h->stack_count; i++) {
		struct heat_stack *s = &h->stacks[i];

		s->idle = idle_cpu(&places[s->recording], intern_text(&h->texts, s->text),
				   intern_len(&h->texts, s->text)) ||
			  idle_wait(&places[s->recording], intern_text(&h->texts, s->text),
				    intern_len(&h->texts, s->text));
		h->idle_events += s->idle ? s->events : 0;
	}
	free(places);
	h->idle_of_threads = idle_of_threads(&h->source);
	heat_keep_idle(h);
}

/* ---- profile ---------------------------------------------------------------------- */

/* Stacks of value 0 get the weight 1, so that their names are in the picture, too. */
static int make_profile(struct heat *h)
{
	struct profile *p = &h->profile;
	struct profile_path path = { 0 };

	profile_ensure_root(p);
	for (size_t i = 0; i < h->stack_count; i++) {
		struct heat_stack *s = &h->stacks[i];
		uint64_t value = s->value ? s->value : 1;

		if (__builtin_add_overflow(p->total, value, &p->total)) {
			profile_path_free(&path);
			return error("the sum of all values would be too large");
		}
		s->profile =
			profile_stack_of(p, &path, intern_text(&h->texts, s->text), intern_len(&h->texts, s->text));
		p->stacks[s->profile].self += value;
	}
	profile_path_free(&path);
	profile_close(p);
	for (size_t i = 0; i < h->source.count; i++)
		source_join(&p->source, h->source.pairs[i].key, h->source.pairs[i].value);
	p->decimals = h->decimals;
	p->lines = h->lines;
	p->bad_lines = h->bad_lines;
	p->filtered_lines = h->filtered_lines;
	p->timed = true;
	return 0;
}

/* ---- the whole -------------------------------------------------------------------- */

/* Are the lines spans, and are their times those of a wall clock?  All headers must agree on the clock. */
static int heat_find_kind(struct heat *h)
{
	size_t spans = 0, relative = 0;

	for (size_t i = 0; i < h->recording_count; i++) {
		const char *kind = source_get(&h->recordings[i].source, FOLDED_SPANS);
		const char *clock = source_get(&h->recordings[i].source, FOLDED_CLOCK);

		spans += kind && !strcmp(kind, "start");
		relative += clock && !strcmp(clock, "monotonic");
	}
	h->spans = spans && spans == h->recording_count;
	h->relative = relative;
	if (relative && relative < h->recording_count)
		return error("some of the recordings have no wall clock (clock=monotonic), others do: "
			     "they have no time axis in common");
	return 0;
}

static void free_reading(struct heat *h)
{
	if (!h->reading)
		return;
	intern_free(&h->reading->keys);
	free(h->reading->unwanted);
	free(h->reading);
	h->reading = NULL;
}

int heat_finish(struct heat *h, const struct heat_filter *filter)
{
	struct heat_filter left = without_strays(h, filter);

	free_reading(h);
	cut_events(h, &left);
	if (heat_find_kind(h) < 0 || heat_sum_up(h) < 0)
		return -1;
	heat_name_hosts(h);
	order_stacks(h);
	heat_sort(h->time_ns, h->stack, h->value, h->event_count);
	heat_find_times(h, &left);
	cut_gaps(h, &left);
	find_idle(h);
	heat_dimensions_make(h);
	return make_profile(h);
}

bool heat_is_sampled(const struct heat *h)
{
	for (size_t i = 0; i < h->recording_count && !h->spans; i++) {
		if (h->recordings[i].rate_hz > 0)
			return true;
	}
	return false;
}

void heat_free(struct heat *h)
{
	if (!h)
		return;
	free_reading(h);
	intern_free(&h->texts);
	intern_free(&h->names);
	free(h->stacks);
	free(h->time_ns);
	free(h->stack);
	free(h->value);
	for (size_t i = 0; i < h->recording_count; i++) {
		free(h->recordings[i].host);
		free(h->recordings[i].cpus);
		free(h->recordings[i].clock_note);
		source_free(&h->recordings[i].source);
	}
	free(h->recordings);
	free(h->gaps);
	for (size_t i = 0; i < h->dimension_count; i++) {
		free(h->dimensions[i].name);
		free(h->dimensions[i].key_of);
		free(h->dimensions[i].keys);
	}
	free(h->dimensions);
	source_free(&h->source);
	profile_free(&h->profile);
	lanes_free(&h->lanes);
	*h = (struct heat){ 0 };
}
