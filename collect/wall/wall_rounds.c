#include "collect/wall/wall_rounds.h"

#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "core/wallclock.h"

enum { REST = 3 }; /* times a round's */

/* George Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (2003), 14. */
static uint64_t next_random(struct wall_rounds *r)
{
	r->random ^= r->random << 13;
	r->random ^= r->random >> 7;
	r->random ^= r->random << 17;
	return r->random;
}

static int set_timer(struct wall_rounds *r)
{
	struct itimerspec at = { 0 };

	at.it_value.tv_sec = (time_t)(r->due_ns / NS_PER_SEC);
	at.it_value.tv_nsec = (long)(r->due_ns % NS_PER_SEC);
	return timerfd_settime(r->timer, TFD_TIMER_ABSTIME, &at, NULL);
}

/* A period in all, so that each point of it is as likely for the next round, wherever the last one was. */
static uint64_t some_time(struct wall_rounds *r)
{
	return r->every_ns / 2 + next_random(r) % r->every_ns;
}

int wall_rounds_begin(struct wall_rounds *r, unsigned int hz, uint64_t now_ns)
{
	*r = (struct wall_rounds){
		.timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC),
		.every_ns = NS_PER_SEC / hz,
		.due_ns = now_ns,
		.random = now_ns | 1,
	};
	r->due_ns += some_time(r);
	return r->timer < 0 ? -1 : set_timer(r);
}

bool wall_rounds_due(struct wall_rounds *r)
{
	uint64_t times;

	return read(r->timer, &times, sizeof(times)) == sizeof(times);
}

void wall_rounds_next(struct wall_rounds *r, uint64_t now_ns, uint64_t took_ns)
{
	uint64_t least_ns = now_ns + REST * took_ns, missed;

	r->due_ns += some_time(r);
	if (r->due_ns < least_ns) {
		missed = (least_ns - r->due_ns) / r->every_ns;
		r->late += missed;
		r->due_ns = least_ns;
	}
	set_timer(r);
}

void wall_rounds_end(struct wall_rounds *r)
{
	if (r->timer >= 0)
		close(r->timer);
	r->timer = -1;
}
