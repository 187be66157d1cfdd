/* flight_then: --then: a command of the user's for each recording that was written (flight.h). */
#ifndef COLLECT_RUN_FLIGHT_THEN_H
#define COLLECT_RUN_FLIGHT_THEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/machine/session.h"

enum { FLIGHT_THEN_MAX = 8 }; /* commands at a time: one that hangs is not to fill the machine */

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

/* Look for those that have ended, or wait for all of them. */
void flight_then_reap(struct flight_then *t, struct session *s, bool wait);

#endif
