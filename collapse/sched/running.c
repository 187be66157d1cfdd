#include "collapse/sched/running.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/perfdata/sample.h"
#include "collapse/perfdata/tracing.h"
#include "core/format/recording.h"
#include "core/map.h"
#include "core/memory.h"
#include "core/sorted.h"

enum { HEADER_BYTES = sizeof(struct perf_event_header), SECOND_NS = 1000000000 };

/* Where records were lost, a thread's switches may not match.  If more than this share does not match, only some of the
 * threads were recorded. */
enum { UNMATCHED_MOST = 10 }; /* one in so many switches */

struct reader {
	struct running_time *out;
	const struct perfdata *data;
	struct sideband *sideband;
	const struct recorded_event *sampled;
	struct tracing tracing;
	uint64_t by_tracepoint, by_record; /* switches */
};

/* --- reading ------------------------------------------------------------------------ */

static bool running_is_wanted(struct reader *r, int32_t pid, int32_t tid, uint64_t time_ns)
{
	struct sideband *s = r->sideband;

	if (!s->thread_names.wanted && !s->owned.chooses)
		return true;
	if (pid <= 0)
		pid = comms_pid(&s->comms, tid, time_ns);
	return sideband_wants(s, pid, tid, time_ns);
}

static void add_moment(struct reader *r, enum running_kind kind, int32_t pid, int32_t tid, uint64_t time_ns)
{
	struct running_time *out = r->out;

	if (tid <= 0) /* idle, or gone already */
		return;
	out->moments = xgrow(out->moments, &out->moment_cap, out->moment_count + 1, sizeof(*out->moments));
	out->moments[out->moment_count] =
		(struct running_moment){ time_ns, tid, (uint32_t)out->moment_count,
					 running_is_wanted(r, pid, tid, time_ns), (uint8_t)kind };
	out->moment_count++;
}

static void running_add_change(struct running_time *out, uint64_t time_ns, int32_t by)
{
	out->changes = xgrow(out->changes, &out->cap, out->count + 1, sizeof(*out->changes));
	out->changes[out->count++] = (struct running_change){ time_ns, by };
}

/* A span of our own event sched, or a sum of several spans. */
static void running_add_span(struct reader *r, const struct recorded_sample *s)
{
	struct running_time *out = r->out;

	if (s->state != RECORDING_RUNNING || s->tid <= 0 || !s->period ||
	    !running_is_wanted(r, s->pid, s->tid, s->time_ns))
		return;
	if (s->span_flags & RECORDING_SINGLE) {
		running_add_change(out, s->begin_ns, 1);
		running_add_change(out, s->begin_ns + s->period, -1);
		out->single_ns += s->period;
		return;
	}
	out->sums = xgrow(out->sums, &out->sum_cap, out->sum_count + 1, sizeof(*out->sums));
	out->sums[out->sum_count++] = (struct running_sum){ s->begin_ns, s->time_ns, s->period };
	out->sum_ns += s->period;
}

static void running_add_tracepoint(struct reader *r, const struct recorded_sample *s)
{
	const struct tracing_format *f = tracing_find(&r->tracing, s->event->attr.config);
	struct sched_event e = { 0 };

	if (!f || f->kind != SCHED_SWITCH || !tracing_event(f, s->raw, s->raw_len, &e))
		return;
	add_moment(r, RUNNING_OUT, -1, e.tid, s->time_ns);
	add_moment(r, RUNNING_IN, -1, e.next, s->time_ns);
	r->by_tracepoint++;
}

static void running_add_sample(struct reader *r, const struct record *record)
{
	struct recorded_sample s;

	if (!sample_read(r->data, record, &s))
		return;
	if (s.event->spans) {
		if (!strcmp(s.event->name, RECORDING_SCHED))
			running_add_span(r, &s);
		return;
	}
	if (s.event->attr.type == PERF_TYPE_TRACEPOINT)
		running_add_tracepoint(r, &s);
	if (s.event->allocations || s.event->lanes || (r->sampled && s.event != r->sampled))
		return;
	add_moment(r, RUNNING_SAMPLED, s.pid, s.tid, s.time_ns);
}

