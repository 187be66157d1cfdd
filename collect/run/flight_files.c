#include "collect/run/flight_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/str.h"

#define END ".data"
#define TIME_FORMAT "%Y-%m-%dT%H%M%SZ"

/* Digits stand for themselves. */
static const char time_shape[] = "0000-00-00T000000Z";

char *flight_stem(const char *output)
{
	size_t len = strlen(output), end = strlen(END);

	return xstrndup(output, len > end && !strcmp(output + len - end, END) ? len - end : len);
}

/* Returns false if the name is taken.  Whoever writes it will report other troubles. */
static bool reserve(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0 || errno != EEXIST;
}

void flight_unreserve(const char *path)
{
	struct stat info;

	if (!lstat(path, &info) && S_ISREG(info.st_mode) && !info.st_size)
		unlink(path);
}

char *flight_path(const char *stem)
{
	time_t now = time(NULL);
	struct tm tm;
	char text[sizeof(time_shape)];
	struct str path = { 0 };

	gmtime_r(&now, &tm);
	strftime(text, sizeof(text), TIME_FORMAT, &tm);
	str_addf(&path, "%s-%s" END, stem, text);
	for (int n = 2; !reserve(path.buf); n++) {
		str_clear(&path);
		str_addf(&path, "%s-%s-%d" END, stem, text, n);
	}
	return path.buf;
}

/* What follows the time: "", or "-2". */
static bool is_ours(const char *name, const char *base)
{
	size_t len = strlen(base);
	const char *at = name + len + 1;

	if (strncmp(name, base, len) != 0 || name[len] != '-')
		return false;
	for (const char *shape = time_shape; *shape; shape++, at++) {
		if (*shape == '0' ? *at < '0' || *at > '9' : *at != *shape)
			return false;
	}
	if (*at == '-')
		at += 1 + strspn(at + 1, "0123456789");
	return !strcmp(at, END);
}

struct files {
	char **names;
	size_t count, cap;
};

static int compare(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

static void remove_one(int dir, const char *name)
{
	char magic[8] = "";
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat info;

	if (fd < 0)
		return;
	if (!fstat(fd, &info) && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
	    read(fd, magic, sizeof(magic)) == sizeof(magic) && !memcmp(magic, "PERFILE2", sizeof(magic)) &&
	    unlinkat(dir, name, 0))
		warn("%s: cannot be removed: %s", name, strerror(errno));
	close(fd);
}

static void find(struct files *files, DIR *dir, const char *base)
{
	const struct dirent *entry;

	while ((entry = readdir(dir))) {
		if (!is_ours(entry->d_name, base))
			continue;
		files->names = xgrow(files->names, &files->cap, files->count + 1, sizeof(*files->names));
		files->names[files->count++] = xstrdup(entry->d_name);
	}
}

void flight_prune(const char *stem, size_t most)
{
	const char *slash = strrchr(stem, '/'), *base = slash ? slash + 1 : stem;
	char *folder = slash ? xstrndup(stem, (size_t)(slash - stem) + 1) : xstrdup(".");
	DIR *dir = opendir(folder);
	struct files files = { 0 };

	if (dir)
		find(&files, dir, base);
	if (files.count)
		qsort(files.names, files.count, sizeof(*files.names), compare);
	for (size_t i = 0; i < files.count; i++) {
		if (files.count - i > most)
			remove_one(dirfd(dir), files.names[i]);
		free(files.names[i]);
	}
	free(files.names);
	if (dir)
		closedir(dir);
	free(folder);
}
