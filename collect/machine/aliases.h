/* aliases: our thread ids for those of a process in another PID namespace, as in a container. */
#ifndef COLLECT_MACHINE_ALIASES_H
#define COLLECT_MACHINE_ALIASES_H

#include <stdbool.h>
#include <stddef.h>

struct aliases { /* {0} is valid and empty */
	int pid;
	bool in_namespace;
	struct alias {
		int inner, outer;
	} * list; /* [count] */
	size_t count, cap;
};

void aliases_init(struct aliases *a, int pid);

/* Our id for the thread that its process calls tid; 0: there is none.  *fresh: the ids of all threads were read a
 * moment ago, and are not read again. */
int aliases_find(struct aliases *a, int tid, bool *fresh);

void aliases_free(struct aliases *a);

#endif
