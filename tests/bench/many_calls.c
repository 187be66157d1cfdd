/* Makes millions of short system calls on one CPU, and prints the time that they took.
 *
 *     many_calls [COUNT [PART]]     COUNT: in millions [5]; PART: make only 1 / PART of them, and multiply the time,
 *                                   for tools that would take minutes */
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
	long part = argc > 2 ? atol(argv[2]) : 1;
	double start = now();

	for (long i = 0; i < count / part; i++)
		syscall(SYS_getppid);
	printf("Total time: %.6f [sec]\n", (now() - start) * (double)part);
	return 0;
}
