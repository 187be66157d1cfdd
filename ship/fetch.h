/* fetch: writes the data of a store as text of samples (core/format/samples.h); pyrograph collapse runs it, and passes
 * on its options. */
#ifndef SHIP_FETCH_H
#define SHIP_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "core/opts.h"
#include "ship/http.h"

/* What may be chosen by whose the samples are. */
enum fetch_owner { FETCH_CONTAINER, FETCH_POD, FETCH_NAMESPACE, FETCH_UNIT, FETCH_CGROUP, FETCH_OWNERS };

struct fetch {
	const char *from;               /* the store's address */
	const char *host, *service;     /* patterns (sql.h); NULL: all */
	const struct text_list *events; /* the last one given counts; none: the event that was recorded first; "all" */
	const char *root;               /* "host,thread": the frames at the root */
	const char *columns;            /* "time,count"; NULL: the event's first one */
	const char *since, *until;      /* times as for collapse --from and --to */
	const char *leaf;               /* like root: frames at the leaf; NULL: none */
	const char *waits, *state;      /* lists of words; NULL: all */
	const char *threads;            /* a regular expression for names of threads; NULL: all */
	const char *owners[FETCH_OWNERS]; /* the same for names of containers and the like */
	uint64_t min_ns, max_ns;          /* only single spans of this length; 0: no limit */
	struct text_list include; /* texts, one of which a line must contain; the reader of the lines checks all other
				   * conditions */
	uint64_t resolution_ns;   /* times are rounded down to multiples of this, and samples with the same time are
				   * added up; 0: they are not */
	bool which;               /* print the name of the event, and nothing else */
	bool sampled;             /* without events: the first event that does not consist of spans */
	bool no_idle;             /* leave out the idle threads of sched */
	bool timed, no_stack, kernel, jit, no_inlined, no_wakers;
};

/* For rows of a table of options: f is a struct fetch. */
#define FETCH_OPTIONS(f)                                                                                            \
	{ .name = "root", .arg = "LIST", .text = &(f).root }, { .name = "leaf", .arg = "LIST", .text = &(f).leaf }, \
		{ .name = "threads", .arg = "REGEXP", .text = &(f).threads },                                       \
		{ .name = "container", .arg = "REGEXP", .text = &(f).owners[FETCH_CONTAINER] },                     \
		{ .name = "pod", .arg = "REGEXP", .text = &(f).owners[FETCH_POD] },                                 \
		{ .name = "namespace", .arg = "REGEXP", .text = &(f).owners[FETCH_NAMESPACE] },                     \
		{ .name = "systemd-unit", .arg = "REGEXP", .text = &(f).owners[FETCH_UNIT] },                       \
		{ .name = "cgroup", .arg = "REGEXP", .text = &(f).owners[FETCH_CGROUP] },                           \
		{ .name = "min", .arg = "TIME", .ns = &(f).min_ns },                                                \
		{ .name = "max", .arg = "TIME", .ns = &(f).max_ns }, { .name = "sampled", .flag = &(f).sampled },   \
		{ .name = "columns", .arg = "LIST", .text = &(f).columns },                                         \
		{ .name = "since", .arg = "TIME", .text = &(f).since },                                             \
		{ .name = "until", .arg = "TIME", .text = &(f).until },                                             \
		{ .name = "waits", .arg = "LIST", .text = &(f).waits },                                             \
		{ .name = "state", .arg = "LIST", .text = &(f).state },                                             \
		{ .name = "having", .arg = "TEXT", .list = &(f).include },                                          \
		{ .name = "resolution", .arg = "TIME", .ns = &(f).resolution_ns },                                  \
		{ .name = "which", .flag = &(f).which }, { .name = "no-idle", .flag = &(f).no_idle },               \
		{ .name = "timed", .flag = &(f).timed }, { .name = "no-stack", .flag = &(f).no_stack },             \
		{ .name = "kernel", .flag = &(f).kernel }, { .name = "jit", .flag = &(f).jit },                     \
		{ .name = "no-inline", .flag = &(f).no_inlined },                                                   \
	{                                                                                                           \
		.name = "no-wakers", .flag = &(f).no_wakers                                                         \
	}

/* Print the lines.  Returns 0, or -1 after a message. */
int fetch_run(const struct fetch *f, const struct http_access *access);

#endif
