#include "core/symbols/jit_open.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

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

const char JIT_NOT_THERE[] = "is not there";

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

static int open_trusted(const char *root, const char *name, uid_t owner, const char **why)
{
	int fd = open_below(root, name);

	if (fd < 0) {
		*why = errno == ELOOP ? "is a symbolic link" : JIT_NOT_THERE;
		return -1;
	}
	*why = objection(fd, owner);
	if (!*why)
		return fd;
	close(fd);
	return -1;
}

int jit_open(int pid, const char *path, const char **why)
{
	char proc[64], root[80], name[48];
	struct stat st;
	int fd;

	snprintf(proc, sizeof(proc), "/proc/%d", pid);
	if (!stat(proc, &st)) {
		snprintf(root, sizeof(root), "%s/root", proc);
		snprintf(name, sizeof(name), "tmp/perf-%d.map", own_pid(pid));
		fd = open_trusted(root, path ? path : name, st.st_uid, why);
		if (fd >= 0 || path || *why != JIT_NOT_THERE)
			return fd;
	} else {
		st.st_uid = geteuid();
	}
	snprintf(name, sizeof(name), "tmp/perf-%d.map", pid);
	return open_trusted("/", path ? path : name, st.st_uid, why);
}
