#include "collect/machine/free_memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "collect/machine/cgroup.h"
#include "collect/machine/procfs.h"
#include "core/str.h"

/* "25165824", or "max". */
static uint64_t free_memory_read(const char *path)
{
	struct str text = { 0 };
	uint64_t bytes = UINT64_MAX;

	if (!read_whole(path, &text) && text.len && text.buf[0] >= '0' && text.buf[0] <= '9')
		bytes = strtoull(text.buf, NULL, 10);
	str_free(&text);
	return bytes;
}

/* The number after a word at the begin of a line; 0: there is none. */
static uint64_t free_memory_field(const char *path, const char *word)
{
	struct str text = { 0 };
	const char *at = read_whole(path, &text) ? NULL : strstr(str_text(&text), word);
	uint64_t n = 0;

	while (at && at != text.buf && at[-1] != '\n')
		at = strstr(at + 1, word);
	if (at)
		n = strtoull(at + strlen(word), NULL, 10);
	str_free(&text);
	return n;
}

/* The names of a group's files in one version. */
struct cgroup_files {
	const char *limit, *usage, *old_pages;
};

static const struct cgroup_files cgroup_versions[] = {
	{ "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file " },
	{ "memory.max", "memory.current", "inactive_file " },
};

/* What a group allows, or leaves: bytes. */
static uint64_t cgroup_allows(const char *directory, const struct cgroup_files *files, bool leaves)
{
	struct str path = { 0 };
	uint64_t limit, usage, old_pages;

	str_addf(&path, "%s/%s", directory, files->limit);
	limit = free_memory_read(path.buf);
	if (leaves && limit != UINT64_MAX) {
		str_clear(&path);
		str_addf(&path, "%s/%s", directory, files->usage);
		usage = free_memory_read(path.buf);
		str_clear(&path);
		str_addf(&path, "%s/memory.stat", directory);
		old_pages = free_memory_field(path.buf, files->old_pages);
		if (usage == UINT64_MAX)
			usage = 0;
		usage -= old_pages < usage ? old_pages : usage;
		limit -= usage < limit ? usage : limit;
	}
	str_free(&path);
	return limit;
}

struct memory_look {
	bool leaves;
	uint64_t least; /* so far; UINT64_MAX: no limit */
};

static void memory_look_at(void *argument, const char *directory)
{
	struct memory_look *look = argument;

	for (size_t i = 0; i < sizeof(cgroup_versions) / sizeof(*cgroup_versions); i++) {
		uint64_t bytes = cgroup_allows(directory, &cgroup_versions[i], look->leaves);

		look->least = bytes < look->least ? bytes : look->least;
	}
}

static uint64_t cgroup_memory(const char *groups, const char *mounts, bool leaves)
{
	struct memory_look look = { leaves, UINT64_MAX };
	struct str text = { 0 };

	read_whole(groups, &text);
	cgroup_walk_up(str_text(&text), mounts, "memory", memory_look_at, &look);
	str_free(&text);
	return look.least;
}

uint64_t cgroup_memory_limit(const char *groups, const char *mounts)
{
	return cgroup_memory(groups, mounts, false);
}

uint64_t free_memory(const char *meminfo, const char *groups, const char *mounts)
{
	uint64_t available = free_memory_field(meminfo, "MemAvailable:") << 10;
	uint64_t allowed = cgroup_memory(groups, mounts, true);

	return available && available < allowed ? available : allowed;
}
