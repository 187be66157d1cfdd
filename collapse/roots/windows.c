#include "collapse/roots/windows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "core/opts.h"
#include "core/sorted.h"

enum { FAST_PERCENT = 50, SLOW_PERCENT = 90 };

uint64_t lengths_percentile(const uint64_t *lengths, size_t count, double percent)
{
	size_t rank = (size_t)ceil(percent / 100 * (double)count - 1e-9);

	if (!count)
		return 0;
	return lengths[rank < 1 ? 0 : rank > count ? count - 1 : rank - 1];
}

/* ---- the choice ---- */

static const struct {
	const char *word;
	struct window_choice choice;
} words[] = {
	{ "in", { .inside = true } },
	{ "out", { .outside = true } },
	{ "all", { .inside = true, .outside = true } },
	{ "fast", { .inside = true, .only = WINDOW_FAST } },
	{ "slow", { .inside = true, .only = WINDOW_SLOW } },
};

/* "", "10ms", "p99.9" */
static bool parse_limit(struct window_limit *l, const char *text, size_t len)
{
	char *copy = xstrndup(text, len), *end;
	bool valid = true;

	if (!len) {
		l->kind = WINDOW_LIMIT_NONE;
	} else if (*copy == 'p') {
		l->kind = WINDOW_LIMIT_PERCENTILE;
		l->percentile = strtod(copy + 1, &end);
		valid = copy[1] >= '0' && copy[1] <= '9' && !*end && l->percentile <= 100;
	} else {
		l->kind = WINDOW_LIMIT_NS;
		valid = parse_duration(copy, &l->ns);
	}
	free(copy);
	return valid;
}

struct window_choice window_choice_parse(const char *text)
{
	struct window_choice c = { .inside = true };
	const char *dash = text ? strchr(text, '-') : NULL;

	if (!text)
		return c;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (!strcmp(words[i].word, text))
			return words[i].choice;
	}
	if (!dash || !parse_limit(&c.least, text, (size_t)(dash - text)) ||
	    !parse_limit(&c.most, dash + 1, strlen(dash + 1)) ||
	    (c.least.kind == WINDOW_LIMIT_NONE && c.most.kind == WINDOW_LIMIT_NONE))
		die_usage("--between: '%s' is not in, out, all, fast, slow, or a range of lengths: 10ms-50ms, p99-",
			  text);
	if ((c.least.kind == WINDOW_LIMIT_NS && c.most.kind == WINDOW_LIMIT_NS && c.least.ns > c.most.ns) ||
	    (c.least.kind == WINDOW_LIMIT_PERCENTILE && c.most.kind == WINDOW_LIMIT_PERCENTILE &&
	     c.least.percentile > c.most.percentile))
		die_usage("--between: '%s' begins above its end", text);
	return c;
}

static uint64_t limit_ns(const struct windows *w, const struct window_limit *l, uint64_t none)
{
	if (l->kind == WINDOW_LIMIT_NONE)
		return none;
	return l->kind == WINDOW_LIMIT_NS ? l->ns : lengths_percentile(w->lengths, w->ended, l->percentile);
}

/* ---- reading ---- */

static uint64_t fold_windows_key_of(bool whole_process, int pid, int tid)
{
	return whole_process ? (uint64_t)(uint32_t)pid | 1ull << 32 : (uint32_t)tid;
}

static uint64_t key(const struct window *w)
{
	return fold_windows_key_of(w->whole_process, w->pid, w->tid);
}

static int by_key_and_time(const void *a, const void *b)
{
	const struct window *x = a, *y = b;

	return ORDER(key(x), key(y)) ?: ORDER(x->begin_ns, y->begin_ns) ?: ORDER(x->end_ns, y->end_ns);
}

static void fold_windows_add(struct windows *w, const struct recorded_sample *s, const struct clock *clock)
{
	uint64_t begin_ns = clock_wall(clock, s->begin_ns);

	w->list = xgrow(w->list, &w->cap, w->count + 1, sizeof(*w->list));
	w->list[w->count++] = (struct window){
		.begin_ns = begin_ns,
		.end_ns = s->period < UINT64_MAX - begin_ns ? begin_ns + s->period : UINT64_MAX,
		.time_ns = s->time_ns,
		.pid = s->pid,
		.tid = s->tid,
		.whole_process = s->window > 0 && s->window & RECORDING_WINDOW_PROCESS,
		.cut = s->window > 0 && s->window & RECORDING_WINDOW_CUT,
		.open = s->span_flags & RECORDING_OPEN,
	};
}

