#include "core/symbols/process_root.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FLAGS = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK };

/* Linux before 5.6, or a sandbox that does not know openat2(): links may lead out. */
static int open_by_name(const char *root, const char *path)
{
	char whole[4200];

	if ((size_t)snprintf(whole, sizeof(whole), "%s%s", root, path) >= sizeof(whole)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return open(whole, FLAGS);
}

int process_root_open(int pid, const char *path)
{
	struct open_how how = { .flags = FLAGS,
				.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };
	int directory, fd, reason;
	char root[32];

	if (pid <= 0)
		return open(path, FLAGS);
	snprintf(root, sizeof(root), "/proc/%d/root", pid);
	directory = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (directory < 0)
		return -1;
	fd = (int)syscall(SYS_openat2, directory, path, &how, sizeof(how));
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		fd = open_by_name(root, path);
	reason = errno;
	close(directory);
	errno = reason;
	return fd;
}
