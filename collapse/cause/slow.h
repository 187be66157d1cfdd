/* slow: slow events that were recorded one by one, with their details: page faults, system calls, requests to block
 * devices, waits for locks. */
#ifndef COLLAPSE_CAUSE_SLOW_H
#define COLLAPSE_CAUSE_SLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/sample.h"

enum slow_kind { SLOW_FAULT, SLOW_CALL, SLOW_REQUEST, SLOW_LOCK, SLOW_KINDS };

struct slow_thing {
	enum slow_kind kind;
	uint64_t begin_ns, end_ns; /* wall clock */
	uint32_t thread;           /* number in struct history */
	uint32_t stack;            /* number in struct stacks */
	int what;                  /* enum recording_fault, a number in RECORDING_SYSCALLS, enum recording_io, or
				    * enum recording_lock */
	unsigned error;            /* errno of a call; 0: none */
	int device;                /* number in RECORDING_DEVICES; -1: none */
	uint32_t other;            /* thread that had the lock, or that wrote the data being written; HISTORY_NONE: not
				    * known */
	int64_t file, offset;      /* number in RECORDING_FILES, and where in the file; -1: none */
	uint64_t parts[RECORDING_REASON_COUNT];
	bool unasked; /* as in struct history_span */
};

struct slow { /* {0} is valid and empty */
	struct slow_thing *items;
	size_t count, cap;
	uint64_t summed; /* how many shorter ones are known only as sums */
};

/* Does this list hold samples of this kind? */
bool slow_wants(const struct recorded_sample *s);

/* Add a sample that began at begin_ns, wall clock; thread and other are as in struct slow_thing. */
void slow_add(struct slow *all, const struct recorded_sample *s, uint64_t begin_ns, uint32_t thread, uint32_t other,
	      uint32_t stack);

/* Sort them by thread and start time; of those that begin together, the longer one comes first. */
void slow_sort(struct slow *all);

static inline uint64_t slow_length(const struct slow_thing *t)
{
	return t->end_ns - t->begin_ns;
}

/* What it spent most of its time on: enum recording_reason. */
unsigned slow_main_reason(const struct slow_thing *t);

void slow_free(struct slow *all);

#endif
