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
#include "core/sorted.h"
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

/* Returns false if the name is taken.  Other errors are left to whoever writes the file. */
static bool flight_files_reserve(const char *path)
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
	for (int n = 2; !flight_files_reserve(path.buf); n++) {
		str_clear(&path);
		str_addf(&path, "%s-%s-%d" END, stem, text, n);
	}
	return path.buf;
}

/* Reads STEM-TIME.data, STEM-TIME-2.data.  number: 0 if the name has none.  Returns the time in it, or NULL. */
static const char *flight_files_read_name(const char *name, const char *base, unsigned long *number)
{
	size_t len = strlen(base);
	const char *time = name + len + 1, *at = time;

	if (strncmp(name, base, len) != 0 || name[len] != '-')
		return NULL;
	for (const char *shape = time_shape; *shape; shape++, at++) {
		if (*shape == '0' ? *at < '0' || *at > '9' : *at != *shape)
			return NULL;
	}
	*number = 0;
	if (*at == '-') {
		*number = strtoul(at + 1, NULL, 10);
		at += 1 + strspn(at + 1, "0123456789");
	}
	return strcmp(at, END) ? NULL : time;
}

struct file {
	char *name;
	size_t written; /* its number in this run; 0: of an earlier run */
	size_t time;    /* where it is in name */
	unsigned long number;
};

struct files {
	struct file *list;
	size_t count, cap;
};

static int flight_files_compare(const void *a, const void *b)
{
	const struct file *x = a, *y = b;

	if (x->written != y->written)
		return ORDER(x->written, y->written);
	return strncmp(x->name + x->time, y->name + y->time, sizeof(time_shape) - 1) ?: ORDER(x->number, y->number);
}

/* ---- reports ---- */

static bool flight_files_is_own(int dir, const char *name, mode_t kind)
{
	struct stat info;

	return !fstatat(dir, name, &info, AT_SYMLINK_NOFOLLOW) && info.st_uid == geteuid() &&
	       (info.st_mode & S_IFMT) == kind;
}

/* In the directory called name, remove our files whose names begin with `start` or are listed in `others`; then remove
 * the directory, if it is empty. */
static void remove_files(int parent, const char *name, const char *start, const char *const *others)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		bool wanted = !strncmp(entry->d_name, start, strlen(start));

		for (size_t i = 0; others[i]; i++)
			wanted |= !strcmp(entry->d_name, others[i]);
		if (wanted && flight_files_is_own(fd, entry->d_name, S_IFREG))
			unlinkat(fd, entry->d_name, 0);
	}
	if (dir)
		closedir(dir);
	unlinkat(parent, name, AT_REMOVEDIR);
}

/* The files that "pyrograph report" and its page write for a recording called BASE.data. */
static void remove_report(int parent, const char *base)
{
	static const char *const pages[] = { "index.html", "charts.json", NULL };
	static const char *const folders[] = { "chart-scripts", "index-files", "-threads", NULL };
	static const char *const none[] = { NULL };
	int fd = flight_files_is_own(parent, base, S_IFDIR)
			 ? openat(parent, base, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
			 : -1;

	if (fd < 0)
		return;
	for (size_t i = 0; folders[i]; i++) {
		struct str name = { 0 };

		str_addf(&name, "%s%s", folders[i][0] == '-' ? base : "", folders[i]);
		if (flight_files_is_own(fd, name.buf, S_IFDIR))
			remove_files(fd, name.buf, "", none);
		str_free(&name);
	}
	close(fd);
	remove_files(parent, base, base, pages);
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int open_folder(const char *path)
{
	char *folder = xstrndup(path, (size_t)(base_of(path) - path));
	int fd = open(*folder ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	free(folder);
	return fd;
}

char *flight_report_dir(const char *path)
{
	return flight_stem(path);
}

void flight_report_remove(const char *path)
{
	char *base = flight_stem(base_of(path));
	int fd = open_folder(path);

	if (fd >= 0) {
		remove_report(fd, base);
		close(fd);
	}
	free(base);
}

/* ---- recordings ---- */

static bool is_recording(int dir, const char *name)
{
	char magic[8] = "";
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat info;
	bool is;

	if (fd < 0)
		return false;
	is = !fstat(fd, &info) && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
	     read(fd, magic, sizeof(magic)) == sizeof(magic) && !memcmp(magic, "PERFILE2", sizeof(magic));
	close(fd);
	return is;
}

static void flight_files_remove_one(int dir, const char *name)
{
	char *base;

	if (!is_recording(dir, name))
		return;
	if (unlinkat(dir, name, 0)) {
		warn("%s: cannot be removed: %s", name, strerror(errno));
		return;
	}
	base = flight_stem(name);
	remove_report(dir, base);
	free(base);
}

static size_t find_written(const struct flight_written *w, const char *name)
{
	size_t i = w->count;

	while (i && strcmp(w->names[i - 1], name) != 0)
		i--;
	return i;
}

static void flight_files_find(struct files *files, DIR *dir, const char *base, const struct flight_written *written)
{
	const struct dirent *entry;

	while ((entry = readdir(dir))) {
		unsigned long number;
		const char *time = flight_files_read_name(entry->d_name, base, &number);

		if (!time)
			continue;
		files->list = xgrow(files->list, &files->cap, files->count + 1, sizeof(*files->list));
		files->list[files->count++] = (struct file){
			.name = xstrdup(entry->d_name),
			.written = find_written(written, entry->d_name),
			.time = (size_t)(time - entry->d_name),
			.number = number,
		};
	}
}

/* Keep no more names than there may be recordings. */
static void note_written(struct flight_written *w, const char *path, size_t most)
{
	if (w->count == most) {
		free(w->names[0]);
		memmove(w->names, w->names + 1, --w->count * sizeof(*w->names));
	}
	w->names = xgrow(w->names, &w->cap, w->count + 1, sizeof(*w->names));
	w->names[w->count++] = xstrdup(base_of(path));
}

void flight_written_free(struct flight_written *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->names[i]);
	free(w->names);
	*w = (struct flight_written){ 0 };
}

void flight_prune(struct flight_written *written, const char *path, const char *stem, size_t most)
{
	const char *base = base_of(stem);
	int folder = open_folder(stem);
	DIR *dir = folder < 0 ? NULL : fdopendir(folder);
	struct files files = { 0 };

	note_written(written, path, most);
	if (dir)
		flight_files_find(&files, dir, base, written);
	if (files.count)
		qsort(files.list, files.count, sizeof(*files.list), flight_files_compare);
	for (size_t i = 0; i < files.count; i++) {
		if (files.count - i > most)
			flight_files_remove_one(dirfd(dir), files.list[i].name);
		free(files.list[i].name);
	}
	free(files.list);
	if (dir)
		closedir(dir);
}
