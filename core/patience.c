#include "core/patience.h"

#include <signal.h>
#include <time.h>

static uint64_t now_ns(void)
{
	struct timespec now = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

bool stop_is_asked(void)
{
	sigset_t pending;

	return !sigpending(&pending) && (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1 ||
					 sigismember(&pending, SIGHUP) == 1);
}

struct patience patience_of(uint64_t ns)
{
	return (struct patience){ now_ns() + ns };
}

bool patience_is_over(const struct patience *p)
{
	return p->until_ns && (now_ns() >= p->until_ns || stop_is_asked());
}
