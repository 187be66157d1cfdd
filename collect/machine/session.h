/* session: waits, on behalf of a collector, for data, time, signals and ends. */
#ifndef COLLECT_MACHINE_SESSION_H
#define COLLECT_MACHINE_SESSION_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why session_wait() returned. */
enum session_wake {
	SESSION_TICK = 1,   /* a second has passed */
	SESSION_DATA = 2,   /* something is to be read */
	SESSION_OVER = 4,   /* a signal, the time is up, nothing is left to watch */
};

struct session {
	int epoll, signals;
	sigset_t old_mask;      /* for a command that we start */
	uint64_t next_tick_ns;
	uint64_t end_ns;        /* CLOCK_MONOTONIC; 0: no end is set */
	size_t watched;         /* targets that live */
	bool signalled;
};

/* From here on SIGINT, SIGTERM and SIGHUP only end the session: SIGINT also when it was
 * ignored, as a shell starts what is in its background; SIGHUP not then, as by nohup.
 * What a command gets of them stays as it was.  Dies when the kernel refuses. */
void session_open(struct session *s);

/* Wake up with SESSION_DATA when fd has something to read. */
void session_add_data(struct session *s, int fd);

/* The session is over when all processes (pidfds) and all perf events of tasks
 * (which hang up) given here have ended.  The fds stay the caller's, open. */
void session_add_end(struct session *s, int pidfd);
void session_add_hangup(struct session *s, int fd);

/* End after so much time, counted from now. */
void session_set_duration(struct session *s, uint64_t ns);

/* Wait, at most timeout_ns (0: until something happens).  Returns enum
 * session_wake bits, 0 after the timeout. */
int session_wait(struct session *s, uint64_t timeout_ns);

void session_close(struct session *s);

#endif
