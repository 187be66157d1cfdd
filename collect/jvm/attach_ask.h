/* attach_ask: the part of attach.h that runs in a process of its own, the child. */
#ifndef COLLECT_JVM_ATTACH_ASK_H
#define COLLECT_JVM_ATTACH_ASK_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/str.h"

/* Whom to ask, and as whom. */
struct attach_target {
	int pid, own_pid; /* the JVM's pid as we see it, and as it sees itself */
	uid_t uid;
	gid_t gid;
	char state;          /* 'T': stopped; from /proc/PID/status */
	bool catches_quit;   /* SIGQUIT has a handler */
	bool may_signal;     /* ... which is HotSpot's, and takes the signal as our question */
	int tmp, cwd, pidfd; /* the JVM's /tmp, its working directory (or -1), its process */
};

/* Become the JVM's user, ask the JVM, append the answer.  All signals are blocked; SIGTERM ends the function soon.
 * Returns NULL, or the reason why there is no answer. */
const char *attach_ask(const struct attach_target *t, const char *command, const char *argument, struct str *answer);

#endif
