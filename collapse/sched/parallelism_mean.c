#include "collapse/sched/parallelism_mean.h"

#include <stdlib.h>

#include "core/format/recording.h"
#include "core/memory.h"

enum { STRETCHES_MOST = 60000, STRETCH_NS = 10000000 };

/* The running time in each stretch. */
struct stretches {
	uint64_t begin_ns, end_ns, width_ns;
	uint64_t *ns;   /* [count] */
	uint64_t *more; /* [count + 1]: so much more than in the stretch before, of what covers whole stretches */
	size_t count;
};

/* Add the part of ns, which are spread evenly over whole_ns, in [at, end), within one stretch. */
static void parallelism_mean_add_part(struct stretches *s, uint64_t at, uint64_t end, uint64_t ns, uint64_t whole_ns)
{
	if (at < end)
		s->ns[(at - s->begin_ns) / s->width_ns] += (uint64_t)((__uint128_t)ns * (end - at) / whole_ns);
}

/* Add ns that are spread evenly over [from_ns, to_ns); what lies outside is not counted. */
static void parallelism_mean_spread(struct stretches *s, uint64_t from_ns, uint64_t to_ns, uint64_t ns)
{
	uint64_t whole_ns = to_ns - from_ns, at = from_ns > s->begin_ns ? from_ns : s->begin_ns;
	uint64_t end = to_ns < s->end_ns ? to_ns : s->end_ns, each;
	size_t first, last;

	if (at >= end)
		return;
	first = (at - s->begin_ns) / s->width_ns;
	last = (end - s->begin_ns) / s->width_ns; /* count, if it ends with the last one */
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
