/* recording: the events of a recording, and their samples, read by pyrograph-collapse in a process of its own. */
#ifndef SHIP_RECORDING_H
#define SHIP_RECORDING_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/opts.h"
#include "ship/stream.h"

/* pyrograph-collapse as another process, whose output is read. */
struct child {
	pid_t pid;
	int out; /* read here: its stdout */
};

/* Start pyrograph-collapse, the one beside this program, with argv, whose first element is replaced.  Returns 0, or -1
 * after a message. */
int child_start(struct child *c, const char **argv);

/* Close its output, and wait for its end.  Returns its exit status; 128 or more: a signal ended it. */
int child_end(struct child *c);

/* Which events of a recording. */
struct recording_choice {
	const struct text_list *events; /* empty: all */
	bool may_be_empty;              /* it is not an error if it has no samples of these */
};

/* Run s over each event of the recording path that is wanted.  s is set except for the members about the event.
 * Returns 0, or -1 after a message. */
int recording_each(const char *path, const struct recording_choice *choice, struct stream *s);

/* Call take for each event that is wanted, until it returns other than 0, which is then returned; -1 after a
 * message. */
int recording_events(const char *path, const struct recording_choice *choice,
		     int (*take)(void *argument, const char *path, const char *event), void *argument);

#endif
