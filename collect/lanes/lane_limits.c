#include "collect/lanes/lane_limits.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collect/machine/cgroup.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "core/wallclock.h"

enum {
	LOOK_NS = 100000000, /* as long as the period of most limits */
	LIMITS_MAX = 256,
	FEW = 16, /* processes */
	TREE_DEPTH = 16,
};

#define FIND_LIMITS_NS NS_PER_SEC

/* ---- which groups ---- */

/* "/sys/fs/cgroup/cpu,cpuacct/shop" of version 1, "/sys/fs/cgroup/unified/shop" or "/sys/fs/cgroup/shop": "/shop" */
static const char *lane_limits_name(struct lane_limits *g, const char *directory, const char *mounts)
{
	const char *name = directory + strlen(mounts), *next = strchr(name + (*name == '/'), '/');

	if (!cgroup_read(directory, "cpu.max", &g->text) || !strncmp(name, "/unified/", 9))
		return next ? next : name;
	return name;
}

static uint32_t lane_limits_lane(struct lane_list *l, const char *name, const char *what, const char *unit)
{
	struct str lane = { 0 };
	uint32_t number;

	str_puts(&lane, "cpu-limit;");
	for (; *name; name++)
		str_addc(&lane, *name == ';' || *name == '\n' ? '?' : *name);
	str_addf(&lane, ";%s", what);
	number = lane_find(l, lane.buf, unit, -1);
	str_free(&lane);
	return number;
}

struct limits_search {
	struct lane_limits *limits;
	struct lane_list *list;
	const struct lane_limit_rules *rules;
};

static void lane_limits_add(void *argument, const char *directory)
{
	struct limits_search *search = argument;
	struct lane_limits *g = search->limits;
	struct limited_group *group;
	const char *name;

	for (size_t i = 0; i < g->count; i++) {
		if (!strcmp(str_text(&g->groups[i].directory), directory)) {
			g->groups[i].lives = true;
			return;
		}
	}
	if (g->count == LIMITS_MAX || !cgroup_cpu_limit(directory).quota_us)
		return;
	name = lane_limits_name(g, directory, search->rules->mounts);
	g->groups = xgrow(g->groups, &g->cap, g->count + 1, sizeof(*g->groups));
	group = &g->groups[g->count++];
	*group = (struct limited_group){ .lives = true };
	str_puts(&group->directory, directory);
	group->limit = lane_limits_lane(search->list, name, "limit", "CPUs");
	group->throttled = lane_limits_lane(search->list, name, "throttled", "%");
	group->periods = lane_limits_lane(search->list, name, "periods-throttled", "periods");
	if (group->periods != LANE_NONE)
		search->list->lanes[group->periods].counts = true;
}

static void lane_limits_add_tree(struct limits_search *search, const char *directory, int depth)
{
	DIR *groups = depth < TREE_DEPTH ? opendir(directory) : NULL;
	const struct dirent *entry;
	struct str path = { 0 };

	lane_limits_add(search, directory);
	while (groups && (entry = readdir(groups))) {
		if (entry->d_type != DT_DIR || *entry->d_name == '.')
			continue;
		str_clear(&path);
		str_addf(&path, "%s/%s", directory, entry->d_name);
		lane_limits_add_tree(search, path.buf, depth + 1);
	}
	if (groups)
		closedir(groups);
	str_free(&path);
}

static void lane_limits_add_process(struct limits_search *search, pid_t pid)
{
	struct str groups = { 0 };

	if (!read_process(pid, "cgroup", &groups))
		cgroup_walk_up(str_text(&groups), search->rules->mounts, "cpu", lane_limits_add, search);
	str_free(&groups);
}

/* Groups above that of --cgroup limit it, too. */
static void lane_limits_add_above(struct limits_search *search, const char *directory)
{
	size_t mounts = strlen(search->rules->mounts);
	struct str path = { 0 };

	str_puts(&path, directory);
	while (path.len > mounts && !strncmp(path.buf, search->rules->mounts, mounts)) {
		while (path.len > mounts && path.buf[path.len - 1] != '/')
			path.len--;
		path.len -= path.len > mounts;
		path.buf[path.len] = '\0';
		lane_limits_add(search, path.buf);
	}
	str_free(&path);
}

