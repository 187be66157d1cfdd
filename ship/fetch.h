/* fetch: what a store has, as text of samples (core/format/samples.h); pyrograph collapse runs it for its options. */
#ifndef SHIP_FETCH_H
#define SHIP_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "core/opts.h"
#include "ship/http.h"

struct fetch {
	const char *from;               /* the store's address */
	const char *host, *service;     /* patterns (sql.h); NULL: all */
	const struct text_list *events; /* the last counts; none: the first one that was recorded; "all" */
	const char *root;               /* "host,thread": the frames at the root */
	const char *columns;            /* "time,count"; NULL: the event's first one */
	const char *since, *until;      /* times as for collapse --from and --to */
	const char *waits, *state;      /* lists of words; NULL: all */
	struct text_list include; /* texts of which one must be in a line; the rest is left to who reads the lines */
	uint64_t resolution_ns;   /* times are rounded down to multiples, and samples of one time are one; 0: not */
	bool which;               /* print the name of the event, and nothing else */
	bool no_idle;             /* leave out the idle threads of sched */
	bool timed, no_stack, kernel, jit, no_inlined, no_wakers;
};

/* For a table of options: f is a struct fetch. */
#define FETCH_OPTIONS(f)                                                                                \
	{ .name = "root", .arg = "LIST", .text = &(f).root },                                           \
		{ .name = "columns", .arg = "LIST", .text = &(f).columns },                             \
		{ .name = "since", .arg = "TIME", .text = &(f).since },                                 \
		{ .name = "until", .arg = "TIME", .text = &(f).until },                                 \
		{ .name = "waits", .arg = "LIST", .text = &(f).waits },                                 \
		{ .name = "state", .arg = "LIST", .text = &(f).state },                                 \
		{ .name = "having", .arg = "TEXT", .list = &(f).include },                              \
		{ .name = "resolution", .arg = "TIME", .ns = &(f).resolution_ns },                      \
		{ .name = "which", .flag = &(f).which }, { .name = "no-idle", .flag = &(f).no_idle },   \
		{ .name = "timed", .flag = &(f).timed }, { .name = "no-stack", .flag = &(f).no_stack }, \
		{ .name = "kernel", .flag = &(f).kernel }, { .name = "jit", .flag = &(f).jit },         \
		{ .name = "no-inline", .flag = &(f).no_inlined },                                       \
	{                                                                                               \
		.name = "no-wakers", .flag = &(f).no_wakers                                             \
	}

/* Print the lines.  Returns 0, or -1 after a message. */
int fetch_run(const struct fetch *f, const struct http_access *access);

#endif
