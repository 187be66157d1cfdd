/* Millions of short system calls on one CPU; prints the time that they took.
 *
 *     many_calls [COUNT]     COUNT: in millions [5] */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	long count = (argc > 1 ? atol(argv[1]) : 5) * 1000000;
	double start = now();

	for (long i = 0; i < count; i++)
		syscall(SYS_getppid);
	printf("Total time: %.6f [sec]\n", now() - start);
	return 0;
}