/* FORK, EXIT: pid ppid tid ptid time.  perf also writes them, without a time, for threads that already exist. */
static void running_add_life(struct reader *r, const struct record *record)
{
	uint64_t time_ns = record_time(r->data, record, 0);

	if (record->size < HEADER_BYTES + 16 || !time_ns)
		return;
	add_moment(r, record->type == PERF_RECORD_FORK ? RUNNING_NEW : RUNNING_GONE,
		   (int32_t)load_u32(record->bytes + HEADER_BYTES), (int32_t)load_u32(record->bytes + HEADER_BYTES + 8),
		   time_ns);
}

static void running_add_switch(struct reader *r, const struct record *record)
{
	uint64_t time_ns = record_time(r->data, record, 0);
	bool out = record->misc & PERF_RECORD_MISC_SWITCH_OUT;

	if (!time_ns)
		return;
	add_moment(r, out ? RUNNING_OUT : RUNNING_IN, -1, record_tid(r->data, record, -1), time_ns);
	r->by_record++;
}

static void read_records(struct reader *r)
{
	struct record_cursor cursor = perfdata_records(r->data);
	struct record record;
	size_t len;
	const uint8_t *formats = perfdata_feature(r->data, FEATURE_TRACING_DATA, &len);

	tracing_read(&r->tracing, formats, len);
	while (record_next(&cursor, &record)) {
		switch (record.type) {
		case PERF_RECORD_SAMPLE: running_add_sample(r, &record); break;
		case PERF_RECORD_FORK:
		case PERF_RECORD_EXIT: running_add_life(r, &record); break;
		case PERF_RECORD_SWITCH:
		case PERF_RECORD_SWITCH_CPU_WIDE: running_add_switch(r, &record); break;
		}
	}
}

/* --- from switches to changes --------------------------------------------------------- */

static int running_by_time(const void *a, const void *b)
{
	const struct running_moment *x = a, *y = b;

	return ORDER(x->time_ns, y->time_ns) ?: ORDER(x->order, y->order);
}

SORT_BY(by_change_time, struct running_change, time_ns);

enum { UNKNOWN, IN, OUT, DEAD };

struct run_state {
	uint64_t born_ns; /* 0: before the recording, or not known */
	uint8_t state;
	bool counted; /* as running */
};

struct run_states {
	struct run_state *items;
	size_t count, cap;
	struct map by_tid; /* -> number in items + 1 */
};

static struct run_state *running_state_of(struct run_states *s, int32_t tid)
{
	uint32_t *number = map_at(&s->by_tid, (uint32_t)tid, 0);

	if (!*number) {
		s->items = xgrow(s->items, &s->cap, s->count + 1, sizeof(*s->items));
		s->items[s->count++] = (struct run_state){ 0 };
		*number = (uint32_t)s->count;
	}
	return &s->items[*number - 1];
}

static void begin_run(struct running_time *out, struct run_state *s, uint64_t time_ns, bool wanted)
{
	s->state = IN;
	s->counted = wanted;
	if (wanted)
		running_add_change(out, time_ns, 1);
}

static void end_run(struct running_time *out, struct run_state *s, uint64_t time_ns)
{
	s->state = OUT;
	if (s->counted)
		running_add_change(out, time_ns, -1);
	s->counted = false;
}

/* If the first event of a thread is a sample, or says that the thread leaves the CPU, the thread has run since it was
 * created, or since the beginning of the recording.  If only its process is recorded, the switch at the end of a thread
 * is not recorded. */
static void running_apply(struct running_time *out, struct run_state *s, const struct running_moment *m)
{
	if (s->state == UNKNOWN && (m->kind == RUNNING_OUT || m->kind == RUNNING_GONE || m->kind == RUNNING_SAMPLED))
		begin_run(out, s, s->born_ns, m->wanted);
	switch (m->kind) {
	case RUNNING_IN:
		out->unmatched += s->state == IN;
		if (s->state != IN)
			begin_run(out, s, m->time_ns, m->wanted);
		break;
	case RUNNING_OUT: out->unmatched += s->state == OUT; /* fall through */
	case RUNNING_GONE:
		if (s->state == IN)
			end_run(out, s, m->time_ns);
		if (m->kind == RUNNING_GONE) /* its last switch may follow */
			s->state = DEAD;
		break;
	case RUNNING_NEW:
		if (s->state == IN) /* the old thread's end was not recorded, and a new thread has its number */
			end_run(out, s, m->time_ns);
		s->state = UNKNOWN;
		s->born_ns = m->time_ns;
		break;
	case RUNNING_SAMPLED: break;
	}
}

