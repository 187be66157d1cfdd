#include "collapse/fold/gather.h"

#include <stdlib.h>

#include "core/format/recording.h"
#include "core/memory.h"

/* The wall-clock time that a sample covers. */
struct stretch {
	uint64_t begin_ns, end_ns;
	uint64_t sum_ns; /* if this is a part of a sum: the length of the whole sum; else 0 */
};

void gather_start(struct gather *g)
{
	g->stacks.columns = &g->columns;
	g->times.width = g->columns.count - 1;
	g->roots.places = &g->stacks.places;
	g->by_reason = roots_has(&g->roots, "reason") || roots_has(&g->roots, "idle");
	g->class_at_root = roots_has(&g->roots, "class");
	g->unseen_stack = g->no_stack && (roots_has(&g->roots, "lock") || roots_has(&g->roots, "idle"));
}

static bool gather_is_single(const struct recorded_sample *s)
{
	return s->span_flags & RECORDING_SINGLE;
}

static bool has_wanted_length(struct gather *g, const struct recorded_sample *s)
{
	if (!g->min_ns && !g->max_ns)
		return true;
	if (!gather_is_single(s)) {
		g->sums++;
		return false;
	}
	return s->period >= g->min_ns && (!g->max_ns || s->period <= g->max_ns);
}

static bool is_of_wanted_thread(const struct gather *g, const struct recorded_sample *s)
{
	if (s->event->lanes) /* of no thread */
		return true;
	return sideband_wants(g->sideband, s->pid, s->tid, s->time_ns);
}

static bool has_wanted_state(const struct gather *g, const struct recorded_sample *s)
{
	if (g->no_idle && !s->tid)
		return false;
	return !g->states || (s->state >= 0 && g->states >> s->state & 1);
}

static bool has_wanted_parallelism(const struct gather *g, const struct recorded_sample *s)
{
	return !g->levels.count || levels_have(&g->levels, s->parallelism);
}

/* Cut t to the selected time.  Returns false if nothing is left. */
static bool cut_stretch(const struct gather *g, struct stretch *t)
{
	if (t->begin_ns >= g->to_ns || (t->end_ns <= g->from_ns && t->begin_ns < g->from_ns))
		return false;
	if (t->begin_ns < g->from_ns)
		t->begin_ns = g->from_ns;
	if (t->end_ns > g->to_ns)
		t->end_ns = g->to_ns;
	return true;
}

static uint64_t gather_share(uint64_t value, uint64_t part, uint64_t whole)
{
	return (uint64_t)(((__uint128_t)value * part + whole / 2) / whole);
}

static struct stretch gather_stretch_of(const struct gather *g, const struct recorded_sample *s)
{
	struct stretch t = { clock_wall(g->clock, s->begin_ns), clock_wall(g->clock, s->time_ns), 0 };

	if (gather_is_single(s))
		t.end_ns = s->period <= UINT64_MAX - t.begin_ns ? t.begin_ns + s->period : UINT64_MAX;
	else if (t.begin_ns > t.end_ns) /* the clock was set back */
		t.begin_ns = t.end_ns;
	/* If the period is longer than the stretch of time, the sample began earlier. */
	if (s->period > t.end_ns - t.begin_ns)
		t.begin_ns = s->period < t.end_ns ? t.end_ns - s->period : 0;
	return t;
}

/* Keep only the part in the selected time, so that a thread's states add up to that time.  A single span is cut, and
 * counted where it ends.  A sum does not tell when its spans happened: its value is split pro rata. */
static bool cut_sample(const struct gather *g, struct recorded_sample *s, struct stretch *t)
{
	struct stretch whole = gather_stretch_of(g, s);

	*t = whole;
	if (!cut_stretch(g, t))
		return false;
	if (gather_is_single(s)) {
		s->period = t->end_ns - t->begin_ns;
		s->count *= whole.end_ns == t->end_ns;
	} else if (t->end_ns - t->begin_ns < whole.end_ns - whole.begin_ns) {
		t->sum_ns = whole.end_ns - whole.begin_ns;
		s->period = gather_share(s->period, t->end_ns - t->begin_ns, whole.end_ns - whole.begin_ns);
		s->count = gather_share(s->count, t->end_ns - t->begin_ns, whole.end_ns - whole.begin_ns);
	}
	return true;
}

static bool gather_is_in_time(const struct gather *g, struct recorded_sample *s, struct stretch *t)
{
	if (s->event->spans)
		return cut_sample(g, s, t);
	t->begin_ns = t->end_ns = clock_wall(g->clock, s->time_ns);
	t->sum_ns = 0;
	return t->begin_ns >= g->from_ns && t->begin_ns < g->to_ns;
}

/* A time of 0 is that of a broken record, which would be hours or years before all others. */
static bool is_timeless(const struct recorded_sample *s)
{
	return !s->time_ns && s->event->layout.time >= 0;
}

