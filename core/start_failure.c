#include "core/start_failure.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

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
