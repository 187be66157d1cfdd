/* Spins in functions of known share, in threads with names, and prints the truth:
 *
 *     spin_shares SECONDS [THREADS] [LATE] [REST]
 *
 * Each thread gives alpha 50 %, beta 30 % and gamma 20 % of its own CPU time, in
 * slices of 2 to 5 ms.  LATE of them start when a byte arrives on stdin.  After the
 * three slices, each sleeps for REST ms.  Prints
 * "tid TID NAME" for each thread as it starts, and at the end
 * "share FUNCTION NS" for each function and "cpu NS" for all. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SLICE_NS = 1000000, MAX_THREADS = 64 };

static uint64_t deadline_ns, spent_ns[3];
static int rest_ms;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t now_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Each function has its own copy of the loop, so that the function itself is the leaf. */
#define SPINNER(name)                                                                    \
	__attribute__((noinline)) static uint64_t name(uint64_t until)                   \
	{                                                                                \
		uint64_t now;                                                            \
                                                                                         \
		do {                                                                     \
			for (volatile int i = 0; i < 20000; i++)                         \
				;                                                        \
			now = now_ns(CLOCK_THREAD_CPUTIME_ID);                           \
		} while (now < until);                                                   \
		return now;                                                              \
	}

SPINNER(spin_alpha)
SPINNER(spin_beta)
SPINNER(spin_gamma)

__attribute__((noinline)) static void run(uint64_t spent[3])
{
	static uint64_t (*const spin[])(uint64_t) = { spin_alpha, spin_beta, spin_gamma };
	static const int tenths[] = { 5, 3, 2 };
	uint64_t now = now_ns(CLOCK_THREAD_CPUTIME_ID), before;

	while (now_ns(CLOCK_MONOTONIC) < deadline_ns) {
		for (int i = 0; i < 3; i++) {
			before = now;
			now = spin[i](now + (uint64_t)tenths[i] * SLICE_NS);
			spent[i] += now - before;
		}
		if (rest_ms)
			usleep((useconds_t)rest_ms * 1000);
	}
}

static void *work(void *name)
{
	uint64_t spent[3] = {0};

	pthread_setname_np(pthread_self(), name);
	flockfile(stdout);
	printf("tid %d %s\n", (int)gettid(), (char *)name);
	fflush(stdout);
	funlockfile(stdout);
	run(spent);
	pthread_mutex_lock(&lock);
	for (int i = 0; i < 3; i++)
		spent_ns[i] += spent[i];
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	int threads = argc > 2 ? atoi(argv[2]) : 1, late = argc > 3 ? atoi(argv[3]) : 0;
	static const char *const functions[] = { "spin_alpha", "spin_beta", "spin_gamma" };
	static char names[MAX_THREADS][16];
	pthread_t ids[MAX_THREADS];

	if (threads < 1 || threads > MAX_THREADS || late >= threads)
		return 2;
	rest_ms = argc > 4 ? atoi(argv[4]) : 0;
	deadline_ns = now_ns(CLOCK_MONOTONIC) + (uint64_t)(seconds * 1e9);
	for (int i = 0; i < threads; i++) {
		if (late && i == threads - late)
			getchar();
		snprintf(names[i], sizeof(names[i]), "spinner %d", i);
		pthread_create(&ids[i], NULL, work, names[i]);
	}
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	for (int i = 0; i < 3; i++)
		printf("share %s %llu\n", functions[i], (unsigned long long)spent_ns[i]);
	printf("cpu %llu\n", (unsigned long long)(spent_ns[0] + spent_ns[1] + spent_ns[2]));
	return 0;
}
