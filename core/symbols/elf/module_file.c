#include "core/symbols/elf/module_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/open_files.h"
#include "core/symbols/space/process_map.h"
#include "core/symbols/space/process_root.h"

/* A module's file is opened through the first process that was seen to map it, or through the newest, whichever
 * lives longer. */
static const struct way {
	enum { BY_KEPT, BY_PATH, BY_OUR_PATH, BY_MAPPING, BY_PROGRAM } by;
	bool newest;
} ways[MODULE_FILE_WAYS] = {
	{ BY_KEPT, false },    { BY_PATH, false },   { BY_PATH, true },     { BY_OUR_PATH, false },
	{ BY_MAPPING, false }, { BY_MAPPING, true }, { BY_PROGRAM, false }, { BY_PROGRAM, true },
};

static const struct module_mapping *mapping_of(const struct module *module, const struct way *way)
{
	return way->newest ? &module->newest : &module->first;
}

/* The kernel's name of a removed file: "/usr/bin/server (deleted)". */
static const char deleted[] = " (deleted)";

static bool is_deleted(const char *path)
{
	size_t len = strlen(path), suffix = sizeof(deleted) - 1;

	return len > suffix && !strcmp(path + len - suffix, deleted);
}

/* Try the name without " (deleted)", too: after an upgrade to the same version, the same file is there again. */
static int open_path(int pid, const char *path)
{
	int fd = process_root_open(pid, path);
	char *name;

	if (fd >= 0 || errno != ENOENT || !is_deleted(path))
		return fd;
	name = xstrndup(path, strlen(path) - (sizeof(deleted) - 1));
	fd = process_root_open(pid, name);
	free(name);
	return fd;
}

static int open_mapping(const struct module_mapping *mapping)
{
	struct process_map map;
	char name[80];

	if (!process_map_find(mapping->pid, mapping->start, &map)) {
		errno = ENOENT;
		return -1;
	}
	free(map.path);
	snprintf(name, sizeof(name), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, mapping->pid, map.start, map.end);
	return open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

static int open_program(int pid)
{
	char name[32];
	int fd;

	snprintf(name, sizeof(name), "/proc/%d/exe", pid);
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		errno = ENOENT; /* not an error: the module may not be the process's program */
	return fd;
}

static int open_way(const struct module *module, const struct way *way)
{
	const struct module_mapping *mapping = mapping_of(module, way);

	errno = ENOENT;
	if (module->elsewhere && way->by != BY_OUR_PATH)
		return -1;
	if (way->by == BY_KEPT)
		return module->kept_fd > 0 ? fcntl(module->kept_fd, F_DUPFD_CLOEXEC, 0) : -1;
	if (way->by == BY_OUR_PATH)
		return open_path(0, module->path);
	if (mapping->pid <= 0 || (way->newest && mapping->pid == module->first.pid))
		return -1;
	if (way->by == BY_PATH)
		return open_path(mapping->pid, module->path);
	return way->by == BY_MAPPING ? open_mapping(mapping) : open_program(mapping->pid);
}

/* Files that the kernel makes up have no size; reading takes data out of some of them (/proc/kmsg), and /proc/kcore has
 * 128 TB.  A file with a hole of that size would be read for hours. */
#define LARGEST_FILE ((off_t)16 << 30)

static bool may_have_code(const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_size > 0 && st->st_size <= LARGEST_FILE;
}

int module_file_open(const struct module *module, int way, enum why *why)
{
	struct stat st = { 0 };
	int fd = -1;

	*why = WHY_NO_FILE;
	if (module->path[0] != '/')
		return -1;
	fd = open_way(module, &ways[way]);
	if (fd < 0) {
		open_files_failed(errno);
		*why = errno == EACCES || errno == EPERM    ? WHY_NO_RIGHT
		       : errno == EMFILE || errno == ENFILE ? WHY_TOO_MANY_OPEN
							    : WHY_NO_FILE;
		return -1;
	}
	if (!fstat(fd, &st) && may_have_code(&st))
		return fd;
	close(fd);
	*why = S_ISREG(st.st_mode) ? WHY_DAMAGED : WHY_OTHER_BUILD;
	return -1;
}

/* Does the process still map the same file there?  The inode of a mapping is not always that of stat(): overlayfs,
 * btrfs. */
static bool maps_the_same(const struct module *module, const struct way *way)
{
	const struct module_mapping *mapping = mapping_of(module, way);
	struct process_map map;
	bool same;

	if (way->by == BY_KEPT)
		return true;
	if (way->by != BY_MAPPING && (way->by != BY_PATH || is_deleted(module->path)))
		return false;
	if (mapping->pid <= 0 || !process_map_find(mapping->pid, mapping->start, &map))
		return false;
	same = !strcmp(map.id, module->id) && (way->by == BY_MAPPING || !strcmp(map.path, module->path));
	free(map.path);
	return same;
}

bool module_file_is_same(const struct module *module, int way, int fd)
{
	unsigned int major, minor;
	unsigned long long inode;
	struct stat st;

	if (sscanf(module->id, "%x:%x:%llx", &major, &minor, &inode) != 3)
		return true; /* nothing to compare */
	/* On btrfs and overlayfs, the device of a mapping differs from that of stat(). */
	return (fstat(fd, &st) == 0 && st.st_ino == inode) || maps_the_same(module, &ways[way]);
}
