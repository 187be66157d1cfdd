/* The distance to the next sample of native allocations (bpf/native_alloc.h). */
#include <math.h>
#include <stdint.h>

#include "bpf/native_alloc.h"
#include "check.h"

enum { INTERVAL = 524288, DRAWS = 1 << 20 };

static struct native_alloc_draw draw;

static double wanted(uint32_t random)
{
	return -log(((double)random + 1) / 4294967296.0) * INTERVAL;
}

static int is_near(uint32_t random)
{
	double got = (double)native_alloc_distance(&draw, random), want = wanted(random);

	return fabs(got - want) <= 2 + want / 1000 + INTERVAL / 5000.0;
}

/* All quantiles, as many as there are draws: the distribution is exponential, and its mean is the interval. */
static void check_distribution(void)
{
	double sum = 0;
	int wrong = 0, below = 0;

	for (uint32_t i = 0; i < DRAWS; i++) {
		uint32_t random = i * (4294967296u / DRAWS) + 2048;
		uint64_t n = native_alloc_distance(&draw, random);

		sum += (double)n;
		below += n <= INTERVAL;
		wrong += !is_near(random);
	}
	CHECK(wrong == 0);
	CHECK(fabs(sum / DRAWS / INTERVAL - 1) < 0.001);
	CHECK(fabs((double)below / DRAWS - (1 - exp(-1))) < 0.001);
}

int main(void)
{
	draw.scale = (uint64_t)ceil(INTERVAL * log(2));
	for (int i = 0; i <= NATIVE_ALLOC_STEPS; i++)
		draw.log2_of[i] = (uint32_t)(log2(1 + (double)i / NATIVE_ALLOC_STEPS) * NATIVE_ALLOC_ONE);
	check_distribution();
	CHECK(is_near(0));
	CHECK(is_near(1));
	CHECK(is_near(UINT32_MAX / 2));
	CHECK(is_near(UINT32_MAX / 2 + 1));
	CHECK(native_alloc_distance(&draw, UINT32_MAX) <= 1);
	draw.scale = 1; /* --interval 1: all are taken */
	CHECK(native_alloc_distance(&draw, UINT32_MAX / 2) <= 1);
	return check_done();
}
