/* child: pyrograph-collapse as another process, whose output is read. */
#ifndef SHIP_CHILD_H
#define SHIP_CHILD_H

#include <sys/types.h>

struct child {
	pid_t pid;
	int out; /* read here: its stdout */
};

/* Start pyrograph-collapse, the one beside this program, with argv, whose first element is replaced.  Returns 0, or -1
 * after a message. */
int child_start(struct child *c, const char **argv);

/* Close its output, and wait for its end.  Returns its exit status; 128 or more: a signal ended it. */
int child_end(struct child *c);

#endif
