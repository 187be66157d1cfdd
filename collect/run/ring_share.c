#include "collect/run/ring_share.h"

#include "core/amount.h"
#include "core/error.h"

static uint64_t ring_share_each(uint64_t bytes, size_t count)
{
	uint64_t most = count ? bytes / count : bytes, size = RING_SHARE_LEAST;

	while (size <= most / 2)
		size *= 2;
	return size;
}

struct ring_share ring_share_of(uint64_t free_bytes, size_t sampling, size_t programs)
{
	uint64_t half = free_bytes / 200 * RING_SHARE_PERCENT;

	return (struct ring_share){ free_bytes, ring_share_each(half, sampling), ring_share_each(half, programs) };
}

bool ring_share_is_small(uint64_t wanted, uint64_t most)
{
	return most < wanted / 4;
}

static uint64_t ring_share_least(const struct ring_share *s, uint64_t wanted, uint64_t most)
{
	static bool told;

	if (!most || wanted <= most)
		return wanted;
	if (!told && ring_share_is_small(wanted, most)) {
		inform("rings of %s instead of %s, since they take at most %d %% of the %s of memory that is free: "
		       "bursts "
		       "of events may be lost",
		       size_text(most).text, size_text(wanted).text, RING_SHARE_PERCENT, size_text(s->free_bytes).text);
		told = true;
	}
	return most;
}

uint64_t ring_share_sampling(const struct ring_share *s, uint64_t wanted)
{
	return ring_share_least(s, wanted, s->sampling);
}

uint32_t ring_share_program(const struct ring_share *s, uint32_t wanted)
{
	return (uint32_t)ring_share_least(s, wanted, s->program);
}