static void lane_limits_find(struct lane_limits *g, struct lane_list *l, const struct lane_limit_rules *rules)
{
	struct limits_search search = { g, l, rules };
	struct str own = { 0 };
	size_t kept = 0;

	for (size_t i = 0; i < g->count; i++)
		g->groups[i].lives = false;
	for (size_t i = 0; rules->targets && i < rules->targets->count; i++)
		lane_limits_add_process(&search, rules->targets->list[i]);
	if (rules->command)
		lane_limits_add_process(&search, rules->command);
	if (rules->cgroup) {
		lane_limits_add_tree(&search, rules->cgroup, 0);
		lane_limits_add_above(&search, rules->cgroup);
	}
	if (rules->everybody && cgroup_controller_root("/proc/self/cgroup", rules->mounts, "cpu", &own))
		lane_limits_add_tree(&search, own.buf, 0);
	for (size_t i = 0; i < g->count; i++) {
		if (g->groups[i].lives)
			g->groups[kept++] = g->groups[i];
		else
			str_free(&g->groups[i].directory);
	}
	g->count = kept;
	str_free(&own);
}

/* ---- their values ---- */

static uint64_t lane_limits_field(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	return at ? strtoull(at + strlen(word), NULL, 10) : 0;
}

/* cpu.stat: "nr_throttled 12", then "throttled_time NS" of version 1, "throttled_usec US" of version 2.  Several CPUs can
 * be throttled at the same time: more than 100 %. */
static void lane_limits_take(struct limited_group *group, struct lane_list *l, const char *stat, uint64_t time_ns)
{
	uint64_t times = lane_limits_field(stat, "nr_throttled ");
	uint64_t throttled_ns =
		lane_limits_field(stat, "throttled_time ") + lane_limits_field(stat, "throttled_usec ") * 1000;

	if (group->time_ns && time_ns > group->time_ns && throttled_ns >= group->throttled_ns &&
	    times >= group->times) {
		lane_set(l, group->throttled, time_ns,
			 (throttled_ns - group->throttled_ns) * 100 * RECORDING_LANE_PARTS /
				 (time_ns - group->time_ns));
		lane_set(l, group->periods, time_ns, (times - group->times) * RECORDING_LANE_PARTS);
	}
	group->throttled_ns = throttled_ns;
	group->times = times;
	group->time_ns = time_ns;
}

/* Is it cheap to look for the groups again? */
static bool lane_limits_are_few(const struct lane_limit_rules *rules)
{
	return !rules->everybody && !rules->cgroup && (!rules->targets || rules->targets->count <= FEW);
}

void lane_limits_look(struct lane_limits *g, struct lane_list *l, const struct lane_limit_rules *rules,
		      uint64_t time_ns)
{
	if (g->looked_ns && time_ns - g->looked_ns < LOOK_NS)
		return;
	if (!g->looked_ns || lane_limits_are_few(rules) || time_ns - g->found_ns >= FIND_LIMITS_NS) {
		lane_limits_find(g, l, rules);
		g->found_ns = time_ns;
	}
	g->looked_ns = time_ns;
	for (size_t i = 0; i < g->count; i++) {
		struct limited_group *group = &g->groups[i];
		struct cpu_limit limit = cgroup_cpu_limit(group->directory.buf);

		if (limit.quota_us)
			lane_set(l, group->limit, time_ns, limit.quota_us * RECORDING_LANE_PARTS / limit.period_us);
		if (cgroup_read(group->directory.buf, "cpu.stat", &g->text))
			lane_limits_take(group, l, g->text.buf, time_ns);
	}
}

void lane_limits_free(struct lane_limits *g)
{
	for (size_t i = 0; i < g->count; i++)
		str_free(&g->groups[i].directory);
	free(g->groups);
	str_free(&g->text);
	*g = (struct lane_limits){ 0 };
}
