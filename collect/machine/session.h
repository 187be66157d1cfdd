/* session: waits for data, timers, signals and the end of targets. */
#ifndef COLLECT_MACHINE_SESSION_H
#define COLLECT_MACHINE_SESSION_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Why session_wait() returned. */
enum session_wake {
	SESSION_TICK = 1,  /* a second has passed */
	SESSION_DATA = 2,  /* there is something to read */
	SESSION_OVER = 4,  /* a signal came, the time is up, or nothing is left to watch */
	SESSION_ASKED = 8, /* SIGUSR1 came */
};

struct session {
	int epoll, signals;
	sigset_t mask;     /* the signals that we hear of */
	sigset_t old_mask; /* signal mask for a command that we start */
	uint64_t tick_ns;  /* between ticks; 0: a second */
	uint64_t next_tick_ns;
	uint64_t end_ns;  /* CLOCK_MONOTONIC; 0: no end is set */
	uint64_t late_ns; /* how late the last wait ended, because we were stopped or had no CPU */
	size_t watched;   /* number of targets that still live */
	bool (*more)(void *argument);
	void *more_of;
	bool signalled;
};

/* From now on SIGINT, SIGTERM and SIGHUP only end the session.  SIGINT does so even if it was ignored, as shells set it
 * for background jobs; SIGHUP does not if it was ignored, as nohup sets it.  A command gets the original settings.
 * Dies if the kernel refuses. */
void session_open(struct session *s);

/* From now on SIGUSR1 wakes us with SESSION_ASKED.  Call this before any thread is started, since threads must not
 * receive the signal. */
void session_hear_users(struct session *s);

/* Wake up with SESSION_DATA when fd has something to read. */
void session_add_data(struct session *s, int fd);

/* Wake up with SESSION_DATA when a child ends.  Returns a pidfd for session_close_data(); -1: there is none, and the
 * child's end does not wake us. */
int session_add_child(struct session *s, pid_t pid);

/* Close such an fd; -1: do nothing.  close() alone does not stop the wakeups while a child also has the descriptor:
 * epoll(7). */
void session_close_data(struct session *s, int fd);

/* End the session when all processes (pidfds) and perf events of tasks (which hang up) given here have ended.  The fds
 * stay open, and remain the caller's. */
void session_add_end(struct session *s, int pidfd);
void session_add_hangup(struct session *s, int fd);

/* When all of these have ended, call more(), which may add further ones, and returns whether it did. */
void session_find_more(struct session *s, bool (*more)(void *argument), void *argument);

/* End the session ns nanoseconds from now. */
void session_set_duration(struct session *s, uint64_t ns);

/* Wait, at most timeout_ns (0: until something happens).  Returns enum
 * session_wake bits, 0 after the timeout. */
int session_wait(struct session *s, uint64_t timeout_ns);

void session_close(struct session *s);

/* --- a timer that wakes a session every so often --- */

/* A timer is a file descriptor, -1 before it is started.  From now on the session wakes with SESSION_DATA every ns
 * nanoseconds.  Returns 0, or -1 after a message. */
int timer_start(int *timer, struct session *session, uint64_t ns);

/* Has it expired since the last call? */
bool timer_is_due(int timer);

void timer_stop(int *timer);

#endif
