/* parallel: a serial part, then a parallel one.
 *
 *     parallel FOO_MS THREADS BAR_MS
 *
 * The main thread, "foo", uses FOO_MS of CPU time.  Then THREADS threads, "bar", which have waited for that, use BAR_MS
 * together: each works on, in small pieces, until all have done so. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

static volatile uint64_t sink;
static atomic_uint_fast64_t left_ns;
static pthread_barrier_t begin;

static uint64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void work(void)
{
	for (int i = 0; i < 10000; i++)
		sink += (uint64_t)i;
}

__attribute__((noinline)) static void foo(uint64_t ns)
{
	uint64_t until = cpu_ns() + ns;

	while (cpu_ns() < until)
		work();
}

__attribute__((noinline)) static void *bar(void *unused)
{
	uint64_t at, now;

	prctl(PR_SET_NAME, "bar");
	pthread_barrier_wait(&begin);
	at = cpu_ns();
	for (;; at = now) {
		uint64_t left = atomic_load(&left_ns);

		work();
		now = cpu_ns();
		while (left && !atomic_compare_exchange_weak(&left_ns, &left, left > now - at ? left - (now - at) : 0))
			;
		if (!left)
			return unused;
	}
}

int main(int argc, char **argv)
{
	int count = argc == 4 ? atoi(argv[2]) : 0;
	pthread_t *threads;

	if (count < 1)
		return fprintf(stderr, "usage: parallel FOO_MS THREADS BAR_MS\n"), 2;
	prctl(PR_SET_NAME, "foo");
	pthread_barrier_init(&begin, NULL, (unsigned)count + 1);
	threads = calloc((size_t)count, sizeof(*threads));
	left_ns = (uint64_t)atoi(argv[3]) * 1000000;
	for (int i = 0; i < count; i++) {
		if (pthread_create(&threads[i], NULL, bar, NULL))
			return perror("parallel"), 1;
	}
	foo((uint64_t)atoi(argv[1]) * 1000000);
	pthread_barrier_wait(&begin);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return 0;
}
