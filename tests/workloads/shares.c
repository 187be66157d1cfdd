/* shares: spends its time in functions of known share, and says what it spent.
 *
 *     shares SECONDS
 *
 * Two threads, "half" and "third" by name; each runs its functions by turns until
 * each has had its part of the CPU time.  At the end one line a function:
 * "thread function nanoseconds" of CPU time. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SPINS = 1 << 20 };

static volatile uint64_t sink;

static uint64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Read the clock rarely: libc has no frame pointers, and would hide its caller. */
#define SPINNER(name)                                                \
	__attribute__((noinline)) static void name(uint64_t until)   \
	{                                                            \
		while (cpu_ns() < until) {                           \
			for (uint64_t i = 0; i < SPINS; i++)         \
				sink += i;                           \
		}                                                    \
	}

SPINNER(spin_half)
SPINNER(spin_quarter)
SPINNER(spin_rest)
SPINNER(spin_two_thirds)
SPINNER(spin_third)

struct part {
	const char *name;
	void (*spin)(uint64_t until);
	double share;
	uint64_t spent_ns;
};

struct job {
	const char *thread;
	double seconds;
	struct part parts[4];
};

static void *run(void *argument)
{
	struct job *job = argument;
	const int turns = 20;

	pthread_setname_np(pthread_self(), job->thread);
	for (int turn = 0; turn < turns; turn++) {
		for (struct part *p = job->parts; p->name; p++) {
			uint64_t start = cpu_ns();

			p->spin(start + (uint64_t)(job->seconds * p->share / turns * 1e9));
			p->spent_ns += cpu_ns() - start;
		}
	}
	return NULL;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	struct job jobs[] = {
		{ "half", seconds, { { "spin_half", spin_half, .50, 0 },
				     { "spin_quarter", spin_quarter, .25, 0 },
				     { "spin_rest", spin_rest, .25, 0 } } },
		{ "third", seconds, { { "spin_two_thirds", spin_two_thirds, 2. / 3, 0 },
				      { "spin_third", spin_third, 1. / 3, 0 } } },
	};
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, run, &jobs[i]);
	for (int i = 0; i < 2; i++) {
		pthread_join(threads[i], NULL);
		for (struct part *p = jobs[i].parts; p->name; p++)
			printf("%s %s %llu\n", jobs[i].thread, p->name, (unsigned long long)p->spent_ns);
	}
	return 0;
}
