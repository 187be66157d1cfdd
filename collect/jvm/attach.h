/* attach: asks a HotSpot JVM what jcmd(1) would ask, through the socket that the JVM opens for this
 * (hotspot/os/linux/attachListener_linux.cpp), whatever its container or user.
 *
 *     connect /tmp/.java_pid7 --> "1\0" "jcmd\0" "Compiler.perfmap\0" "\0" "\0"
 *                             <-- "0\n" text, until it closes
 *
 * The JVM opens the socket when it gets SIGQUIT and the file /tmp/.attach_pid7 exists; without the file it prints all
 * its stacks, and without a handler it dies, so we send no signal that could be misunderstood.  The JVM talks only to
 * its own user, so a child of ours becomes that user, asks, and brings the answer, while we go on. */
#ifndef COLLECT_JVM_ATTACH_H
#define COLLECT_JVM_ATTACH_H

#include <sys/types.h>

#include "collect/jvm/jvm.h"
#include "core/str.h"

enum { ATTACH_MAX_ANSWER = 1 << 20 }; /* bytes */

struct attach { /* {0}: nothing was asked */
	pid_t child;
	int fd;          /* readable when there is news */
	struct str text; /* see attach_take() */
};

enum attach_state { ATTACH_WAITS, ATTACH_ANSWERED, ATTACH_FAILED };

/* Begin to ask the process, for example "jcmd" and "Compiler.perfmap".  Returns 0; -1 and *why (static) when the
 * process cannot be asked.  The answer, or a failure, is known after five seconds at most. */
int attach_begin(struct attach *a, int pid, const struct jvm *jvm, const char *command, const char *argument,
		 const char **why);

/* The present status, without waiting. a->text is the answer, or the reason why there is none. */
enum attach_state attach_take(struct attach *a);

/* Wait for the answer. */
enum attach_state attach_wait(struct attach *a);

/* Drop an unanswered question at once; leaves no file behind. */
void attach_end(struct attach *a);

#endif
