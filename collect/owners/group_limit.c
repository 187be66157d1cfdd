#include "collect/owners/group_limit.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "collect/machine/cgroup.h"
#include "collect/machine/procfs.h"

struct cpu_limit { /* quota_us 0: none */
	uint64_t quota_us, period_us;
	unsigned version; /* of control groups */
};

static bool limit_read(const char *directory, const char *file, struct str *text)
{
	struct str path = { 0 };
	bool read;

	str_clear(text);
	str_addf(&path, "%s/%s", directory, file);
	read = !read_whole(path.buf, text) && text->len;
	str_free(&path);
	return read;
}

/* cpu.max is "50000 100000" or "max 100000"; cpu.cfs_quota_us is 50000 or -1. */
static struct cpu_limit limit_of(const char *directory)
{
	struct cpu_limit limit = { 0 };
	struct str text = { 0 };
	char *end;

	if (limit_read(directory, "cpu.max", &text) && *text.buf != 'm') {
		limit.quota_us = strtoull(text.buf, &end, 10);
		limit.period_us = strtoull(end, NULL, 10);
		limit.version = 2;
	} else if (limit_read(directory, "cpu.cfs_quota_us", &text) && *text.buf != '-') {
		limit.version = 1;
		limit.quota_us = strtoull(text.buf, NULL, 10);
		limit.period_us = limit_read(directory, "cpu.cfs_period_us", &text) ? strtoull(text.buf, NULL, 10) : 0;
	}
	str_free(&text);
	return limit.quota_us && limit.period_us ? limit : (struct cpu_limit){ 0 };
}

static bool limit_is_tighter(const struct cpu_limit *a, const struct cpu_limit *b)
{
	return a->quota_us && (!b->quota_us ||
			       (double)a->quota_us / (double)a->period_us < (double)b->quota_us / (double)b->period_us);
}

static void limit_look(void *argument, const char *directory)
{
	struct cpu_limit *tightest = argument, limit = limit_of(directory);

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
