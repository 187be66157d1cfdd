#include "core/start.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

/* The path of this program: from the kernel or, without /proc, as it was executed, unless a user with fewer rights may
 * have chosen that path. */
static bool find_self(char self[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", self, PATH_MAX - 1);
	const char *executed = n <= 0 && !getauxval(AT_SECURE) ? (const char *)getauxval(AT_EXECFN) : NULL;

	if (n > 0)
		self[n] = '\0';
	return n > 0 || (executed && realpath(executed, self));
}

void sibling_path(const char *name, struct str *path)
{
	char self[PATH_MAX];
	const char *slash = find_self(self) ? strrchr(self, '/') : NULL;

	if (slash)
		str_add(path, self, (size_t)(slash + 1 - self));
	str_puts(path, name);
}

const char *start_failure(int err)
{
	static char text[160];
	struct rlimit most, space;

	if (err != EAGAIN)
		return strerror(err);
	if (!getrlimit(RLIMIT_AS, &space) && space.rlim_cur != RLIM_INFINITY) { /* a thread's stack takes 8 MB */
		snprintf(text, sizeof(text),
			 "too many processes and threads, or no memory: this process may have %ju kB (ulimit -v)",
			 (uintmax_t)space.rlim_cur / 1024);
		return text;
	}
	if (getrlimit(RLIMIT_NPROC, &most) || most.rlim_cur == RLIM_INFINITY)
		return "too many processes and threads in this control group (pids.max)";
	snprintf(text, sizeof(text),
		 "too many processes and threads: this user may have %ju (ulimit -u), a control group its pids.max",
		 (uintmax_t)most.rlim_cur);
	return text;
}
