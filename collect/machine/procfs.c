#include "collect/machine/procfs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/open_files.h"

enum { READ_SIZE = 16384 };

const char *proc_obstacle(void)
{
	return access("/proc/self/stat", F_OK) && errno == ENOENT ? "/proc is not mounted: nothing can be recorded"
								  : NULL;
}

int read_whole(const char *path, struct str *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = 0;
	ssize_t n;

	if (fd < 0) {
		err = errno;
		open_files_failed(err);
		return err;
	}
	do {
		str_reserve(out, READ_SIZE);
		n = read(fd, out->buf + out->len, READ_SIZE);
		if (n > 0)
			out->len += (size_t)n;
		out->buf[out->len] = '\0';
	} while (n > 0 || (n < 0 && errno == EINTR));
	if (n < 0)
		err = errno;
	close(fd);
	return err;
}

int read_process(pid_t pid, const char *file, struct str *out)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	return read_whole(path, out);
}

int64_t read_sysctl(const char *name, int64_t fallback)
{
	char path[128];
	struct str text = { 0 };
	int64_t value = fallback;

	snprintf(path, sizeof(path), "/proc/sys/%s", name);
	if (!read_whole(path, &text) && text.len)
		value = strtoll(text.buf, NULL, 10);
	str_free(&text);
	return value;
}

void pids_add(struct pids *pids, pid_t pid)
{
	pids->list = xgrow(pids->list, &pids->cap, pids->count + 1, sizeof(*pids->list));
	pids->list[pids->count++] = pid;
}

int pids_read(struct pids *pids, const char *directory)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;

	if (!dir) {
		int err = errno;

		open_files_failed(err);
		return err;
	}
	while ((entry = readdir(dir))) {
		if (isdigit((unsigned char)entry->d_name[0]))
			pids_add(pids, (pid_t)strtol(entry->d_name, NULL, 10));
	}
	closedir(dir);
	return 0;
}

void pids_free(struct pids *pids)
{
	free(pids->list);
	*pids = (struct pids){ 0 };
}

int pids_read_threads(struct pids *pids, pid_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	return pids_read(pids, path);
}

bool read_comm(pid_t pid, pid_t tid, struct str *out)
{
	char path[64];
	size_t start = out->len;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", (int)pid, (int)tid);
	if (read_whole(path, out) || out->len == start)
		return false;
	out->buf[--out->len] = '\0'; /* drop only the final newline, since the name may contain others */
	return true;
}

/* "8513 (a (odd) name) S 1 ...", by proc(5) */
bool read_stat(pid_t pid, char *state, pid_t *parent)
{
	struct str text = { 0 };
	const char *end = read_process(pid, "stat", &text) ? NULL : strrchr(str_text(&text), ')');
	bool good = end && strlen(end) > 4;

	if (good) {
		*state = end[2];
		*parent = (pid_t)strtol(end + 4, NULL, 10);
	}
	str_free(&text);
	return good;
}
