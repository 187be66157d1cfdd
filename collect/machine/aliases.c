#include "collect/machine/aliases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/machine/procfs.h"
#include "core/memory.h"

/* Read "NSpid: 8513 12": the ids of a process or thread, from our PID namespace to its own.  Returns the last id,
 * and how many there are; 0: the thread is gone. */
static int aliases_innermost(int pid, int tid, int *depth)
{
	struct str text = { 0 };
	const char *field;
	char path[64], *end;
	long number = 0;

	*depth = 0;
	snprintf(path, sizeof(path), "/proc/%d/task/%d/status", pid, tid);
	if (!read_whole(path, &text) && (field = strstr(str_text(&text), "\nNSpid:"))) {
		for (field += strlen("\nNSpid:"); *field == '\t'; field = end, ++*depth)
			number = strtol(field + 1, &end, 10);
	}
	str_free(&text);
	return (int)number;
}

static void read_aliases(struct aliases *a)
{
	struct pids tids = { 0 };
	int depth;

	pids_read_threads(&tids, a->pid);
	a->list = xgrow(a->list, &a->cap, tids.count + 1, sizeof(*a->list));
	a->count = 0;
	for (size_t i = 0; i < tids.count; i++) {
		int inner = aliases_innermost(a->pid, tids.list[i], &depth);

		if (inner)
			a->list[a->count++] = (struct alias){ inner, tids.list[i] };
	}
	pids_free(&tids);
}

void aliases_init(struct aliases *a, int pid)
{
	int depth;

	aliases_free(a);
	a->pid = pid;
	aliases_innermost(pid, pid, &depth);
	a->in_namespace = depth > 1;
}

int aliases_find(struct aliases *a, int tid, bool *fresh)
{
	if (!a->in_namespace)
		return tid;
	for (;;) {
		for (size_t i = 0; i < a->count; i++) {
			if (a->list[i].inner == tid)
				return a->list[i].outer;
		}
		if (*fresh)
			return 0;
		read_aliases(a);
		*fresh = true;
	}
}

void aliases_free(struct aliases *a)
{
	free(a->list);
	*a = (struct aliases){ 0 };
}
