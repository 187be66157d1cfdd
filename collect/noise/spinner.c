#include "collect/noise/spinner.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collect/noise/noise_program.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/start.h"
#include "core/wallclock.h"

enum { GAPS = 1 << 14 };

/* One thread writes gaps, another takes them. */
struct spinner {
	pthread_t thread;
	bool runs;
	atomic_int state; /* 1: it spins; -1: it could not */
	struct spinner_seen seen;
	atomic_size_t put;
	size_t taken;
	struct spinner_gap *gaps; /* [GAPS] */
};

static struct {
	struct spinner *list;
	size_t count;
	uint64_t min_ns, over_ns;
	atomic_uint_least64_t begin_ns, end_ns; /* gaps count from begin_ns to end_ns; 0: not known yet */
	atomic_bool over;
} spin = { .over_ns = UINT64_MAX };

static void spinner_tell(struct spinner *s, const struct spinner_gap *gap)
{
	size_t put = atomic_load_explicit(&s->put, memory_order_relaxed);

	if (put - __atomic_load_n(&s->taken, __ATOMIC_ACQUIRE) >= GAPS) {
		s->seen.untold++;
		return;
	}
	s->gaps[put % GAPS] = *gap;
	atomic_store_explicit(&s->put, put + 1, memory_order_release);
}

static void spinner_see(struct spinner *s, const struct spinner_gap *gap)
{
	uint64_t ns = gap->end_ns - gap->begin_ns;

	s->seen.gaps++;
	s->seen.gaps_ns += ns;
	if (ns > s->seen.longest_ns) {
		s->seen.longest_ns = ns;
		s->seen.longest_at_ns = gap->begin_ns;
	}
	if (!gap->has_cause) {
		s->seen.bare++;
		s->seen.bare_ns += ns;
	}
	if (!gap->has_cause || ns > spin.over_ns)
		spinner_tell(s, gap);
}

/* The thread was kept from reading the clock.  The part of this time within the recording is a gap, if it is long
 * enough. */
static void note_gap(struct spinner *s, struct spinner_gap gap)
{
	uint64_t begin_ns = atomic_load(&spin.begin_ns), end_ns = atomic_load(&spin.end_ns);

	if (!begin_ns)
		return;
	if (gap.begin_ns < begin_ns)
		gap.begin_ns = begin_ns;
	if (end_ns && gap.end_ns > end_ns)
		gap.end_ns = end_ns;
	if (gap.end_ns > gap.begin_ns && gap.end_ns - gap.begin_ns >= spin.min_ns)
		spinner_see(s, &gap);
}

/* The count of events is read before one look at the clock and after the next one, so that no event of the gap is
 * missed. */
static void *spinner_run(void *spinner)
{
	struct spinner *s = spinner;
	const volatile uint64_t *events = noise_program_events(s->seen.cpu);
	uint64_t before, now, events_before, events_now;
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(s->seen.cpu, &cpus);
	s->seen.tid = gettid();
	if (sched_setaffinity(0, sizeof(cpus), &cpus)) {
		atomic_store(&s->state, -1);
		return NULL;
	}
	atomic_store(&s->state, 1);
	events_before = *events;
	before = clock_ns(CLOCK_MONOTONIC);
	for (bool last = false; !last;) { /* a last look follows, since it may just have been kept from the clock */
		last = atomic_load_explicit(&spin.over, memory_order_relaxed);
		events_now = *events;
		now = clock_ns(CLOCK_MONOTONIC);
		if (now - before >= spin.min_ns)
			note_gap(s, (struct spinner_gap){ before, now, s->seen.cpu, s->seen.tid,
							  *events != events_before });
		before = now;
		events_before = events_now;
	}
	return NULL;
}

static int spinner_start(struct spinner *s)
{
	sigset_t all, previous;
	int err;

	s->gaps = xcalloc(GAPS, sizeof(*s->gaps));
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &previous);
	err = pthread_create(&s->thread, NULL, spinner_run, s);
	pthread_sigmask(SIG_SETMASK, &previous, NULL);
	if (err)
		return error("noise: cannot start a thread: %s", start_failure(err));
	s->runs = true;
	while (!atomic_load(&s->state))
		usleep(1000);
	if (atomic_load(&s->state) < 0)
		return error("noise: --spin: we may not run on CPU %d (taskset, cgroups' cpuset.cpus)", s->seen.cpu);
	return 0;
}

void spinners_tell(uint64_t over_ns)
{
	spin.over_ns = over_ns;
}

int spinners_start(const struct cpus *cpus, uint64_t min_ns)
{
	spin.min_ns = min_ns;
	spin.list = xcalloc(cpus->count + 1, sizeof(*spin.list));
	for (size_t i = 0; i < cpus->count; i++) {
		spin.list[i].seen.cpu = cpus->list[i];
		spin.count = i + 1;
		if (spinner_start(&spin.list[i]))
			return -1;
	}
	return 0;
}

void spinners_begin(uint64_t begin_ns)
{
	atomic_store(&spin.begin_ns, begin_ns);
}

void spinners_end(uint64_t end_ns)
{
	atomic_store(&spin.end_ns, end_ns);
}

void spinners_take(void (*take)(const struct spinner_gap *gap))
{
	for (size_t i = 0; i < spin.count; i++) {
		struct spinner *s = &spin.list[i];
		size_t put = atomic_load_explicit(&s->put, memory_order_acquire);

		for (; s->taken != put; __atomic_store_n(&s->taken, s->taken + 1, __ATOMIC_RELEASE))
			take(&s->gaps[s->taken % GAPS]);
	}
}

const struct spinner_seen *spinner_seen(size_t i)
{
	return &spin.list[i].seen;
}

void spinners_stop(void)
{
	atomic_store(&spin.over, true);
	for (size_t i = 0; i < spin.count; i++) {
		if (spin.list[i].runs)
			pthread_join(spin.list[i].thread, NULL);
		spin.list[i].runs = false;
	}
}

void spinners_free(void)
{
	spinners_stop();
	for (size_t i = 0; i < spin.count; i++)
		free(spin.list[i].gaps);
	free(spin.list);
	spin.list = NULL;
	spin.count = 0;
}
