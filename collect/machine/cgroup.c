#include "collect/machine/cgroup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/machine/procfs.h"
#include "core/error.h"

/* ---- /proc/PID/cgroup ------------------------------------------------------------- */

bool cgroup_next(const char **text, struct cgroup_line *line)
{
	while (**text) {
		const char *begin = *text, *end = begin + strcspn(begin, "\n");
		const char *colon = memchr(begin, ':', (size_t)(end - begin));
		const char *second = colon ? memchr(colon + 1, ':', (size_t)(end - colon - 1)) : NULL;

		*text = end + (*end == '\n');
		if (second) {
			line->controllers = colon + 1;
			line->controllers_len = (size_t)(second - colon - 1);
			line->path = second + 1;
			line->path_len = (size_t)(end - second - 1);
			line->hierarchy = (unsigned int)strtoul(begin, NULL, 10);
			return true;
		}
	}
	return false;
}

bool cgroup_has_controller(const struct cgroup_line *line, const char *controller)
{
	const char *at = line->controllers, *end = at + line->controllers_len;
	size_t len = strlen(controller);

	while (at < end) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		size_t n = (size_t)((comma ? comma : end) - at);

		if (n == len && !memcmp(at, controller, len))
			return true;
		at += n + 1;
	}
	return false;
}

/* ---- directories ------------------------------------------------------------------ */

static bool cgroup_is_directory(const char *path)
{
	struct stat info;

	return !stat(path, &info) && S_ISDIR(info.st_mode);
}

/* Set root to where the line's hierarchy is mounted.  That of several controllers often has a name for each of them,
 * too. */
static void cgroup_mount_point(const struct cgroup_line *line, const char *mounts, const char *controller,
			       struct str *root)
{
	str_clear(root);
	if (line->controllers_len)
		str_addf(root, "%s/%.*s", mounts, (int)line->controllers_len, line->controllers);
	else
		str_addf(root, "%s/unified", mounts);
	if (cgroup_is_directory(root->buf))
		return;
	str_clear(root);
	str_puts(root, mounts);
	if (line->controllers_len)
		str_addf(root, "/%s", controller);
}

static void cgroup_walk_line(const struct cgroup_line *line, const char *root,
			     void (*look)(void *argument, const char *directory), void *argument)
{
	struct str directory = { 0 };
	size_t len = line->path_len;

	do {
		while (len && line->path[len - 1] == '/')
			len--;
		str_clear(&directory);
		str_addf(&directory, "%s%.*s", root, (int)len, line->path);
		look(argument, directory.buf);
		while (len && line->path[len - 1] != '/')
			len--;
	} while (len);
	str_free(&directory);
}

void cgroup_walk_up(const char *groups, const char *mounts, const char *controller,
		    void (*look)(void *argument, const char *directory), void *argument)
{
	struct cgroup_line line;
	struct str root = { 0 };

	while (cgroup_next(&groups, &line)) {
		bool outside = line.path_len > 2 && !memcmp(line.path, "/..", 3); /* of what we can see */

		if (outside || (line.controllers_len && !cgroup_has_controller(&line, controller)))
			continue;
		cgroup_mount_point(&line, mounts, controller, &root);
		cgroup_walk_line(&line, root.buf, look, argument);
	}
	str_free(&root);
}

bool cgroup_controller_root(const char *groups, const char *mounts, const char *controller, struct str *root)
{
	struct str text = { 0 };
	struct cgroup_line line;
	const char *at;
	bool found = false, own = false;

	read_whole(groups, &text);
	at = str_text(&text);
	while (!own && cgroup_next(&at, &line)) {
		own = cgroup_has_controller(&line, controller);
		if (own || !line.controllers_len)
			cgroup_mount_point(&line, mounts, controller, root);
		found |= own || !line.controllers_len;
	}
	str_free(&text);
	return found;
}

/* ---- limits of CPU time ------------------------------------------------------------ */

bool cgroup_read(const char *directory, const char *file, struct str *text)
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
struct cpu_limit cgroup_cpu_limit(const char *directory)
{
	struct cpu_limit limit = { 0 };
	struct str text = { 0 };
	char *end;

	if (cgroup_read(directory, "cpu.max", &text) && *text.buf != 'm') {
		limit.quota_us = strtoull(text.buf, &end, 10);
		limit.period_us = strtoull(end, NULL, 10);
		limit.version = 2;
	} else if (cgroup_read(directory, "cpu.cfs_quota_us", &text) && *text.buf != '-') {
		limit.version = 1;
		limit.quota_us = strtoull(text.buf, NULL, 10);
		limit.period_us = cgroup_read(directory, "cpu.cfs_period_us", &text) ? strtoull(text.buf, NULL, 10) : 0;
	}
	str_free(&text);
	return limit.quota_us && limit.period_us ? limit : (struct cpu_limit){ 0 };
}

/* ---- groups by their names -------------------------------------------------------- */

/* Where the version 2 hierarchy is mounted, alone or beside version 1. */
static const char *const roots[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };

