/* A thread whose function does all the work, so that its stacks are two frames deep:
 * the function, and where threads start.
 *
 *     thread_body SECONDS */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds;

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *work(void *arg)
{
	do {
		for (volatile int i = 0; i < 1000000; i++)
			;
	} while (cpu_seconds() < seconds);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	seconds = argc > 1 ? atof(argv[1]) : 1;
	if (pthread_create(&thread, NULL, work, NULL))
		return 1;
	pthread_join(thread, NULL);
	return 0;
}
