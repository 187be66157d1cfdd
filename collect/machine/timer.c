#include "collect/machine/timer.h"

#include <errno.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "core/error.h"
#include "core/wallclock.h"

int timer_start(int *timer, struct session *session, uint64_t ns)
{
	struct timespec period = { (time_t)(ns / NS_PER_SEC), (long)(ns % NS_PER_SEC) };
	struct itimerspec when = { period, period };

	*timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (*timer < 0 || timerfd_settime(*timer, 0, &when, NULL))
		return error("timer: %s", strerror(errno));
	session_add_data(session, *timer);
	return 0;
}

bool timer_is_due(int timer)
{
	uint64_t times;

	return timer >= 0 && read(timer, &times, sizeof(times)) > 0;
}

void timer_stop(int *timer)
{
	if (*timer >= 0)
		close(*timer);
	*timer = -1;
}
