/* flight_after: what is done with each recording that the flight recorder wrote: commands, and reports. */
#ifndef COLLECT_RUN_FLIGHT_AFTER_H
#define COLLECT_RUN_FLIGHT_AFTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/machine/session.h"

enum { FLIGHT_THEN_MAX = 8 }; /* maximum of commands at a time, which must not fill the machine if they hang */

/* --then: a command of the user's. */
struct flight_then {         /* {0}: there is none */
	const char *command; /* for the shell, with the recording as $1; NULL: none */
	struct flight_command {
		pid_t pid;
		int fd; /* a pidfd; -1: none */
		char *path;
	} list[FLIGHT_THEN_MAX];
	size_t count;
	uint64_t failed;
};

/* Run it for the recording at path. */
void flight_then_start(struct flight_then *t, struct session *s, const char *path);

/* Look for commands that have ended, or wait for all of them. */
void flight_then_reap(struct flight_then *t, struct session *s, bool wait);

/* --report: for NAME-TIME.data the directory NAME-TIME.  Drawing is the work of "pyrograph report --recording", a process
 * of its own at the lowest priority, one at a time; when it fails, nothing else does. */
struct flight_reports { /* {0} is none */
	char **waiting; /* [count] recordings, the oldest first */
	size_t count, cap;
	char *path; /* directory of the recording that is being drawn; NULL: none is */
	pid_t pid;
	int fd;                       /* a pidfd; -1: wait for the next tick instead */
	uint64_t drawn, failed, gone; /* gone: recordings were pruned before their turn */
};

/* Have a report drawn of the recording at path, which is complete. */
void flight_reports_add(struct flight_reports *r, const char *path);

/* If a report has been drawn, begin with the next one. */
void flight_reports_turn(struct flight_reports *r, struct session *s);

/* Wait until all reports are drawn, or until a signal comes, which leaves out the rest.  Says how many there were. */
void flight_reports_finish(struct flight_reports *r, struct session *s);

void flight_reports_free(struct flight_reports *r);

#endif
