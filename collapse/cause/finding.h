/* finding: one thing that went wrong in the time of a recording, with the thread and the function that did it. */
#ifndef COLLAPSE_CAUSE_FINDING_H
#define COLLAPSE_CAUSE_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/cause/follow.h"
#include "collapse/cause/frames.h"
#include "collapse/cause/history.h"

enum finding_kind {
	FINDING_RAN,    /* threads waited for one that ran */
	FINDING_SLEPT,  /* ... that slept */
	FINDING_IO,     /* ... that waited for a device; or they did so themselves */
	FINDING_NO_CPU, /* ... that waited for a CPU */
	FINDING_STOLEN, /* threads waited for a CPU that another process had: guilty is one of its threads */
	FINDING_PINNED, /* ... that one of their own process had, while another CPU was idle */
	FINDING_CROWD,  /* ... and no CPU was idle */
	FINDING_HOT,    /* a thread spent its time in one function */
	FINDING_WAKER,  /* a thread woke others all the time */
	FINDING_KINDS,
};

enum { FINDING_VICTIMS = 4 };

struct finding_victim {
	uint32_t thread;
	uint64_t ns;
};

struct finding {
	enum finding_kind kind;
	enum wait_kind wait;             /* for what the victims waited */
	uint32_t guilty;                 /* number of the thread */
	uint32_t by;                     /* FINDING_NO_CPU: who had the CPU that it wanted; else HISTORY_NONE */
	struct frames_function function; /* of the guilty one, or of by */
	struct frames_function site;     /* where the victims waited */
	uint64_t count, total_ns, longest_ns, longest_at_ns; /* of the waits; wall clock */
	struct finding_victim victims[FINDING_VICTIMS];      /* the longest first */
	size_t victim_count;                                 /* all of them, named or not */
	bool others;                                         /* victims of several processes */
	struct cause longest;                                /* of the longest wait: its path, ... */
	uint32_t longest_victim;                             /* ... and whose it was */
	double score;
};

#endif
