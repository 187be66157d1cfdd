/* allocates [ROUNDS [THREADS]]: in each of THREADS threads, allocates known amounts in functions of known names, in all
 * possible ways; then prints, for each function, its name, bytes and objects, over all threads. With "wait" as a third
 * argument, it waits for a line before it begins, and for another one before it ends.
 *
 * Memory of the threads themselves, and of stdio, is not counted. */
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EACH(X)                                                                                    \
	X(takes_small, malloc(24), 24, 4000)                                                       \
	X(takes_medium, malloc(3000), 3000, 100)                                                   \
	X(takes_large, malloc(2000000), 2000000, 1)                                                \
	X(takes_zeroed, calloc(50, 100), 5000, 100)                                                \
	X(takes_aligned, aligned_alloc(64, 6400), 6400, 50)                                        \
	X(takes_memalign, by_memalign(), 700, 400)                                                 \
	X(takes_array, reallocarray(NULL, 10, 90), 900, 300)                                       \
	X(takes_copy, strdup(text), 100, 2000)

static unsigned long rounds = 1, threads = 1;
static char text[100];
static void *volatile kept; /* so that the compiler cannot optimize the allocation away */

static void *by_memalign(void)
{
	void *p = NULL;

	return posix_memalign(&p, 16, 700) ? NULL : p;
}

#define DEFINE(name, call, bytes, times)                                                           \
	__attribute__((noinline)) static void name(void)                                           \
	{                                                                                          \
		for (int i = 0; i < (times); i++) {                                                \
			void *p = call;                                                            \
												   \
			kept = p;                                                                  \
			free(p);                                                                   \
		}                                                                                  \
	}
EACH(DEFINE)

enum { GROW_FROM = 1000, GROW_TO = 64000 };

/* A buffer that grows again and again. */
__attribute__((noinline)) static void takes_growing(void)
{
	void *p = NULL;

	for (size_t n = GROW_FROM; n <= GROW_TO; n *= 2)
		kept = p = realloc(p, n);
	free(p);
}

static void *work(void *unused)
{
#define CALL(name, call, bytes, times) name();
	for (unsigned long i = 0; i < rounds; i++) {
		EACH(CALL)
		takes_growing();
	}
	return unused;
}

static void wait_for_line(void)
{
	char c;

	while (read(0, &c, 1) == 1 && c != '\n')
		;
}

int main(int argc, char **argv)
{
	uint64_t times = 0, grown = 0, grown_objects = 0;
	pthread_t others[64];
	int waits = argc > 3 && !strcmp(argv[3], "wait");

	if (argc > 1)
		rounds = strtoul(argv[1], NULL, 10);
	if (argc > 2)
		threads = strtoul(argv[2], NULL, 10);
	memset(text, 'x', sizeof(text) - 1);
	if (waits) {
		write(1, "ready\n", 6);
		wait_for_line();
	}
	for (unsigned long i = 0; i < threads && i < 64; i++)
		pthread_create(&others[i], NULL, work, NULL);
	for (unsigned long i = 0; i < threads && i < 64; i++)
		pthread_join(others[i], NULL);
	times = rounds * threads;
#define TELL(name, call, bytes, n) printf("%s %llu %llu\n", #name, (unsigned long long)times * (bytes) * (n), (unsigned long long)times * (n));
	EACH(TELL)
	for (uint64_t n = GROW_FROM; n <= GROW_TO; n *= 2) {
		grown += n;
		grown_objects++;
	}
	printf("takes_growing %llu %llu\n", (unsigned long long)(times * grown), (unsigned long long)(times * grown_objects));
	fflush(stdout);
	if (waits)
		wait_for_line();
	return 0;
}
