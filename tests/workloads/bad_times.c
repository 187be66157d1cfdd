/* Threads whose waits come as a budget likes them least, and that count them (getrusage(2)).
 *
 *     bad_times bursts ROUNDS       "bursty" passes a byte 2,000 times to its partner "other", then is silent for 80 ms, in
 *                                   keep_silent(); again and again
 *     bad_times crowd THREADS N     so many threads block N times, 100 ms each, in be_idle()
 *
 * prints for each name: how many threads, and how often all of them waited. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BURST = 2000, SMALL_STACK = 64 << 10 };

static long rounds;
static int ends[2];
static atomic_long waits;

static long waited(void)
{
	struct rusage used;

	getrusage(RUSAGE_THREAD, &used);
	return used.ru_nvcsw;
}

static void doze(long ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

__attribute__((noinline)) void keep_silent(void)
{
	doze(80);
	__asm__ volatile("");
}

__attribute__((noinline)) void be_idle(void)
{
	doze(100);
	__asm__ volatile("");
}

static void *other(void *unused)
{
	char byte;

	prctl(PR_SET_NAME, "other");
	while (read(ends[1], &byte, 1) == 1 && write(ends[1], &byte, 1) == 1)
		;
	printf("other 1 %ld\n", waited());
	return unused;
}

static void *bursty(void *unused)
{
	char byte = 'x';

	prctl(PR_SET_NAME, "bursty");
	for (long i = 0; i < rounds; i++) {
		for (int k = 0; k < BURST; k++) {
			if (write(ends[0], &byte, 1) != 1 || read(ends[0], &byte, 1) != 1)
				exit(1);
		}
		keep_silent();
	}
	printf("bursty 1 %ld\n", waited());
	close(ends[0]);
	return unused;
}

static void *one_of_crowd(void *unused)
{
	prctl(PR_SET_NAME, "crowd");
	for (long i = 0; i < rounds; i++)
		be_idle();
	waits += waited();
	return unused;
}

static void bursts(void)
{
	pthread_t threads[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		exit(1);
	pthread_create(&threads[0], NULL, other, NULL);
	pthread_create(&threads[1], NULL, bursty, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
}

static int crowd(int count)
{
	pthread_t *threads = calloc((size_t)count, sizeof(*threads));
	pthread_attr_t small;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, SMALL_STACK);
	for (int i = 0; i < count; i++) {
		int err = pthread_create(&threads[i], &small, one_of_crowd, NULL);

		if (err) {
			fprintf(stderr, "thread %d: %s\n", i, strerror(err));
			exit(1);
		}
	}
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	printf("crowd %d %ld\n", count, waits);
	return 0;
}

int main(int argc, char **argv)
{
	int count = argc == 4 && !strcmp(argv[1], "crowd") ? atoi(argv[2]) : 0;

	rounds = argc > 2 ? atol(argv[argc - 1]) : 0;
	if (count > 0)
		return crowd(count);
	if (argc != 3 || strcmp(argv[1], "bursts") != 0)
		return 2;
	bursts();
	return 0;
}
