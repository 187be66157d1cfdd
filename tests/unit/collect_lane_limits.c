/* Lanes of control groups that limit CPU time, read from made trees of versions 1 and 2. */
#include "collect/lanes/lane_limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/format/recording.h"
#include "core/wallclock.h"
#include "tests/unit/check.h"

static char limits_root[] = "/tmp/limits-XXXXXX";

static void write_file(const char *path, const char *text)
{
	char command[512];

	snprintf(command, sizeof(command), "mkdir -p \"$(dirname '%s%s')\" && printf '%s' >'%s%s'", limits_root, path,
		 text, limits_root, path);
	CHECK(!system(command));
}

/* "cpu-limit;/shop;limit 0.2 CPUs" for each lane that has a value */
static void say(const struct lane_list *l, struct str *out)
{
	str_clear(out);
	for (uint32_t i = 0; i < l->names.count; i++) {
		if (l->lanes[i].known)
			str_addf(out, "%s %g %s\n", intern_text(&l->names, i),
				 (double)l->lanes[i].value / RECORDING_LANE_PARTS, l->lanes[i].unit);
	}
}

static void test_version(const char *directory, const char *quota, const char *quota_text, const char *stat_1,
			 const char *stat_2)
{
	struct lane_limits g = { 0 };
	struct lane_list l = { 0 };
	char group[128], path[128];
	struct lane_limit_rules rules = { .mounts = limits_root, .cgroup = group };
	struct str out = { 0 };

	strcpy(limits_root + strlen(limits_root) - 6, "XXXXXX");
	CHECK(mkdtemp(limits_root));
	snprintf(group, sizeof(group), "%s%s/a", limits_root, directory);
	snprintf(path, sizeof(path), "%s/a/b;c/%s", directory, quota);
	write_file(path, quota_text);
	if (!strcmp(quota, "cpu.cfs_quota_us")) {
		snprintf(path, sizeof(path), "%s/a/b;c/cpu.cfs_period_us", directory);
		write_file(path, "100000");
	}
	snprintf(path, sizeof(path), "%s/a/b;c/cpu.stat", directory);
	write_file(path, stat_1);
	lane_limits_look(&g, &l, &rules, NS_PER_SEC);
	say(&l, &out);
	CHECK_TEXT(str_text(&out), "cpu-limit;/a/b?c;limit 0.5 CPUs\n");
	write_file(path, stat_2);
	lane_limits_look(&g, &l, &rules, NS_PER_SEC + 1000); /* too soon */
	say(&l, &out);
	CHECK_TEXT(str_text(&out), "cpu-limit;/a/b?c;limit 0.5 CPUs\n");
	lane_limits_look(&g, &l, &rules, NS_PER_SEC + 200000000);
	say(&l, &out);
	CHECK_TEXT(str_text(&out), "cpu-limit;/a/b?c;limit 0.5 CPUs\n"
				   "cpu-limit;/a/b?c;throttled 40 %\n"
				   "cpu-limit;/a/b?c;periods-throttled 2 periods\n");
	snprintf(path, sizeof(path), "rm -r %s", limits_root);
	CHECK(!system(path));
	lane_limits_look(&g, &l, &rules, 3 * NS_PER_SEC); /* the group is gone */
	CHECK(!g.count);
	lane_limits_free(&g);
	lane_list_free(&l);
	str_free(&out);
}

int main(void)
{
	test_version("", "cpu.max", "50000 100000", "usage_usec 1\\nnr_throttled 3\\nthrottled_usec 1000\\n",
		     "usage_usec 1\\nnr_throttled 5\\nthrottled_usec 81000\\n");
	test_version("/unified", "cpu.max", "50000 100000", "nr_throttled 3\\nthrottled_usec 1000\\n",
		     "nr_throttled 5\\nthrottled_usec 81000\\n");
	test_version("/cpu,cpuacct", "cpu.cfs_quota_us", "50000", "nr_throttled 3\\nthrottled_time 1000000\\n",
		     "nr_throttled 5\\nthrottled_time 81000000\\n");
	return check_done();
}
