/* text_request: what was parsed from text, and how to fold it. */
#ifndef COLLAPSE_FOLD_TEXT_REQUEST_H
#define COLLAPSE_FOLD_TEXT_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/fold/roots.h"
#include "collapse/fold/text_stacks.h"

/* What the parsing threads have found. */
struct text_parsed {
	struct text_stacks *shards; /* [count] */
	size_t count;
	const struct text_setup *setup;
};

/* How to fold it. */
struct text_request {
	struct perfdata *data; /* these two get the events and threads of the labels, for roots, ... */
	struct sideband *sideband;
	struct roots *roots;       /* ... which points to them */
	bool annotate[TEXT_KINDS]; /* frames of this kind */
	bool no_stack;
	const char *event;          /* only this one, or "all"; NULL: the first if there are several,
			    * unless root event is chosen */
	uint64_t from_ns, to_ns;    /* with keep_times: to_ns is excluded */
	uint64_t first_ns, last_ns; /* set: of the samples that were used */
	uint64_t samples;           /* set: those used */
};

#endif
