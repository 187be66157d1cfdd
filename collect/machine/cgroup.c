#include "collect/machine/cgroup.h"

#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

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

int cgroup_find(const char *name, struct str *path)
{
	struct stat info;

	for (size_t i = 0; i < 3; i++) {
		str_clear(path);
		if (i < 2)
			str_addf(path, "%s/%s", roots[i], name + (*name == '/'));
		else
			str_puts(path, name);
		if (!path->len || stat(path->buf, &info) || !S_ISDIR(info.st_mode) ||
		    !cgroup_has_file(path, "cgroup.procs"))
			continue;
		if (!cgroup_has_file(path, "cgroup.controllers"))
			return error("--cgroup %s: %s is of version 1; only version 2 works", name, path->buf);
		return 0;
	}
	return error("--cgroup %s: no such control group in %s or %s", name, roots[0], roots[1]);
}
