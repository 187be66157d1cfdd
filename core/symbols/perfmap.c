#include "core/symbols/perfmap.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/lines.h"
#include "core/memory.h"

/* The pid as the process itself sees it: the last number of "NSpid: 8513 7". */
static int own_pid(int pid)
{
	char path[64], line[256];
	int own = pid;
	FILE *status;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	status = fopen(path, "re");
	while (status && fgets(line, sizeof(line), status)) {
		if (!strncmp(line, "NSpid:", 6)) {
			char *last = strrchr(line, '\t');

			own = last ? atoi(last + 1) : pid;
			break;
		}
	}
	if (status)
		fclose(status);
	return own;
}

/* Open name below the directory root without ever leaving it. */
static int open_below(const char *root, const char *name)
{
	struct open_how how = { .flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
				.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };
	int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC), fd, saved;

	if (dir < 0)
		return -1;
	fd = (int)syscall(SYS_openat2, dir, name, &how, sizeof(how));
	saved = errno;
	close(dir);
	errno = saved;
	return fd;
}

static const char *objection(int fd, uid_t owner)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return "is no regular file";
	if (st.st_nlink != 1)
		return "has several links";
	if (st.st_uid != owner && st.st_uid != 0 && st.st_uid != geteuid())
		return "belongs to another user";
	return NULL;
}

int perfmap_open(int pid, const char **why)
{
	char proc[64], root[80], name[48];
	struct stat st;
	uid_t owner = geteuid();
	int fd = -1;

	snprintf(proc, sizeof(proc), "/proc/%d", pid);
	if (!stat(proc, &st)) {
		owner = st.st_uid;
		snprintf(root, sizeof(root), "%s/root", proc);
		snprintf(name, sizeof(name), "tmp/perf-%d.map", own_pid(pid));
		fd = open_below(root, name);
	}
	if (fd < 0) {
		snprintf(name, sizeof(name), "tmp/perf-%d.map", pid);
		fd = open_below("/", name);
	}
	if (fd < 0) {
		*why = errno == ELOOP ? "is a symbolic link" : "is not there";
		return -1;
	}
	*why = objection(fd, owner);
	if (*why) {
		close(fd);
		return -1;
	}
	return fd;
}

static size_t first_from(const struct place *wanted, size_t count, uint64_t address)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (wanted[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* "7f2c4d000100 80 LFoo;::bar", with or without 0x. */
static bool parse_line(char *text, size_t len, uint64_t *start, uint64_t *size, char **name)
{
	char *end;

	text[len] = '\0'; /* where the newline was */
	*start = strtoull(text, &end, 16);
	if (end == text || *end != ' ')
		return false;
	text = end + 1;
	*size = strtoull(text, &end, 16);
	if (end == text || *end != ' ' || !*size || *start + *size < *start)
		return false;
	*name = end + strspn(end, " ");
	return **name;
}

int perfmap_resolve(int fd, struct place *wanted, size_t count, struct arena *names,
		    size_t *bad_lines)
{
	struct lines lines = { .fd = fd, .path = "perf map" };
	size_t len;
	char *text;

	*bad_lines = 0;
	while (lines_next(&lines, &text, &len)) {
		const char *copy = NULL;
		uint64_t start, size;
		char *name;

		if (lines.at_end && lines.start == lines.end)
			break; /* being written: the last line may be half there */
		if (!parse_line(text, len, &start, &size, &name)) {
			++*bad_lines;
			continue;
		}
		for (size_t i = first_from(wanted, count, start);
		     i < count && wanted[i].address - start < size; i++) {
			if (!copy)
				copy = arena_strdup(names, name, strlen(name));
			wanted[i].start = start;
			wanted[i].size = size;
			wanted[i].name = copy;
		}
	}
	free(lines.buf);
	return lines.failed ? -1 : 0;
}