static void fold_windows_read_samples(struct windows *w, const struct perfdata *d, const struct clock *clock)
{
	struct record_cursor cursor = perfdata_records(d);
	struct recorded_event *event;
	struct recorded_sample s;
	struct record r;

	while (record_next(&cursor, &r)) {
		event = r.type == PERF_RECORD_SAMPLE ? sample_event(d, &r) : NULL;
		if (event && event->windows && sample_read(d, &r, &s) && s.span_flags & RECORDING_SINGLE)
			fold_windows_add(w, &s, clock);
	}
}

/* Windows of a key come one after the other, but seem to overlap where the clock was set back. */
static void index_keys(struct windows *w)
{
	qsort(w->list, w->count, sizeof(*w->list), by_key_and_time);
	for (size_t i = 0; i < w->count; i++) {
		uint32_t *first = map_at(&w->by_key, key(&w->list[i]), 0);
		struct window *window = &w->list[i];

		if (!*first) {
			*first = (uint32_t)i + 1;
		} else if (window->begin_ns < window[-1].end_ns) {
			window->begin_ns = window[-1].end_ns;
			window->end_ns = window->end_ns > window->begin_ns ? window->end_ns : window->begin_ns;
		}
	}
}

static uint64_t fold_windows_length(const struct window *w)
{
	return w->end_ns - w->begin_ns;
}

static void sort_lengths(struct windows *w)
{
	w->lengths = xmalloc(w->count * sizeof(*w->lengths));
	for (size_t i = 0; i < w->count; i++) {
		if (!w->list[i].cut && !w->list[i].open)
			w->lengths[w->ended++] = fold_windows_length(&w->list[i]);
	}
	qsort(w->lengths, w->ended, sizeof(*w->lengths), by_u64);
}

static void fold_windows_choose(struct windows *w)
{
	const struct window_choice *c = &w->choice;
	uint64_t fast_ns = lengths_percentile(w->lengths, w->ended, FAST_PERCENT),
		 slow_ns = lengths_percentile(w->lengths, w->ended, SLOW_PERCENT);
	uint64_t least_ns = limit_ns(w, &c->least, 0), most_ns = limit_ns(w, &c->most, UINT64_MAX);

	for (size_t i = 0; i < w->count; i++) {
		struct window *window = &w->list[i];
		uint64_t ns = fold_windows_length(window);

		window->class = ns <= fast_ns ? WINDOW_FAST : ns >= slow_ns ? WINDOW_SLOW : WINDOW_OTHER;
		window->wanted = c->inside && (!c->only || c->only == window->class) && ns >= least_ns && ns <= most_ns;
		w->wanted += window->wanted;
	}
}

static bool are_recorded(const struct perfdata *d)
{
	for (size_t i = 0; i < d->event_count; i++) {
		if (d->events[i].windows && d->events[i].sample_count)
			return true;
	}
	return false;
}

void windows_read(struct windows *w, const struct perfdata *d, const struct clock *clock, struct window_choice choice)
{
	w->choice = choice;
	if (!are_recorded(d))
		return;
	fold_windows_read_samples(w, d, clock);
	if (!w->count)
		return;
	index_keys(w);
	sort_lengths(w);
	fold_windows_choose(w);
}

/* ---- asking ---- */

struct window_piece windows_at(const struct windows *w, int pid, int tid, uint64_t at_ns, uint64_t end_ns)
{
	struct window_piece outside = { end_ns, WINDOW_OUTSIDE, w->choice.outside };
	uint64_t wanted = fold_windows_key_of(w->count && w->list[0].whole_process, pid, tid);
	uint32_t first = map_get(&w->by_key, wanted, 0);
	const struct window *found;
	size_t i;

	if (!first)
		return outside;
	i = first - 1 +
	    FIRST_NOT(at, w->count - (first - 1),
		      key(&w->list[first - 1 + at]) == wanted && w->list[first - 1 + at].end_ns <= at_ns);
	if (i == w->count || key(&w->list[i]) != wanted)
		return outside;
	found = &w->list[i];
	if (found->begin_ns > at_ns) {
		outside.end_ns = found->begin_ns < end_ns ? found->begin_ns : end_ns;
		return outside;
	}
	return (struct window_piece){ found->end_ns < end_ns ? found->end_ns : end_ns, found->class, found->wanted };
}

void windows_free(struct windows *w)
{
	if (!w)
		return;
	free(w->list);
	free(w->lengths);
	map_free(&w->by_key);
	*w = (struct windows){ 0 };
}
