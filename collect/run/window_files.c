#include "collect/run/window_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/outfile.h"
#include "core/str.h"
#include "core/wallclock.h"

#define START "watch-"
#define END ".data"
#define PART ".part"
#define TIME_FORMAT "%Y-%m-%dT%H%M%SZ"

enum { TIME_LEN = 18 }; /* "2026-11-24T101500Z" */

struct window_file {
	char *name;
	uint64_t begin_ns, end_ns; /* wall clock of its last write, which was at its end */
	uint64_t size;
};

struct window_list {
	struct window_file *list;
	size_t count, cap;
};

/* "watch-TIME.data", or "watch-TIME-2.data"; part: followed by ".part". */
static bool window_files_is_ours(const char *name, bool part, uint64_t *begin_ns)
{
	struct tm tm = { 0 };
	char text[TIME_LEN + 1];
	const char *end;

	if (strncmp(name, START, strlen(START)) != 0)
		return false;
	name += strlen(START);
	snprintf(text, sizeof(text), "%s", name);
	end = strptime(text, TIME_FORMAT, &tm);
	if (!end || *end || strlen(text) != TIME_LEN)
		return false;
	name += TIME_LEN;
	if (*name == '-')
		name += 1 + strspn(name + 1, "0123456789");
	*begin_ns = (uint64_t)timegm(&tm) * NS_PER_SEC;
	return !strcmp(name, part ? END PART : END);
}

char *window_part(const char *dir, uint64_t wall_ns)
{
	time_t now = (time_t)(wall_ns / NS_PER_SEC);
	struct tm tm;
	char text[TIME_LEN + 1], number[16] = "";
	struct str path = { 0 };

	gmtime_r(&now, &tm);
	strftime(text, sizeof(text), TIME_FORMAT, &tm);
	for (int n = 2;; n++) {
		str_clear(&path);
		str_addf(&path, "%s/" START "%s%s" END, dir, text, number);
		if (access(path.buf, F_OK)) {
			str_puts(&path, PART);
			if (access(path.buf, F_OK))
				return path.buf;
		}
		snprintf(number, sizeof(number), "-%d", n);
	}
}

bool window_has_room(const char *dir, uint64_t bytes)
{
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	bool full = fd < 0 ? errno == ENOSPC || errno == EDQUOT
			   : fallocate(fd, 0, 0, (off_t)bytes) && (errno == ENOSPC || errno == EDQUOT);

	if (fd >= 0)
		close(fd);
	return !full;
}

int window_publish(int dir, const char *part)
{
	const char *slash = strrchr(part, '/'), *from = slash ? slash + 1 : part;
	char *to = xstrndup(from, strlen(from) - strlen(PART));
	int status = 0;

	if (renameat2(dir, from, dir, to, RENAME_NOREPLACE) &&
	    (errno != EINVAL || renameat(dir, from, dir, to)) && /* the file system has no RENAME_NOREPLACE */
	    (errno != ENOENT || faccessat(dir, to, F_OK, 0)))    /* the next run has renamed it already */
		status = error("%s: cannot be renamed to %s: %s", part, to, strerror(errno));
	free(to);
	return status;
}

/* ---- the directory ---------------------------------------------------------- */

static int window_files_by_begin(const void *a, const void *b)
{
	const struct window_file *x = a, *y = b;

	if (x->begin_ns != y->begin_ns)
		return x->begin_ns < y->begin_ns ? -1 : 1;
	return strverscmp(x->name, y->name);
}

/* Is it a recording of ours?  Also gets its size, and when it was last written. */
static bool window_files_look(int dir, const char *name, struct window_file *file)
{
	char magic[8] = "";
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat info;
	bool ok;

	if (fd < 0)
		return false;
	/* A locked file is still being written or completed. */
	ok = !flock(fd, LOCK_SH | LOCK_NB) && !fstat(fd, &info) && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
	     read(fd, magic, sizeof(magic)) == sizeof(magic) && !memcmp(magic, "PERFILE2", sizeof(magic));
	if (ok) {
		file->size = (uint64_t)info.st_blocks * 512;
		file->end_ns = (uint64_t)info.st_mtim.tv_sec * NS_PER_SEC + (uint64_t)info.st_mtim.tv_nsec;
	}
	close(fd);
	return ok;
}

