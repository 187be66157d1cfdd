/* targets: the processes and threads that a collector looks at. */
#ifndef COLLECT_MACHINE_TARGETS_H
#define COLLECT_MACHINE_TARGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "collect/machine/procfs.h"
#include "core/opts.h"
#include "core/str.h"

/* As the options say it. */
struct selection {
	struct text_list pids, tids; /* "8513,8514" each */
	const char *name, *thread;   /* regular expressions; NULL: any */
};

struct target {
	pid_t pid, tid;
};

struct targets {                     /* {0} is none */
	struct target *list;         /* every thread to be watched */
	size_t count, cap;
	struct pids processes;       /* of these threads, each once */
};

/* Is anything selected at all? */
bool selection_given(const struct selection *s);

/* Check numbers and expressions: anything wrong is wrong usage. */
void selection_check(const struct selection *s);

/* Append it in words: "process 8513", "a process whose name matches ^java$". */
void selection_describe(const struct selection *s, struct str *out);

/* Find what s selects and lives now; our own process is not found by name.
 * Returns whether there is any.  With complain, tells what is missing. */
bool targets_find(struct targets *t, const struct selection *s, bool complain);

/* A file descriptor that becomes readable when the process, or the thread, ends;
 * -1 when it is gone.  A kernel before 6.9 watches a thread's process instead. */
int target_watch(pid_t id, bool thread);

void targets_free(struct targets *t);

#endif
