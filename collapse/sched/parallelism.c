#include "collapse/sched/parallelism.h"

#include <stdlib.h>

#include "core/amount.h"
#include "core/error.h"
#include "core/format/recording.h"
#include "core/map.h"
#include "core/memory.h"
#include "core/sorted.h"

enum { WRONG_MOST = 10 }; /* as many as one in so many samples may be of a moment when no thread ran */

static void parallelism_add_step(struct parallelism *p, uint64_t time_ns, uint32_t threads)
{
	if (p->count && p->steps[p->count - 1].time_ns == time_ns) {
		p->steps[p->count - 1].threads = threads;
		return;
	}
	p->steps = xgrow(p->steps, &p->cap, p->count + 1, sizeof(*p->steps));
	p->steps[p->count++] = (struct parallelism_step){ time_ns, threads };
}

static void steps_of_changes(struct parallelism *p)
{
	const struct running_time *r = &p->running;
	int64_t threads = 0;

	for (size_t i = 0; i < r->count; i++) {
		threads += r->changes[i].by;
		parallelism_add_step(p, r->changes[i].time_ns, threads > 0 ? (uint32_t)threads : 0);
	}
}

/* The samples within one period, and the number of their threads. */
struct window {
	const struct running_time *running;
	size_t from, to;    /* indexes of moments */
	struct map numbers; /* tid -> number in samples + 1 */
	uint32_t *samples;  /* in the window, of each thread */
	size_t known, cap;
	uint32_t threads;
};

static uint32_t *samples_of(struct window *w, int32_t tid)
{
	uint32_t *number = map_at(&w->numbers, (uint32_t)tid, 0);

	if (!*number) {
		w->samples = xgrow(w->samples, &w->cap, w->known + 1, sizeof(*w->samples));
		w->samples[w->known] = 0;
		*number = (uint32_t)++w->known;
	}
	return &w->samples[*number - 1];
}

/* Move the window to (time_ns - period / 2, time_ns + period / 2]: a thread that runs all the time is sampled once in
 * it, whatever the time of its own samples. */
static void move_window(struct window *w, uint64_t time_ns)
{
	const struct running_time *r = w->running;
	uint64_t half = r->period_ns / 2;

	for (; w->to < r->moment_count && r->moments[w->to].time_ns <= time_ns + half; w->to++)
		w->threads += !(*samples_of(w, r->moments[w->to].tid))++;
	for (; w->from < w->to && r->moments[w->from].time_ns + (r->period_ns - half) <= time_ns; w->from++)
		w->threads -= !--(*samples_of(w, r->moments[w->from].tid));
}

static void steps_of_samples(struct parallelism *p)
{
	const struct running_time *r = &p->running;
	struct window w = { .running = r };

	for (size_t i = 0; i < r->moment_count; i++) {
		move_window(&w, r->moments[i].time_ns);
		parallelism_add_step(p, r->moments[i].time_ns, w.threads);
	}
	map_free(&w.numbers);
	free(w.samples);
}

/* How many threads ran according to the last step before a time. */
static uint32_t threads_at(const struct parallelism *p, uint64_t time_ns)
{
	size_t after = FIRST_NOT(i, p->count, p->steps[i].time_ns <= time_ns);

	return after ? p->steps[after - 1].threads : 0;
}

/* Are many samples of moments when no thread ran, according to the switches?  Then switches are missing, for example of
 * threads that joined a control group later, or spans were still open when the collector was killed. */
static bool contradict(const struct parallelism *p, uint64_t *samples, uint64_t *wrong)
{
	const struct running_time *r = &p->running;

	for (size_t i = 0; i < r->moment_count; i++) {
		if (r->moments[i].kind != RUNNING_SAMPLED || !r->moments[i].wanted)
			continue;
		++*samples;
		*wrong += !threads_at(p, r->moments[i].time_ns);
	}
	return *wrong > *samples / WRONG_MOST;
}

static void parallelism_tell(const struct running_time *r, const char *path)
{
	static const char *const from[] = { [RUNNING_SPANS] = "spans of running time (sched)",
					    [RUNNING_TRACEPOINT] = "context switches (sched:sched_switch)",
					    [RUNNING_SWITCHES] = "context switches (PERF_RECORD_SWITCH)" };

	if (r->source != RUNNING_SAMPLES)
		inform("%s: parallelism is exact, from %s", path, from[r->source]);
	else if (r->single_ns + r->sum_ns)
		inform("%s: parallelism is estimated from samples: %s of the running time was not recorded as "
		       "single "
		       "spans (pyrograph collect cpu,sched --events does)",
		       path, percentage_text(r->sum_ns, r->single_ns + r->sum_ns).text);
	else if (r->switches)
		inform("%s: parallelism is estimated from samples: only part of the context switches was recorded",
		       path);
	else
		inform("%s: parallelism is estimated from samples: no context switches were recorded (pyrograph "
		       "collect "
		       "cpu,sched --events, perf record --switch-events)",
		       path);
}

void parallelism_read(struct parallelism *p, const struct perfdata *d, struct sideband *sideband,
		      const struct recorded_event *sampled)
{
	uint64_t samples = 0, wrong = 0;

	running_read(&p->running, d, sideband, sampled);
	if (p->running.source != RUNNING_SAMPLES) {
		steps_of_changes(p);
		if (!contradict(p, &samples, &wrong)) {
			parallelism_tell(&p->running, d->path);
			return;
		}
		p->count = 0;
		running_take_samples(&p->running, sampled);
		inform("%s: parallelism is estimated from samples: of %s of them, no context switch was recorded",
		       d->path, percentage_text(wrong, samples).text);
	} else {
		parallelism_tell(&p->running, d->path);
	}
	steps_of_samples(p);
}

