/* names_speed PID [READS]: how long it takes to read the names of all threads of a JVM.  Prints the number of threads,
 * the number of names that could not be read, and the milliseconds of opening, of the first reading, and of the median
 * reading. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "collect/jvm/threads.h"
#include "core/error.h"
#include "core/memory.h"

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_time(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	int pid = argc > 1 ? atoi(argv[1]) : 0, reads = argc > 2 ? atoi(argv[2]) : 101, count = 0;
	double *times = xcalloc((size_t)reads, sizeof(*times)), start = now_ms(), opened, first;
	const struct runtime_thread *list;
	struct java_threads *threads;
	size_t unread = 0, missing = 0;
	const char *why = "";
	struct jvm jvm;

	if (jvm_open(&jvm, pid, &why) || !(threads = java_threads_new(&jvm, &why)))
		die("%d: %s", pid, why);
	opened = now_ms() - start;
	for (int i = 0; i < reads; i++) {
		times[i] = now_ms();
		count = java_threads_read(threads, &list, &unread);
		times[i] = now_ms() - times[i];
		missing += unread;
	}
	first = times[0];
	qsort(times, (size_t)reads, sizeof(*times), by_time);
	printf("%d %zu %.3f %.3f %.3f\n", count, missing, opened, first, times[reads / 2]);
	java_threads_free(threads);
	jvm_close(&jvm);
	free(times);
	return 0;
}
