/* text_request: the results of parsing text, and how to fold them. */
#ifndef COLLAPSE_FOLD_TEXT_REQUEST_H
#define COLLAPSE_FOLD_TEXT_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/frames/java_style.h"
#include "collapse/roots/roots.h"
#include "collapse/frames/text_files.h"
#include "collapse/fold/text_stacks.h"

/* The results of the parsing threads. */
struct text_parsed {
	struct text_stacks *shards; /* [count] */
	size_t count;
	const struct text_setup *setup;
};

/* How to fold the results. */
struct text_request {
	struct perfdata *data; /* data and sideband get the events and threads of the labels, so that roots can use
			        * them, ... */
	struct sideband *sideband;
	struct roots *roots;       /* ... which points to both */
	bool annotate[TEXT_KINDS]; /* annotate frames of this kind */
	struct java_style java;
	bool strip_templates;
	bool no_stack;
	bool count_names;           /* set frames and nameless */
	enum text_files_when files; /* show those of frames that have one */
	bool default_roots;         /* no roots were asked for: a sample without a comm then has no root */
	const char *event;          /* the only event to use, or "all"; NULL: the first event, or all with root event */
	const char *events;         /* ... or else the first event of this list that occurs, "a,b"; NULL: any event */
	const char *states;         /* use only threads in these states, "runnable,blocked"; NULL or "all": any state */
	bool states_given;          /* by --state: each must occur */
	const char *event_unit;     /* set: the unit of the chosen event's periods, if the values are periods; else
				     * NULL */
	uint64_t from_ns, to_ns;    /* used with keep_times; to_ns is excluded */
	uint64_t first_ns, last_ns; /* set: of the samples that were used */
	uint64_t samples;           /* set: those used */
	struct str unit;            /* set: the unit of the wanted labels' values; empty: they have none, or several.
				     * The caller frees it, and ... */
	struct str units;           /* ... set: "ns, bytes" if they have several */
	uint64_t frames,
		nameless; /* set: distinct frames of the used samples; and those of them that are only an address */
	uint64_t untimed; /* set: sums without a time that are left out because of from_ns or to_ns */
};

#endif