uint32_t parallelism_at(const struct parallelism *p, uint64_t time_ns)
{
	uint32_t threads = threads_at(p, time_ns);

	return threads ? threads : 1;
}

void parallelism_free(struct parallelism *p)
{
	if (!p)
		return;
	running_free(&p->running);
	free(p->steps);
	*p = (struct parallelism){ 0 };
}

/* --- the mean over time --- */

enum { STRETCHES_MOST = 60000, STRETCH_NS = 10000000 };

/* The running time in each stretch. */
struct stretches {
	uint64_t begin_ns, end_ns, width_ns;
	uint64_t *ns;   /* [count] */
	uint64_t *more; /* [count + 1]: for parts that cover whole stretches, the difference from the stretch before */
	size_t count;
};

/* Add the share of ns, spread evenly over whole_ns, that falls into [at, end), which lies within one stretch. */
static void parallelism_mean_add_part(struct stretches *s, uint64_t at, uint64_t end, uint64_t ns, uint64_t whole_ns)
{
	if (at < end)
		s->ns[(at - s->begin_ns) / s->width_ns] += (uint64_t)((__uint128_t)ns * (end - at) / whole_ns);
}

/* Spread ns evenly over [from_ns, to_ns), and add it; the part outside of the stretches is not counted. */
static void parallelism_mean_spread(struct stretches *s, uint64_t from_ns, uint64_t to_ns, uint64_t ns)
{
	uint64_t whole_ns = to_ns - from_ns, at = from_ns > s->begin_ns ? from_ns : s->begin_ns;
	uint64_t end = to_ns < s->end_ns ? to_ns : s->end_ns, each;
	size_t first, last;

	if (at >= end)
		return;
	first = (at - s->begin_ns) / s->width_ns;
	last = (end - s->begin_ns) / s->width_ns; /* equals s->count if the time ends where the last stretch does */
	if (first == last) {
		parallelism_mean_add_part(s, at, end, ns, whole_ns);
		return;
	}
	parallelism_mean_add_part(s, at, s->begin_ns + (first + 1) * s->width_ns, ns, whole_ns);
	parallelism_mean_add_part(s, s->begin_ns + last * s->width_ns, end, ns, whole_ns);
	each = (uint64_t)((__uint128_t)ns * s->width_ns / whole_ns);
	s->more[first + 1] += each;
	s->more[last] -= each;
}

static void add_changes(struct stretches *s, const struct running_time *r)
{
	int64_t threads = 0;

	for (size_t i = 0; i < r->count; i++) {
		uint64_t from_ns = r->changes[i].time_ns,
			 to_ns = i + 1 < r->count ? r->changes[i + 1].time_ns : s->end_ns;

		threads += r->changes[i].by;
		if (threads > 0 && to_ns > from_ns)
			parallelism_mean_spread(s, from_ns, to_ns, (uint64_t)threads * (to_ns - from_ns));
	}
}

static void parallelism_mean_add_sums(struct stretches *s, const struct running_time *r)
{
	for (size_t i = 0; i < r->sum_count; i++) {
		if (r->sums[i].end_ns > r->sums[i].begin_ns)
			parallelism_mean_spread(s, r->sums[i].begin_ns, r->sums[i].end_ns, r->sums[i].ns);
	}
}

static void tell_all(const struct stretches *s, parallelism_sink *sink, void *argument)
{
	uint64_t last = UINT64_MAX, last_ns = 0, whole = 0;

	for (size_t i = 0; i < s->count; i++) {
		uint64_t time_ns = s->begin_ns + i * s->width_ns;
		uint64_t width_ns = s->end_ns - time_ns < s->width_ns ? s->end_ns - time_ns : s->width_ns;
		uint64_t mean;

		whole += s->more[i];
		mean = (uint64_t)(((__uint128_t)(s->ns[i] + whole) * RECORDING_LANE_PARTS + width_ns / 2) / width_ns);
		if (mean == last && time_ns - last_ns < RECORDING_LANE_REPEAT_NS)
			continue;
		sink(argument, time_ns, mean);
		last = mean;
		last_ns = time_ns;
	}
}

void parallelism_mean(const struct running_time *r, uint64_t begin_ns, uint64_t end_ns, parallelism_sink *sink,
		      void *argument)
{
	struct stretches s = { .begin_ns = begin_ns, .end_ns = end_ns, .width_ns = STRETCH_NS };

	if (end_ns <= begin_ns)
		return;
	if ((end_ns - begin_ns) / STRETCH_NS >= STRETCHES_MOST)
		s.width_ns = (end_ns - begin_ns) / STRETCHES_MOST + 1;
	s.count = (end_ns - begin_ns - 1) / s.width_ns + 1;
	s.ns = xcalloc(s.count, sizeof(*s.ns));
	s.more = xcalloc(s.count + 1, sizeof(*s.more));
	add_changes(&s, r);
	parallelism_mean_add_sums(&s, r);
	tell_all(&s, sink, argument);
	free(s.ns);
	free(s.more);
}
