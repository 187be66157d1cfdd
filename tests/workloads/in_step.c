/* in_step: a thread that works in step with a clock: at the beginning of each period of 10 ms, for 2 ms.
 *
 *     in_step SECONDS
 *
 * At the end, it prints "awake_ns lived_ns"; awake_ns is the sum of the times from each planned wake-up until it slept
 * again. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PERIOD_NS = 10000000, WORK_NS = 2000000 };

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int main(int argc, char **argv)
{
	uint64_t begin_ns = now_ns(), at_ns = begin_ns, awake_ns = 0, end_ns;

	if (argc != 2)
		return 2;
	end_ns = begin_ns + strtoull(argv[1], NULL, 10) * 1000000000;
	while (at_ns < end_ns) {
		struct timespec next;

		while (now_ns() < at_ns + WORK_NS)
			;
		awake_ns += now_ns() - at_ns;
		while (at_ns <= now_ns())
			at_ns += PERIOD_NS;
		next = (struct timespec){ (time_t)(at_ns / 1000000000), (long)(at_ns % 1000000000) };
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
	printf("%" PRIu64 " %" PRIu64 "\n", awake_ns, now_ns() - begin_ns);
	return 0;
}
