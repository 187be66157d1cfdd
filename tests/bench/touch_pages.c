/* Causes a million minor page faults on one CPU, and prints the time that they took. */
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>

enum { FAULTS = 1000000, PAGE = 4096, PAGES = 65536 };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(void)
{
	size_t size = (size_t)PAGES * PAGE;
	volatile char *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	double took = 0;

	if (at == MAP_FAILED || madvise((void *)at, size, MADV_NOHUGEPAGE))
		return 1;
	for (int done = 0; done < FAULTS;) {
		double start = now();

		for (size_t i = 0; i < PAGES && done < FAULTS; i++, done++)
			at[i * PAGE] = 1;
		took += now() - start;
		madvise((void *)at, size, MADV_DONTNEED);
	}
	printf("Total time: %.6f [sec]\n", took);
	return 0;
}
