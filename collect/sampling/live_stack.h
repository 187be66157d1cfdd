/* live_stack: formats a call chain as text while its process lives. */
#ifndef COLLECT_SAMPLING_LIVE_STACK_H
#define COLLECT_SAMPLING_LIVE_STACK_H

#include <stddef.h>
#include <stdint.h>

#include "collect/sampling/walker.h"
#include "core/str.h"
#include "core/symbols/live.h"

struct live_names {       /* {0} is valid */
	struct live live; /* reads kallsyms once */
	int started;
	struct walker *walker; /* knows frames of Java and Python if stacks were walked; NULL: they were not */
};

/* Append "main;work;futex_wait_[k]": the frames of process pid's own stack, root first, without wakers. */
void live_stack_add(struct str *out, struct live_names *names, int pid, const uint64_t *chain, size_t count);

/* Append when monotonic time ns was: "2026-11-21T14:08:03.123456789Z". */
void live_time_add(struct str *out, uint64_t ns);

/* Append "db1 8513/8530": name, process and id of a thread. */
void live_thread_add(struct str *out, int pid, int tid);

void live_names_free(struct live_names *names);

#endif
