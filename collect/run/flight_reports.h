/* flight_reports: draws reports of the flight recorder's recordings, --report: for NAME-TIME.data the directory NAME-TIME.
 * That is the work of "pyrograph report --recording", a process of its own at the lowest priority, one at a time; when it
 * fails, nothing else does. */
#ifndef COLLECT_RUN_FLIGHT_REPORTS_H
#define COLLECT_RUN_FLIGHT_REPORTS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/machine/session.h"

struct flight_reports { /* {0} is none */
	char **waiting; /* [count] recordings, the oldest first */
	size_t count, cap;
	char *path; /* of the recording that is being drawn; NULL: none is */
	pid_t pid;
	int fd;                       /* a pidfd; -1: the next tick must do */
	uint64_t drawn, failed, gone; /* gone: recordings were pruned before their turn */
};

/* The recording at path was written: have it drawn. */
void flight_reports_add(struct flight_reports *r, const char *path);

/* Has one been drawn?  Begin with the next. */
void flight_reports_turn(struct flight_reports *r, struct session *s);

/* Wait until all are drawn, or until a signal comes: then the rest is left out.  Says how many there were. */
void flight_reports_finish(struct flight_reports *r, struct session *s);

void flight_reports_free(struct flight_reports *r);

#endif