static void find_changes(struct running_time *out)
{
	struct run_states states = { 0 };

	for (size_t i = 0; i < out->moment_count; i++)
		running_apply(out, running_state_of(&states, out->moments[i].tid), &out->moments[i]);
	free(states.items);
	map_free(&states.by_tid);
}

/* --- samples -------------------------------------------------------------------------- */

/* The median of the gaps between two samples of the same thread. */
static uint64_t median_gap(const struct running_time *r)
{
	uint64_t *gaps = xmalloc((r->moment_count + 1) * sizeof(*gaps)), *last = NULL, median = 0;
	size_t count = 0, known = 0, cap = 0;
	struct map by_tid = { 0 };

	for (size_t i = 0; i < r->moment_count; i++) {
		const struct running_moment *m = &r->moments[i];
		uint32_t *number = map_at(&by_tid, (uint32_t)m->tid, 0);

		if (!*number) {
			last = xgrow(last, &cap, known + 1, sizeof(*last));
			*number = (uint32_t)++known;
		} else {
			gaps[count++] = m->time_ns - last[*number - 1];
		}
		last[*number - 1] = m->time_ns;
	}
	if (count) {
		qsort(gaps, count, sizeof(*gaps), by_u64);
		median = gaps[count / 2];
	}
	map_free(&by_tid);
	free(last);
	free(gaps);
	return median;
}

static uint64_t running_period_of(const struct running_time *r, const struct recorded_event *event)
{
	if (event && event->attr.freq && event->attr.sample_freq)
		return SECOND_NS / event->attr.sample_freq;
	if (event && event_is_clock(event) && event->attr.sample_period)
		return event->attr.sample_period;
	return median_gap(r);
}

/* Keep only samples, and of these only the wanted ones. */
static void keep_samples(struct running_time *r)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->moment_count; i++) {
		if (r->moments[i].kind == RUNNING_SAMPLED && r->moments[i].wanted)
			r->moments[kept++] = r->moments[i];
	}
	r->moment_count = kept;
}

/* --- the choice ------------------------------------------------------------------------- */

/* Do sums contain too much of the running time to be ignored? */
static bool running_is_summed(const struct running_time *r)
{
	return r->sum_ns > (r->single_ns + r->sum_ns) / 100;
}

static void drop_changes(struct running_time *r)
{
	r->count = 0;
}

static enum running_source running_choose(struct reader *r)
{
	struct running_time *out = r->out;

	out->switches = r->by_tracepoint + r->by_record;
	if (out->single_ns + out->sum_ns && (out->sums_will_do || !running_is_summed(out)))
		return RUNNING_SPANS;
	if (!out->switches)
		return RUNNING_SAMPLES;
	drop_changes(out);
	find_changes(out);
	if (out->unmatched > out->switches / UNMATCHED_MOST)
		return RUNNING_SAMPLES;
	return r->by_tracepoint ? RUNNING_TRACEPOINT : RUNNING_SWITCHES;
}

void running_take_samples(struct running_time *r, const struct recorded_event *sampled)
{
	r->source = RUNNING_SAMPLES;
	keep_samples(r);
	r->period_ns = running_period_of(r, sampled);
}

void running_read(struct running_time *r, const struct perfdata *d, struct sideband *sideband,
		  const struct recorded_event *sampled)
{
	struct reader reader = { .out = r, .data = d, .sideband = sideband, .sampled = sampled };

	read_records(&reader);
	if (r->moment_count)
		qsort(r->moments, r->moment_count, sizeof(*r->moments), running_by_time);
	r->source = running_choose(&reader);
	if (r->source == RUNNING_SAMPLES)
		running_take_samples(r, sampled);
	else if (r->count)
		qsort(r->changes, r->count, sizeof(*r->changes), by_change_time);
}

void running_free(struct running_time *r)
{
	if (!r)
		return;
	free(r->changes);
	free(r->sums);
	free(r->moments);
	*r = (struct running_time){ 0 };
}
