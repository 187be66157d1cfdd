#include "core/patience.h"

#include <signal.h>
#include <time.h>

#include "core/wallclock.h"

bool stop_is_asked(void)
{
	sigset_t pending;

	return !sigpending(&pending) && (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1 ||
					 sigismember(&pending, SIGHUP) == 1);
}

struct patience patience_of(uint64_t ns)
{
	return (struct patience){ clock_ns(CLOCK_MONOTONIC) + ns };
}

bool patience_is_over(const struct patience *p)
{
	return p->until_ns && (clock_ns(CLOCK_MONOTONIC) >= p->until_ns || stop_is_asked());
}