/* Also for dropped samples: silence is information. */
static void gather_note_time(struct gather *g, const struct recorded_sample *s, const struct stretch *t)
{
	if (is_timeless(s)) {
		g->timeless++;
		return;
	}
	if (!g->last_ns || t->begin_ns < g->first_ns)
		g->first_ns = t->begin_ns;
	if (t->end_ns > g->last_ns)
		g->last_ns = t->end_ns;
}

static void note_used(struct gather *g, const struct recorded_sample *s)
{
	g->samples++;
	owners_seen_note(&g->owners, &g->sideband->owned, s);
	g->singles += gather_is_single(s);
	g->open += !!(s->span_flags & RECORDING_OPEN);
	if (!s->event->allocations)
		return;
	g->bytes += s->period;
	g->objects += s->count;
}

static void gather_note_sum(struct gather *g, const struct recorded_sample *s)
{
	uint64_t ns = s->time_ns - s->begin_ns;

	if (!s->event->spans || gather_is_single(s))
		return;
	g->summed++;
	g->summed_ns += ns;
	g->summed_squares += (__uint128_t)ns * ns;
}

static void cut_chain(struct gather *g, struct recorded_sample *s)
{
	if (g->no_stack || g->class_at_root)
		s->class_address = 0;
	if (g->no_stack && !g->unseen_stack) {
		s->chain_count = s->ip = 0;
		s->end = RECORDING_END_COMPLETE;
		s->has_wakers = false;
	} else if ((g->no_wakers || g->no_stack) && s->has_wakers) {
		s->chain_count = s->own_count;
		s->has_wakers = false;
	} else {
		owner_stack_choose(g->owner_stack, s, &g->owner_chain);
	}
}

/* Is this a part of a span that has neither time nor count? */
static bool is_nothing(const struct gather *g, const struct recorded_sample *s, const uint64_t *values)
{
	uint64_t all = 0;

	for (size_t i = 0; i < g->columns.count; i++)
		all |= values[i];
	return s->event->spans && !all;
}

static void gather_add_apart(struct gather *g, const struct recorded_sample *s, uint32_t stack)
{
	g->apart = xgrow(g->apart, &g->apart_cap, (size_t)stack + 1, sizeof(*g->apart));
	while (g->apart_count <= stack)
		g->apart[g->apart_count++] = (struct gather_sum){ 0 };
	g->apart[stack].spans += s->count;
	g->apart[stack].ns += s->period;
}

static void gather_add_time(struct gather *g, const struct recorded_sample *s, const struct stretch *t,
			    const uint64_t *values, uint32_t stack)
{
	bool is_sum = s->event->spans && !gather_is_single(s);

	if (is_sum && g->sums_apart) {
		gather_add_apart(g, s, stack);
	} else if ((is_sum && g->sums_untimed) || is_timeless(s)) {
		times_add(&g->times, TIMES_NONE, values, stack);
	} else {
		times_add(&g->times, gather_is_single(s) ? t->begin_ns : t->end_ns, values, stack);
		gather_note_sum(g, s);
	}
}

static uint64_t gather_value_of(struct gather *g, enum column column, const struct recorded_sample *s)
{
	if (column == COLUMN_LATENCY)
		return latency_share(&g->latency, s->period, s->parallelism);
	return column_value(column, s);
}

static void fold_gather_one(struct gather *g, struct recorded_sample *s, const struct stretch *t)
{
	uint32_t words[ROOT_WORDS_MAX], root, stack;
	uint64_t values[COLUMNS_MAX];
	size_t count;

	count = roots_key(&g->roots, s, words);
	root = intern_add(&g->root_keys, (const char *)words, count * sizeof(*words));
	for (size_t i = 0; i < g->columns.count; i++)
		values[i] = gather_value_of(g, g->columns.list[i], s);
	if (is_nothing(g, s, values))
		return;
	g->cut_sums += t->sum_ns != 0;
	g->cut_ns += t->sum_ns;
	cut_chain(g, s);
	if (!g->no_stack || g->unseen_stack)
		user_stacks_walk(g->user_stacks, s);
	stack = stacks_add(&g->stacks, s, root, g->sideband, values);
	if (g->timed)
		gather_add_time(g, s, t, values, stack);
}

/* Divide the sample by reason.  The largest part carries the count, and the remainder from rounding. */
static void gather_add_parts(struct gather *g, struct recorded_sample *s, const struct stretch *t)
{
	uint64_t whole = 0, rest = s->period, count = s->count;
	struct recorded_sample part = *s;
	unsigned largest = 0;

	for (unsigned i = 0; i < RECORDING_REASON_COUNT; i++) {
		if (!(s->reasons >> i & 1))
			continue;
		whole += s->parts[i];
		if (!(s->reasons >> largest & 1) || s->parts[i] > s->parts[largest])
			largest = i;
	}
	part.count = 0;
	for (unsigned i = 0; i < RECORDING_REASON_COUNT; i++) {
		if (!(s->reasons >> i & 1) || i == largest)
			continue;
		part.reasons = 1u << i;
		part.period = gather_share(s->period, s->parts[i], whole);
		part.period = part.period < rest ? part.period : rest;
		rest -= part.period;
		fold_gather_one(g, &part, t);
	}
	part.reasons = 1u << largest;
	part.period = rest;
	part.count = count;
	fold_gather_one(g, &part, t);
}

