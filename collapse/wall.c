#include "collapse/wall.h"

#include <string.h>

#include "collapse/cause/history.h"
#include "collapse/history_samples.h"
#include "collapse/wall_shares.h"
#include "core/error.h"
#include "core/format/recording.h"

struct wall {
	struct collapse *c;
	const struct recorded_event *sampled; /* the event whose samples show what ran; NULL: none */
	bool has_states;                      /* of sched; else those of collect wall count, if there are any */
	struct wall_shares shares;
};

static bool is_wall(const struct recorded_sample *s)
{
	return s->event->spans && !strcmp(s->event->name, RECORDING_WALL);
}

/* Labels follow the frames. */
static bool has_frames(const struct recorded_sample *s)
{
	return s->chain_count && !RECORDING_IS_LABEL(load_u64(s->chain));
}

static bool wants(const struct wall *w, const struct recorded_sample *s)
{
	if (is_wall(s))
		return !w->has_states && s->tid;
	if (!s->tid || s->event->allocations || !history_wants(s))
		return false;
	return s->event->spans || s->event == w->sampled;
}

static enum wall_kind collapse_wall_kind_of(const struct recorded_sample *s)
{
	if (!s->event->spans)
		return WALL_SAMPLE;
	if (is_wall(s))
		return has_frames(s) ? WALL_OWN : WALL_SPAN;
	return history_has_stack(s) ? WALL_BLOCK : WALL_SPAN;
}

static uint64_t between(uint64_t ns, uint64_t least, uint64_t most)
{
	return ns < least ? least : ns > most ? most : ns;
}

/* A span that windows cut has several. */
static void collapse_wall_add_piece(struct wall *w, struct wall_item item, const struct recorded_sample *s,
				    const struct timed_sample *piece)
{
	item.stack = piece->stack;
	item.ns = s->event->spans || event_is_clock(s->event) ? piece->value : 0;
	if (w->c->gather.windows && item.single) {
		item.begin_ns = piece->wall_ns;
		item.end_ns = piece->wall_ns + piece->value;
	}
	wall_shares_add(&w->shares, item);
}

static void collapse_wall_add_sample(void *wall, struct recorded_sample *s)
{
	struct wall *w = wall;
	struct gather *g = &w->c->gather;
	bool known = s->state >= 0 && s->state < RECORDING_STATE_COUNT, spans = s->event->spans;
	struct wall_item item = { .pid = s->pid,
				  .tid = s->tid,
				  .state = known ? s->state : RECORDING_STATE_UNKNOWN,
				  .single = s->span_flags & RECORDING_SINGLE,
				  .begin_ns = clock_wall(&w->c->clock, spans ? s->begin_ns : s->time_ns),
				  .end_ns = clock_wall(&w->c->clock, s->time_ns),
				  .count = spans ? s->count : 1 };
	size_t before = g->times.count;

	if (!wants(w, s))
		return;
	item.kind = collapse_wall_kind_of(s);
	if (item.single)
		item.end_ns = item.begin_ns + s->period;
	gather_add(g, s);
	item.end_ns = between(item.end_ns, g->from_ns, g->to_ns);
	item.begin_ns = between(item.begin_ns, g->from_ns, item.end_ns);
	for (size_t i = before; i < g->times.count; i++)
		collapse_wall_add_piece(w, item, s, &g->times.items[i]);
}

static const struct recorded_event *find_sampled(const struct perfdata *d)
{
	for (size_t i = 0; i < d->event_count; i++) {
		const struct recorded_event *e = &d->events[i];

		if (e->sample_count && !e->spans && !e->allocations && !e->lanes &&
		    e->attr.type != PERF_TYPE_TRACEPOINT)
			return e;
	}
	return NULL;
}

static bool collapse_wall_has_samples(const struct perfdata *d, const char *event)
{
	for (size_t i = 0; i < d->event_count; i++) {
		if (!strcmp(d->events[i].name, event) &&
		    (d->events[i].sample_count || (d->events[i].derived && !d->events[i].from_states)))
			return true;
	}
	return false;
}

/* Say what is estimated, or cannot be told. */
static void warn_of_gaps(const struct wall *w)
{
	const struct perfdata *d = &w->c->data;

	if (!w->has_states && collapse_wall_has_samples(d, RECORDING_WALL))
		inform("%s: times are estimated from samples of what each thread did", d->path);
	else if (!w->has_states)
		warn("%s: no scheduler states (pyrograph collect cpu,sched,offcpu): the time that threads ran is %s, "
		     "and "
		     "there are no waits for a CPU",
		     d->path, w->sampled && event_is_clock(w->sampled) ? "estimated from samples" : "unknown");
	if (!collapse_wall_has_samples(d, RECORDING_OFFCPU) && !collapse_wall_has_samples(d, RECORDING_WALL))
		warn("%s: no blocked time with stacks (pyrograph collect cpu,sched,offcpu): it is below the thread",
		     d->path);
	if (!w->sampled)
		warn("%s: no samples of what ran (pyrograph collect cpu,...): it is [running, not sampled]", d->path);
}

int wall_read(struct collapse *c)
{
	struct wall w = { .c = c, .sampled = find_sampled(&c->data), .shares.stacks = &c->gather.stacks };
	int status;

	w.has_states = collapse_wall_has_samples(&c->data, RECORDING_SCHED);
	warn_of_gaps(&w);
	status = history_samples_read(c, collapse_wall_add_sample, &w);
	if (!status)
		wall_shares_divide(&w.shares);
	wall_shares_free(&w.shares);
	return status;
}
