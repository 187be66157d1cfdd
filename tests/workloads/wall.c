/* wall: threads that run, sleep, and wait for a lock or a CPU, and report these times themselves.
 *
 *     wall SECONDS
 *
 * At the end a line for each thread: "name tid least_ns most_ns cpu_ns runnable_ns switches": it lived at least from its
 * first to its last line, at most from before it was made until it was gone; runnable_ns is what the kernel says
 * (/proc/thread-self/schedstat). */
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

struct job {
	const char *name;
	void (*run)(void);
	int cpu; /* -1: any */
	pthread_t thread;
	pid_t tid;
	uint64_t made_ns, least_ns, most_ns, cpu_ns, runnable_ns;
	long switches;
};

static uint64_t until_ns;
static volatile uint64_t sink;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void sleep_until(uint64_t ns)
{
	struct timespec at = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

NOINLINE void wall_spin(void)
{
	while (clock_ns(CLOCK_MONOTONIC) < until_ns) {
		for (int i = 0; i < 10000; i++)
			sink += (uint64_t)i;
	}
}

NOINLINE void wall_nap(void)
{
	while (clock_ns(CLOCK_MONOTONIC) < until_ns)
		sleep_until(clock_ns(CLOCK_MONOTONIC) + 20000000);
}

NOINLINE void wall_hold(void)
{
	while (clock_ns(CLOCK_MONOTONIC) < until_ns) {
		pthread_mutex_lock(&lock);
		sleep_until(clock_ns(CLOCK_MONOTONIC) + 30000000);
		pthread_mutex_unlock(&lock);
		sleep_until(clock_ns(CLOCK_MONOTONIC) + 5000000);
	}
}

NOINLINE void wall_want(void)
{
	while (clock_ns(CLOCK_MONOTONIC) < until_ns) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
		sleep_until(clock_ns(CLOCK_MONOTONIC) + 1000000);
	}
}

NOINLINE void wall_quiet(void)
{
	sleep_until(until_ns);
}

static uint64_t runnable_ns(void)
{
	FILE *f = fopen("/proc/thread-self/schedstat", "r");
	uint64_t ran = 0, waited = 0;

	if (f && fscanf(f, "%" SCNu64 " %" SCNu64, &ran, &waited) != 2)
		waited = 0;
	if (f)
		fclose(f);
	return waited;
}

static void *run(void *argument)
{
	uint64_t start_ns = clock_ns(CLOCK_MONOTONIC);
	struct job *job = argument;
	struct rusage usage;
	cpu_set_t set;

	job->tid = (pid_t)syscall(SYS_gettid);
	pthread_setname_np(pthread_self(), job->name);
	CPU_ZERO(&set);
	CPU_SET(job->cpu < 0 ? 0 : job->cpu, &set);
	if (job->cpu >= 0 && sched_setaffinity(0, sizeof(set), &set))
		perror("sched_setaffinity");
	job->run();
	getrusage(RUSAGE_THREAD, &usage);
	job->switches = usage.ru_nvcsw + usage.ru_nivcsw;
	job->runnable_ns = runnable_ns();
	job->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	job->least_ns = clock_ns(CLOCK_MONOTONIC) - start_ns;
	return NULL;
}

/* A thread that was joined may wait for a CPU once more before it is gone. */
static void wait_until_gone(pid_t tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/task/%d", (int)tid);
	while (!access(path, F_OK))
		usleep(100);
}

int main(int argc, char **argv)
{
	static struct job jobs[] = {
		{ .name = "spin", .run = wall_spin, .cpu = -1 },   { .name = "nap", .run = wall_nap, .cpu = -1 },
		{ .name = "crowd-a", .run = wall_spin, .cpu = 0 }, { .name = "crowd-b", .run = wall_spin, .cpu = 0 },
		{ .name = "hold", .run = wall_hold, .cpu = -1 },   { .name = "want", .run = wall_want, .cpu = -1 },
		{ .name = "quiet", .run = wall_quiet, .cpu = -1 },
	};
	enum { JOBS = sizeof(jobs) / sizeof(*jobs) };
	double seconds = argc > 1 ? atof(argv[1]) : 2;

	until_ns = clock_ns(CLOCK_MONOTONIC) + (uint64_t)(seconds * 1e9);
	for (int i = 0; i < JOBS; i++) {
		jobs[i].made_ns = clock_ns(CLOCK_MONOTONIC);
		if (pthread_create(&jobs[i].thread, NULL, run, &jobs[i]))
			return 1;
	}
	for (int i = 0; i < JOBS; i++) {
		pthread_join(jobs[i].thread, NULL);
		wait_until_gone(jobs[i].tid);
		jobs[i].most_ns = clock_ns(CLOCK_MONOTONIC) - jobs[i].made_ns;
	}
	for (int i = 0; i < JOBS; i++)
		printf("%s %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %ld\n", jobs[i].name, (int)jobs[i].tid,
		       jobs[i].least_ns, jobs[i].most_ns, jobs[i].cpu_ns, jobs[i].runnable_ns, jobs[i].switches);
	return 0;
}
