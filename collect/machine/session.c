#include "collect/machine/session.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "collect/machine/anchors.h"
#include "core/error.h"
#include "core/wallclock.h"

/* The kind of an fd, in the upper half of epoll's data; the fd is in the lower. */
enum kind { KIND_SIGNAL, KIND_DATA, KIND_END };

static void session_add(struct session *s, int fd, enum kind kind, uint32_t events)
{
	struct epoll_event e = { .events = events, .data.u64 = (uint64_t)kind << 32 | (uint32_t)fd };

	if (epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &e))
		die("epoll: %s", strerror(errno));
}

void session_open(struct session *s)
{
	struct sigaction hangup;
	sigset_t mask;

	*s = (struct session){ .next_tick_ns = monotonic_ns() + NS_PER_SEC };
	sigemptyset(&mask);
	sigaddset(&mask, SIGINT); /* a blocked SIGINT is delivered even if it is ignored */
	sigaddset(&mask, SIGTERM);
	sigaction(SIGHUP, NULL, &hangup);
	if (hangup.sa_handler != SIG_IGN)
		sigaddset(&mask, SIGHUP);
	sigprocmask(SIG_BLOCK, &mask, &s->old_mask);
	s->epoll = epoll_create1(EPOLL_CLOEXEC);
	s->signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s->epoll < 0 || s->signals < 0)
		die("epoll, signalfd: %s", strerror(errno));
	s->mask = mask;
	session_add(s, s->signals, KIND_SIGNAL, EPOLLIN);
}

void session_hear_users(struct session *s)
{
	sigset_t users;

	sigemptyset(&users);
	sigaddset(&users, SIGUSR1);
	sigprocmask(SIG_BLOCK, &users, NULL);
	sigaddset(&s->mask, SIGUSR1);
	if (signalfd(s->signals, &s->mask, 0) < 0)
		die("signalfd: %s", strerror(errno));
}

void session_add_data(struct session *s, int fd)
{
	session_add(s, fd, KIND_DATA, EPOLLIN);
}

int session_add_child(struct session *s, pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	if (fd >= 0)
		session_add_data(s, fd);
	return fd;
}

void session_close_data(struct session *s, int fd)
{
	if (fd < 0)
		return;
	epoll_ctl(s->epoll, EPOLL_CTL_DEL, fd, NULL);
	close(fd);
}

void session_add_end(struct session *s, int pidfd)
{
	session_add(s, pidfd, KIND_END, EPOLLIN);
	s->watched++;
}

void session_add_hangup(struct session *s, int fd)
{
	session_add(s, fd, KIND_END, 0); /* EPOLLHUP always comes without being asked for */
	s->watched++;
}

void session_find_more(struct session *s, bool (*more)(void *argument), void *argument)
{
	s->more = more;
	s->more_of = argument;
}

void session_set_duration(struct session *s, uint64_t ns)
{
	s->end_ns = monotonic_ns() + ns;
}

static int handle(struct session *s, const struct epoll_event *e)
{
	int fd = (int)(uint32_t)e->data.u64;
	struct signalfd_siginfo taken;

	switch ((enum kind)(e->data.u64 >> 32)) {
	case KIND_SIGNAL: /* read the signal, so that another one is noticed while we wait for debuginfod */
		if (read(fd, &taken, sizeof(taken)) == sizeof(taken) && taken.ssi_signo == SIGUSR1)
			return SESSION_ASKED;
		s->signalled = true;
		return SESSION_OVER;
	case KIND_DATA: return SESSION_DATA;
	case KIND_END: break;
	}
	epoll_ctl(s->epoll, EPOLL_CTL_DEL, fd, NULL); /* otherwise the fd would wake us again and again */
	return --s->watched || (s->more && s->more(s->more_of)) ? 0 : SESSION_OVER;
}

static int check_time(struct session *s, uint64_t now)
{
	int wake = 0;

	if (s->end_ns && now >= s->end_ns)
		wake |= SESSION_OVER;
	if (now >= s->next_tick_ns) {
		uint64_t tick_ns = s->tick_ns ? s->tick_ns : NS_PER_SEC;

		wake |= SESSION_TICK;
		s->next_tick_ns += tick_ns;
		if (s->next_tick_ns <= now) /* the machine slept, or stopped us */
			s->next_tick_ns = now + tick_ns;
	}
	return wake;
}

int session_wait(struct session *s, uint64_t timeout_ns)
{
	struct epoll_event events[64];
	uint64_t now = monotonic_ns(), until = s->next_tick_ns, due;
	uint64_t timeout = timeout_ns ? now + timeout_ns : UINT64_MAX;
	int wake, n;

	for (;;) {
		if (s->end_ns && s->end_ns < until)
			until = s->end_ns;
		if (timeout < until)
			until = timeout;
		due = until > now ? until : now;
		n = epoll_wait(s->epoll, events, 64, until <= now ? 0 : (int)((until - now + 999999) / 1000000));
		if (n < 0 && errno != EINTR)
			die("epoll_wait: %s", strerror(errno));
		wake = 0;
		for (int i = 0; i < n; i++)
			wake |= handle(s, &events[i]);
		now = monotonic_ns();
		s->late_ns = now > due ? now - due : 0;
		wake |= check_time(s, now);
		if (wake || now >= timeout)
			return wake;
	}
}

void session_close(struct session *s)
{
	close(s->epoll);
	close(s->signals);
	/* Signals that came later are still pending: they stay blocked. */
	*s = (struct session){ 0 };
}

/* --- a timer that wakes a session every so often --- */

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
