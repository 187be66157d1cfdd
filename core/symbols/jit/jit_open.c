#include "core/symbols/jit/jit_open.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/open_files.h"
#include "core/symbols/space/process_root.h"
#include "core/wallclock.h"

/* The pid of a process in its own namespace: the last number of "NSpid: 8513 7". */
int jit_own_pid(int pid)
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

/* The state of a process, and when it started (in clock ticks since boot), of /proc/PID/stat:
 * "8513 (name) S 1 ...", the 22nd word.  Returns false when there is no such process. */
static bool jit_open_read_state(int pid, char *state, unsigned long long *start)
{
	char path[32], line[1024];
	const char *at;
	FILE *stat;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	stat = fopen(path, "re");
	if (!stat)
		return false;
	at = fgets(line, sizeof(line), stat) ? strrchr(line, ')') : NULL;
	fclose(stat);
	return at && sscanf(at, ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
			    state, start) == 2;
}

bool jit_maker_lives(int pid)
{
	unsigned long long start;
	char state;

	return jit_open_read_state(pid, &state, &start) && state != 'Z' && state != 'X';
}

/* Is the file older than its process?  born_ns: when the process started, by CLOCK_MONOTONIC, if it is gone; 0:
 * unknown.  execve(2) does not start a process. */
static bool is_older(const struct stat *st, int pid, uint64_t born_ns)
{
	enum { PRECISION_NS = 1000000000 }; /* precision of ticks and file systems; a margin if clocks are set */
	int64_t written_ns = (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec, age_ns;
	unsigned long long start;
	char state;

	if (jit_open_read_state(pid, &state, &start))
		age_ns = (int64_t)clock_ns(CLOCK_BOOTTIME) -
			 (int64_t)(start * (1000000000ULL / (unsigned long long)sysconf(_SC_CLK_TCK)));
	else if (born_ns)
		age_ns = (int64_t)clock_ns(CLOCK_MONOTONIC) - (int64_t)born_ns;
	else
		return false;
	return written_ns < (int64_t)clock_ns(CLOCK_REALTIME) - age_ns - PRECISION_NS;
}

/* Open name below the directory root without ever leaving it. */
static int jit_open_below(const char *root, const char *name)
{
	struct open_how how = { .flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
				.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };
	int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC), fd, saved;

	if (dir < 0) {
		open_files_failed(errno);
		return -1;
	}
	fd = (int)syscall(SYS_openat2, dir, name, &how, sizeof(how));
	saved = errno;
	if (fd < 0)
		open_files_failed(saved);
	close(dir);
	errno = saved;
	return fd;
}

const char JIT_NOT_THERE[] = "is not there";

/* Who may own the file. */
struct maker {
	int pid;
	uid_t owner;
	uint64_t born_ns;
};

static const char *objection(int fd, const struct maker *maker)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return "is not a regular file";
	if (st.st_nlink != 1)
		return "has several links";
	if (st.st_uid != maker->owner && st.st_uid != 0 && st.st_uid != geteuid())
		return "belongs to another user";
	if (is_older(&st, maker->pid, maker->born_ns))
		return "is older than the process";
	return NULL;
}

static int open_trusted(const char *root, const char *name, const struct maker *maker, const char **why)
{
	int fd = jit_open_below(root, name);

	if (fd < 0) {
		*why = errno == ELOOP ? "is a symbolic link" : JIT_NOT_THERE;
		return -1;
	}
	*why = objection(fd, maker);
	if (!*why)
		return fd;
	close(fd);
	return -1;
}

int jit_open(int pid, const char *path, uint64_t born_ns, const char **why)
{
	struct maker maker = { pid, geteuid(), born_ns };
	char proc[64], root[80], name[48];
	struct stat st;
	int fd;

	snprintf(proc, sizeof(proc), "/proc/%d", pid);
	snprintf(root, sizeof(root), "%s/root", proc);
	if (!stat(proc, &st)) {
		maker.owner = st.st_uid;
		snprintf(name, sizeof(name), "tmp/perf-%d.map", jit_own_pid(pid));
		fd = open_trusted(root, path ? path : name, &maker, why);
		if (fd < 0 && path && *why == JIT_NOT_THERE)
			fd = open_trusted(root, path + process_root_length(pid, path, strlen(path)), &maker, why);
		/* A zombie has no root. */
		if (fd >= 0 || (path && jit_maker_lives(pid)) || *why != JIT_NOT_THERE)
			return fd;
	}
	snprintf(name, sizeof(name), "tmp/perf-%d.map", pid);
	return open_trusted("/", path ? path : name, &maker, why);
}
