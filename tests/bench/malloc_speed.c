/* Calls malloc() and free() a million times for each line of its input, and prints the CPU time of one pair of calls,
 * in ns. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { COUNT = 1000000 };

static double cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void loop(void)
{
	for (int i = 0; i < COUNT; i++) {
		void *volatile made = malloc(64);

		free(made);
	}
}

int main(void)
{
	int c;

	loop();
	puts("ready");
	fflush(stdout);
	while ((c = getchar()) != EOF) {
		double start = cpu_ns();

		if (c != '\n')
			continue;
		loop();
		printf("%f\n", (cpu_ns() - start) / COUNT);
		fflush(stdout);
	}
	return 0;
}
