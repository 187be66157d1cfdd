#include "collect/sampling/sample_cost.h"

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/machine/anchors.h"
#include "core/sorted.h"

enum {
	PERIOD_NS = 100000,   /* between interrupts */
	MEASURE_NS = 3000000, /* for so long */
	GAP_NS = 500,         /* longer times between two looks at the clock are interruptions */
	GAPS_MAX = 256,
	GAPS_LEAST = 10,
	GUESS_NS = 1000,
};

static int sample_cost_compare(const void *a, const void *b)
{
	return ORDER(*(const uint64_t *)a, *(const uint64_t *)b);
}

static size_t find_gaps(uint64_t gaps[GAPS_MAX])
{
	uint64_t begin_ns = monotonic_ns(), last_ns = begin_ns, now_ns;
	size_t count = 0;

	do {
		now_ns = monotonic_ns();
		if (now_ns - last_ns > GAP_NS)
			gaps[count++] = now_ns - last_ns;
		last_ns = now_ns;
	} while (count < GAPS_MAX && now_ns - begin_ns < MEASURE_NS);
	return count;
}

/* Other interrupts and threads interrupt us, too, but less often, so the median is the cost of our own interrupt. */
uint64_t sample_cost_ns(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = PERIOD_NS,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	uint64_t gaps[GAPS_MAX];
	size_t count;

	if (fd < 0)
		return GUESS_NS;
	count = find_gaps(gaps);
	close(fd);
	if (count < GAPS_LEAST)
		return GUESS_NS;
	qsort(gaps, count, sizeof(*gaps), sample_cost_compare);
	return gaps[count / 2];
}
