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
	struct walker *walker; /* knows Java frames, if they were walked; NULL: none were */
};

/* Append "main;work;futex_wait_[k]": the frames of process pid's own stack, root first, without wakers. */
void live_stack_add(struct str *out, struct live_names *names, int pid, const uint64_t *chain, size_t count);

void live_names_free(struct live_names *names);

#endif
