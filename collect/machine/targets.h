/* targets: the processes and threads to record. */
#ifndef COLLECT_MACHINE_TARGETS_H
#define COLLECT_MACHINE_TARGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "collect/machine/procfs.h"
#include "core/map.h"
#include "core/opts.h"
#include "core/str.h"

/* What the user selected by options. */
struct selection {
	struct text_list pids, tids; /* "8513,8514" each */
	const char *name, *thread;   /* regular expressions; NULL: any */
	bool children;               /* also the processes that those of `pids` have begun, and that these have begun */
	/* Is a process chosen by whose it is?  NULL: none is.  It gets `owners`, which describe() describes. */
	bool (*belongs)(const void *owners, pid_t pid);
	void (*describe)(const void *owners, struct str *out);
	const void *owners;
};

struct target {
	pid_t pid, tid;
};

struct targets {             /* {0}: there are no targets */
	struct target *list; /* all threads that must be watched */
	size_t count, cap;
	struct map known;           /* threads and processes that are there already */
	struct pids processes;      /* processes of these threads, without duplicates */
	const struct selection *of; /* that targets_find() was given last; NULL: none */
};

/* Is anything selected? */
bool selection_given(const struct selection *s);

/* Check numbers and expressions; errors are wrong usage. */
void selection_check(const struct selection *s);

/* Append a description: "process 8513", "a process whose name matches ^java$". */
void selection_describe(const struct selection *s, struct str *out);

/* Find the live processes and threads that s selects; our own process is not matched by name.  Returns false if
 * there are none.  With complain, reports what is missing.  s must live as long as t. */
bool targets_find(struct targets *t, const struct selection *s, bool complain);

/* A file descriptor that becomes readable when the process, or the thread, ends; -1 if it is gone.  Kernels before
 * 6.9 watch a thread's process instead. */
int target_watch(pid_t id, bool thread);

void targets_free(struct targets *t);

#endif