static void gather_add_used(struct gather *g, struct recorded_sample *s, const struct stretch *t, bool first)
{
	if (first)
		note_used(g, s);
	if (g->by_reason && s->reasons & (s->reasons - 1))
		gather_add_parts(g, s, t);
	else
		fold_gather_one(g, s, t);
}

/* ---- windows ---- */

/* Windows do not limit quantities over time, which belong to no thread, or processes, which live before and after
 * windows. */
static bool is_limited(const struct gather *g, const struct recorded_sample *s)
{
	return g->windows && g->windows->count && !s->event->lanes && !s->event->processes;
}

/* Add the pieces of a moment or a single span that lie in wanted windows; a span counts in the piece where it ends. */
static void gather_add_pieces(struct gather *g, const struct recorded_sample *s, const struct stretch *t)
{
	uint64_t at_ns = t->begin_ns;
	bool first = true;

	do {
		struct window_piece p = windows_at(g->windows, s->pid, s->tid, at_ns, t->end_ns);
		struct stretch piece = { at_ns, p.end_ns, 0 };
		struct recorded_sample part = *s;

		at_ns = p.end_ns;
		if (!p.wanted)
			continue;
		part.in_window = (uint8_t)p.class;
		if (s->event->spans) {
			part.period = piece.end_ns - piece.begin_ns;
			part.count *= piece.end_ns == t->end_ns;
		}
		gather_add_used(g, &part, &piece, first);
		first = false;
	} while (at_ns < t->end_ns);
	g->outside += first;
}

/* A sum does not tell when its spans happened: split it pro rata. */
static void gather_add_shares(struct gather *g, const struct recorded_sample *s, const struct stretch *t)
{
	uint64_t whole = t->end_ns - t->begin_ns, ns[WINDOW_CLASSES] = { 0 }, all = 0, done = 0;
	bool first = true;

	for (uint64_t at_ns = t->begin_ns; at_ns < t->end_ns;) {
		struct window_piece p = windows_at(g->windows, s->pid, s->tid, at_ns, t->end_ns);

		ns[p.class] += p.wanted ? p.end_ns - at_ns : 0;
		all += p.wanted ? p.end_ns - at_ns : 0;
		at_ns = p.end_ns;
	}
	for (unsigned class = 0; class < WINDOW_CLASSES; class ++) {
		struct recorded_sample part = *s;
		struct stretch cut = { t->begin_ns, t->end_ns, !first ? 0 : all < whole ? whole : t->sum_ns };

		if (!ns[class])
			continue;
		part.in_window = (uint8_t) class;
		part.period = gather_share(s->period, done + ns[class], whole) - gather_share(s->period, done, whole);
		part.count = gather_share(s->count, done + ns[class], whole) - gather_share(s->count, done, whole);
		done += ns[class];
		gather_add_used(g, &part, &cut, first);
		first = false;
	}
	g->outside += first;
}

void gather_add(struct gather *g, struct recorded_sample *s)
{
	bool wanted = has_wanted_state(g, s) && is_of_wanted_thread(g, s) && has_wanted_length(g, s) &&
		      has_wanted_parallelism(g, s);
	struct stretch t;

	if (!gather_is_in_time(g, s, &t))
		return;
	gather_note_time(g, s, &t);
	if (!wanted)
		return;
	if (!is_limited(g, s))
		gather_add_used(g, s, &t, true);
	else if (gather_is_single(s) || t.begin_ns == t.end_ns)
		gather_add_pieces(g, s, &t);
	else
		gather_add_shares(g, s, &t);
}

void gather_free(struct gather *g)
{
	if (!g)
		return;
	times_free(&g->times);
	free(g->apart);
	owners_seen_free(&g->owners);
	stacks_free(&g->stacks);
	intern_free(&g->root_keys);
	str_free(&g->owner_chain);
	levels_free(&g->levels);
	latency_free(&g->latency);
	roots_free(&g->roots);
	*g = (struct gather){ 0 };
}

/* ---- elapsed time ---------------------------------------------------------------------- */

uint64_t latency_share(struct latency *l, uint64_t period, uint32_t threads)
{
	uint64_t share;

	if (threads < 2)
		return period;
	l->left = xgrow(l->left, &l->cap, (size_t)threads + 1, sizeof(*l->left));
	while (l->count <= threads)
		l->left[l->count++] = 0;
	share = period / threads;
	l->left[threads] += period % threads;
	if (l->left[threads] >= threads) {
		l->left[threads] -= threads;
		share++;
	}
	return share;
}

void latency_free(struct latency *l)
{
	free(l->left);
	*l = (struct latency){ 0 };
}
