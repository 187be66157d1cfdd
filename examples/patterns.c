/* patterns: programs whose heat maps are worth knowing.
 *
 *     once       wakes at each full second and works for 60 ms
 *     diagonal   works for 70 ms, then sleeps for a second; and so do two others that
 *                work for less
 *     share      two threads on one CPU, each for 100 ms at a time
 *     stall      two workers that a third thread holds up for half a second, now and then
 *     lockstep   five threads that take turns, 2 ms each, in every 10 ms
 *
 * Usage: patterns PATTERN [SECONDS] */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The caller stays in the chain of frame pointers. */
#define KEEP_FRAME __attribute__((noinline, optimize("no-optimize-sibling-calls")))

enum { MS = 1000000, SECOND = 1000 * MS };

static atomic_bool over;

static int64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}

static void sleep_until(clockid_t clock, int64_t when)
{
	struct timespec t = { when / SECOND, when % SECOND };

	clock_nanosleep(clock, TIMER_ABSTIME, &t, NULL);
}

KEEP_FRAME static void work(int64_t ns)
{
	for (int64_t end = now(CLOCK_MONOTONIC) + ns; now(CLOCK_MONOTONIC) < end && !over;)
		;
}

static void rest(int64_t ns)
{
	sleep_until(CLOCK_MONOTONIC, now(CLOCK_MONOTONIC) + ns);
}

/* ---- once a second ---- */

static void *wake_each_second(void *unused)
{
	(void)unused;
	pthread_setname_np(pthread_self(), "cron");
	while (!over) {
		sleep_until(CLOCK_REALTIME, now(CLOCK_REALTIME) / SECOND * SECOND + SECOND);
		work(60 * MS);
	}
	return NULL;
}

/* ---- work, then sleep for a second ---- */

static void *poll_slowly(void *name)
{
	int64_t ns = strcmp(name, "poller-70ms") == 0 ? 70 * MS :
		     strcmp(name, "poller-35ms") == 0 ? 35 * MS : 15 * MS;

	pthread_setname_np(pthread_self(), name);
	while (!over) {
		work(ns);
		rest(SECOND);
	}
	return NULL;
}

/* ---- two threads on one CPU ---- */

/* So long a slice: sched_setattr(2); Linux 6.12 takes it for ordinary threads. */
static void ask_for_slices(uint64_t ns)
{
	struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime, deadline, period;
	} attr = { .size = sizeof(attr), .policy = SCHED_OTHER, .runtime = ns };
	struct sched_param first = { .sched_priority = 1 };
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	pthread_setaffinity_np(pthread_self(), sizeof(cpus), &cpus);
	if (syscall(SYS_sched_setattr, 0, &attr, 0) < 0)
		sched_setscheduler(0, SCHED_RR, &first); /* 100 ms each, as well */
}

static void *share_a_cpu(void *name)
{
	pthread_setname_np(pthread_self(), name);
	ask_for_slices(100 * MS);
	while (!over)
		work(SECOND);
	return NULL;
}

/* ---- a stall ---- */

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;

KEEP_FRAME static void serve_request(void)
{
	pthread_rwlock_rdlock(&table);
	work(7 * MS);
	pthread_rwlock_unlock(&table);
	rest(3 * MS);
}

static void *serve(void *name)
{
	pthread_setname_np(pthread_self(), name);
	while (!over)
		serve_request();
	return NULL;
}

KEEP_FRAME static void compact_table(void)
{
	pthread_rwlock_wrlock(&table);
	work(20 * MS);
	rest(460 * MS); /* on a disk, say */
	work(20 * MS);
	pthread_rwlock_unlock(&table);
}

static void *compact(void *unused)
{
	(void)unused;
	pthread_setname_np(pthread_self(), "compactor");
	while (!over) {
		rest(8400 * (int64_t)MS);
		compact_table();
	}
	return NULL;
}

/* ---- in step with the sampling ---- */

static void *take_turns(void *name)
{
	const char *digit = strchr(name, '-') + 1;
	int64_t place = (*digit - '1') * 2 * MS;
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	pthread_setaffinity_np(pthread_self(), sizeof(cpus), &cpus);
	pthread_setname_np(pthread_self(), name);
	while (!over) {
		sleep_until(CLOCK_MONOTONIC, now(CLOCK_MONOTONIC) / (10 * MS) * (10 * MS) + 10 * MS + place);
		work(19 * MS / 10);
	}
	return NULL;
}

/* ---- which of them ---- */

static const struct pattern {
	const char *name;
	struct {
		void *(*run)(void *);
		const char *argument;
	} threads[6];
} patterns[] = {
	{ "once", { { wake_each_second, NULL } } },
	{ "diagonal", { { poll_slowly, "poller-70ms" }, { poll_slowly, "poller-35ms" }, { poll_slowly, "poller-15ms" } } },
	{ "share", { { share_a_cpu, "left" }, { share_a_cpu, "right" } } },
	{ "stall", { { serve, "worker-1" }, { serve, "worker-2" }, { compact, NULL } } },
	{ "lockstep", { { take_turns, "turn-1" }, { take_turns, "turn-2" }, { take_turns, "turn-3" },
			{ take_turns, "turn-4" }, { take_turns, "turn-5" } } },
};

static const struct pattern *pattern_called(const char *name)
{
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
		if (strcmp(patterns[i].name, name) == 0)
			return &patterns[i];
	return NULL;
}

int main(int argc, char **argv)
{
	const struct pattern *pattern = argc > 1 ? pattern_called(argv[1]) : NULL;
	pthread_t threads[6];
	size_t count = 0;

	if (!pattern) {
		fprintf(stderr, "Usage: patterns once|diagonal|share|stall|lockstep [SECONDS]\n");
		return 2;
	}
	for (; count < 6 && pattern->threads[count].run; count++)
		pthread_create(&threads[count], NULL, pattern->threads[count].run,
			       (void *)pattern->threads[count].argument);
	rest((int64_t)((argc > 2 ? atof(argv[2]) : 30) * SECOND));
	over = true;
	for (size_t i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