static bool cgroup_has_file(const struct str *directory, const char *name)
{
	struct str path = { 0 };
	bool found;

	str_addf(&path, "%s/%s", directory->buf, name);
	found = !access(path.buf, F_OK);
	str_free(&path);
	return found;
}

static bool cgroup_is_group(const struct str *directory)
{
	return directory->len && cgroup_is_directory(directory->buf) && cgroup_has_file(directory, "cgroup.procs");
}

/* Set root to where the hierarchy of the line is mounted. */
static void cgroup_root_of(const struct cgroup_line *line, struct str *root)
{
	static const char named[] = "name=";
	struct cgroup_line plain = *line;
	size_t skip = sizeof(named) - 1;
	char controller[64];

	if (plain.controllers_len > skip && !memcmp(plain.controllers, named, skip)) {
		plain.controllers += skip;
		plain.controllers_len -= skip;
	}
	snprintf(controller, sizeof(controller), "%.*s",
		 (int)(strcspn(plain.controllers, ",:") < sizeof(controller) ? strcspn(plain.controllers, ",:") : 0),
		 plain.controllers);
	cgroup_mount_point(&plain, roots[0], controller, root);
}

/* The number of the hierarchy of version 1 that has this directory; 0: none. */
static unsigned int cgroup_hierarchy_of(const char *groups, const char *directory)
{
	struct stat info, mount;
	struct cgroup_line line;
	struct str root = { 0 };
	unsigned int number = 0;

	if (stat(directory, &info))
		return 0;
	while (!number && cgroup_next(&groups, &line)) {
		if (!line.hierarchy)
			continue;
		cgroup_root_of(&line, &root);
		if (!stat(root.buf, &mount) && mount.st_dev == info.st_dev)
			number = line.hierarchy;
	}
	str_free(&root);
	return number;
}

/* Look for the group below the mount points of version 1; that of the controller cpu comes first. */
static bool cgroup_find_below(const char *groups, const char *name, struct str *path)
{
	for (int pass = 0; pass < 2; pass++) {
		const char *at = groups;
		struct cgroup_line line;

		while (cgroup_next(&at, &line)) {
			if (!line.hierarchy || cgroup_has_controller(&line, "cpu") == (pass != 0))
				continue;
			cgroup_root_of(&line, path);
			str_addf(path, "/%s", name + (*name == '/'));
			if (cgroup_is_group(path))
				return true;
		}
	}
	return false;
}

static bool cgroup_look_for(const char *groups, const char *name, struct str *path)
{
	for (size_t i = 0; i < sizeof(roots) / sizeof(*roots); i++) {
		str_clear(path);
		str_addf(path, "%s/%s", roots[i], name + (*name == '/'));
		if (cgroup_is_group(path))
			return true;
	}
	str_clear(path);
	str_puts(path, name);
	return cgroup_is_group(path) || cgroup_find_below(groups, name, path);
}

int cgroup_find(const char *name, struct cgroup_found *found)
{
	struct str groups = { 0 };
	int status = 0;

	read_whole("/proc/self/cgroup", &groups);
	if (!cgroup_look_for(str_text(&groups), name, &found->path)) {
		status = cgroup_look_for(str_text(&groups), "/", &found->path)
				 ? error("--cgroup %s: no such control group in %s", name, roots[0])
				 : error("--cgroup %s: no control groups are mounted in %s: mount them there, in a "
					 "container by "
					 "-v %s:%s:ro",
					 name, roots[0], roots[0], roots[0]);
	} else if (!cgroup_has_file(&found->path, "cgroup.controllers")) {
		found->hierarchy = cgroup_hierarchy_of(str_text(&groups), found->path.buf);
		if (!found->hierarchy)
			status = error("--cgroup %s: %s is of a hierarchy that is not mounted in %s", name,
				       found->path.buf, roots[0]);
	}
	str_free(&groups);
	return status;
}

bool cgroup_for_perf(const struct cgroup_found *found, struct str *path)
{
	struct str groups = { 0 }, own = { 0 };
	struct cgroup_line line;
	const char *at;
	bool is_group = !found->hierarchy;

	str_clear(path);
	if (is_group)
		str_puts(path, found->path.buf);
	read_whole("/proc/self/cgroup", &groups);
	at = str_text(&groups);
	while (found->hierarchy && cgroup_next(&at, &line)) {
		if (line.hierarchy == found->hierarchy)
			cgroup_root_of(&line, &own);
		if (line.hierarchy && cgroup_has_controller(&line, "perf_event"))
			cgroup_root_of(&line, path);
	}
	if (path->len && own.len && !strncmp(found->path.buf, own.buf, own.len)) {
		str_puts(path, found->path.buf + own.len);
		is_group = cgroup_is_group(path);
	}
	str_free(&groups);
	str_free(&own);
	return is_group;
}

void cgroup_found_free(struct cgroup_found *found)
{
	str_free(&found->path);
	*found = (struct cgroup_found){ 0 };
}
