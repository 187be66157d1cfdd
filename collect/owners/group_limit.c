#include "collect/owners/group_limit.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "collect/machine/cgroup.h"

static bool limit_is_tighter(const struct cpu_limit *a, const struct cpu_limit *b)
{
	return a->quota_us && (!b->quota_us ||
			       (double)a->quota_us / (double)a->period_us < (double)b->quota_us / (double)b->period_us);
}

static void limit_look(void *argument, const char *directory)
{
	struct cpu_limit *tightest = argument, limit = cgroup_cpu_limit(directory);

	if (limit_is_tighter(&limit, tightest))
		*tightest = limit;
}

void group_limit_add(const char *groups, const char *mounts, uint32_t number, struct str *out)
{
	struct cpu_limit tightest = { 0 };

	cgroup_walk_up(groups, mounts, "cpu", limit_look, &tightest);
	if (tightest.quota_us)
		str_addf(out, "limit %u %" PRIu64 " %" PRIu64 " %u\n", number, tightest.quota_us, tightest.period_us,
			 tightest.version);
}
