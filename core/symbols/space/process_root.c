#include "core/symbols/space/process_root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FLAGS = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK };

/* Open the file that place, a descriptor opened with O_PATH, stands for; takes place over.  The kind is checked
 * first: opening a device may have side effects (a watchdog, a tape). */
static int open_harmless(int place)
{
	int fd = -1, reason = ENOENT;
	struct stat st;
	char name[40];

	if (place < 0)
		return -1;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", place);
	if (!fstat(place, &st) && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))) {
		fd = open(name, FLAGS);
		reason = errno;
	}
	close(place);
	errno = reason;
	return fd;
}

/* For Linux before 5.6, or a sandbox that does not know openat2(): links could lead out of root. */
static int place_by_name(const char *root, const char *path)
{
	char whole[4200];

	if ((size_t)snprintf(whole, sizeof(whole), "%s%s", root, path) >= sizeof(whole)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return open(whole, O_PATH | O_CLOEXEC);
}

size_t process_root_length(int pid, const char *path, size_t len)
{
	char link[32], root[PATH_MAX];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%d/root", pid);
	n = readlink(link, root, sizeof(root));
	return n > 1 && (size_t)n < len && !memcmp(path, root, (size_t)n) && path[n] == '/' ? (size_t)n : 0;
}

static int place_below(int directory, const char *root, const char *path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };
	int place = (int)syscall(SYS_openat2, directory, path, &how, sizeof(how));

	if (place < 0 && (errno == ENOSYS || errno == EPERM))
		place = place_by_name(root, path);
	return place;
}

int process_root_open(int pid, const char *path)
{
	int directory, place, reason;
	char root[32];
	size_t outside;

	if (pid <= 0)
		return open_harmless(open(path, O_PATH | O_CLOEXEC));
	snprintf(root, sizeof(root), "/proc/%d/root", pid);
	directory = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (directory < 0)
		return -1;
	place = place_below(directory, root, path);
	if (place < 0 && errno == ENOENT && (outside = process_root_length(pid, path, strlen(path))) > 0)
		place = place_below(directory, root, path + outside);
	reason = errno;
	close(directory);
	errno = reason;
	return open_harmless(place);
}