/* The files, the oldest first. */
static void window_files_find(struct window_list *l, int dir, bool part)
{
	int again = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = again < 0 ? NULL : fdopendir(again);
	const struct dirent *entry;

	while (d && (entry = readdir(d))) {
		struct window_file file = { 0 };

		if (!window_files_is_ours(entry->d_name, part, &file.begin_ns) ||
		    !window_files_look(dir, entry->d_name, &file))
			continue;
		file.name = xstrdup(entry->d_name);
		l->list = xgrow(l->list, &l->cap, l->count + 1, sizeof(*l->list));
		l->list[l->count++] = file;
	}
	if (d)
		closedir(d);
	if (l->count)
		qsort(l->list, l->count, sizeof(*l->list), window_files_by_begin);
}

static void window_files_list_free(struct window_list *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->list[i].name);
	free(l->list);
}

static void finish_older(const char *dir, int fd)
{
	struct window_list l = { 0 };
	struct str path = { 0 };

	window_files_find(&l, fd, true);
	for (size_t i = 0; i < l.count; i++) {
		str_clear(&path);
		str_addf(&path, "%s/%s", dir, l.list[i].name);
		if (!window_publish(fd, path.buf))
			inform("%.*s was cut short: it is kept, without names of functions",
			       (int)(path.len - strlen(PART)), path.buf);
	}
	str_free(&path);
	window_files_list_free(&l);
}

int window_dir_open(const char *dir)
{
	int fd;

	if (outdir_check(dir) < 0)
		return -1;
	if (mkdir(dir, 0700) && errno != EEXIST)
		return error("%s: cannot be created: %s", dir, strerror(errno));
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return error("%s: %s", dir, strerror(errno));
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		error("%s: %s", dir, errno == EWOULDBLOCK ? "somebody else records into it" : strerror(errno));
		close(fd);
		return -1;
	}
	finish_older(dir, fd);
	return fd;
}

bool window_dir_is(int dir, const char *path)
{
	struct stat own, there;

	return !fstat(dir, &own) && !stat(path, &there) && own.st_ino == there.st_ino && own.st_dev == there.st_dev;
}

void window_dir_close(int dir)
{
	flock(dir, LOCK_UN);
	close(dir);
}

/* ---- removing --------------------------------------------------------------- */

static bool window_files_remove_one(int dir, const struct window_file *f)
{
	if (!unlinkat(dir, f->name, 0))
		return true;
	warn("%s: cannot be removed: %s", f->name, strerror(errno));
	return false;
}

size_t window_prune(int dir, const struct window_limits *limits, uint64_t now_ns)
{
	struct window_list l = { 0 };
	uint64_t sum = limits->expected;
	size_t removed = 0;

	window_files_find(&l, dir, false);
	/* If the clock was set back, windows from the future are older than those that follow. */
	for (size_t i = 0; i < l.count; i++) {
		if (l.list[i].begin_ns > now_ns + limits->ring_ns)
			l.list[i].begin_ns = 0;
		sum += l.list[i].size;
	}
	if (l.count)
		qsort(l.list, l.count, sizeof(*l.list), window_files_by_begin);
	for (size_t i = 0; i < l.count; i++) {
		const struct window_file *f = &l.list[i];
		uint64_t end_ns = f->end_ns > f->begin_ns ? f->end_ns : f->begin_ns;
		bool old = f->begin_ns && end_ns + limits->ring_ns < now_ns;

		if (!old && (!limits->most || sum <= limits->most))
			continue;
		sum -= f->size;
		removed += window_files_remove_one(dir, f);
	}
	window_files_list_free(&l);
	return removed;
}
