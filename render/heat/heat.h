/* heat: timed folded lines as events on a time axis, for heat maps.
 *
 *     # pyrograph: host=db1 ... root=comm,thread,cpu rate=99Hz cpus=0-1 unit=samples
 *     # gap: start=1795342502.1 end=1795342502.2 cpu=1 lost=3 why=throttled
 *     @1795342502.014325678 java;java-8513/dw-20;cpu1;run;read 1
 *
 * An event is (time, stack, value).  Stacks are the distinct texts before the value.  Properties of
 * a stack (its thread, whether its CPU was idle, whether a regexp matches) are
 * computed once for each stack.  Memory: 12 bytes per event, 20 if values differ. */
#ifndef RENDER_HEAT_H
#define RENDER_HEAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/intern.h"
#include "core/regexp.h"
#include "render/lanes/lanes.h"
#include "render/profile/profile.h"
#include "render/profile/source.h"
#include "render/profile/strays.h"

enum { HEAT_NONE = UINT32_MAX };

/* A distinct stack. */
struct heat_stack {
	uint32_t text;      /* in heat.texts: all frames */
	uint32_t recording; /* in heat.recordings: equal stacks of two hosts are two stacks */
	uint32_t profile;   /* its stack in heat.profile */
	uint64_t events;    /* number of events */
	uint64_t value;     /* sum of their values */
	bool idle;          /* its CPU or its thread had nothing to do (render/profile/idle.h) */
};

/* The data of one header: a recording of one host. */
struct heat_recording {
	char *host;                  /* "" if unknown */
	const char *path;            /* the input that has the header */
	struct folded_source source; /* this header alone */
	uint64_t from_ns, to_ns;     /* observed time (from=, to=; else from the first to the last event) */
	bool from_open, to_open;     /* no from= or to=, so it also covers an unknown time before or after */
	double rate_hz;              /* samples per second and CPU; 0: not sampled at a rate */
	uint32_t *cpus;              /* sampled CPUs, ascending; empty: unknown */
	size_t cpu_count;
	char *clock_note; /* why its wall clock cannot be trusted (clock-error=), or NULL */
	int places[8];    /* [dimension] place of its frame in the lines; -1: the lines have no such frame */
};

/* A period of time that was not observed (core/format/folded.h, FOLDED_GAP). */
struct heat_gap {
	uint64_t start_ns, end_ns;
	uint32_t recording;
	int32_t cpu;   /* -1: all of them */
	uint64_t lost; /* number of events; 0: unknown */
	uint32_t why;  /* in heat.names: "lost", "throttled", "reader-late", ... */
};

/* A kind of frame at the root: thread, cpu, ... */
struct heat_dimension {
	char *name;       /* the name in the header: "thread"; if there are several hosts, "host" is always a
			   * dimension */
	uint32_t *key_of; /* [stack] index in keys; HEAT_NONE: the stack has no such frame */
	struct heat_key {
		uint32_t name;          /* in heat.names */
		uint64_t events, value; /* without idle stacks */
	} * keys;                       /* sorted by events, largest first, then by name */
	size_t key_count;
};

struct heat { /* {0} is empty */
	struct intern texts, names;
	struct heat_stack *stacks; /* after heat_finish(): by events, largest first, then by text */
	size_t stack_count;

	/* The events; after heat_finish() sorted by time, then by stack. */
	uint64_t *time_ns; /* since the epoch (if relative: by the kernel's clock) */
	uint32_t *stack;
	uint64_t *value; /* NULL: all are same_value */
	uint64_t same_value;
	size_t event_count;
	uint64_t idle_events; /* events of idle stacks */
	bool idle_of_threads; /* the idle stacks are sleep and waits for work, rather than idle CPUs */
	bool with_idle;       /* idle stacks count like all others, as it is unknown how many events are idle */
	unsigned decimals;    /* values are in units of 10^-decimals */
	bool spans;           /* values are the lengths of events, in ns (spans=start) */
	bool relative;        /* clock=monotonic: times are not of a wall clock */

	struct heat_recording *recordings;
	size_t recording_count;
	struct heat_gap *gaps; /* by start */
	size_t gap_count;
	struct heat_dimension *dimensions; /* in the order of the header */
	size_t dimension_count;

	struct folded_source source; /* all headers, joined */
	struct profile profile;      /* all events as one profile, which the picture contains */
	uint64_t lines, bad_lines, filtered_lines, untimed_lines;
	struct strays strays;         /* sum over all events, if some are left out */
	struct lanes lanes;           /* data of the lines "lane;...", if the filter takes them out */
	struct heat_reading *reading; /* from heat_read() to heat_finish() (heat_parts.h) */
};

struct heat_filter {               /* {0} takes every line */
	struct line_filter stacks; /* matches stacks, without time and value */
	uint64_t from_ns, to_ns;   /* only events in from_ns .. to_ns - 1; 0, 0: all */
	bool lanes;                /* lines "lane;..." are no events, but go to heat.lanes, whatever the filter */
};

/* Add the lines of path ("-" is stdin), which must live as long as h.  A bad line, or one without a time, is
 * skipped and counted, and the first few are reported.  Large files are read by one thread for each CPU.
 * Returns 0, or -1 after a message. */
int heat_read(struct heat *h, const char *path, const struct heat_filter *filter);

/* Call this after all input.  It leaves out strays, if no time is wanted and no header says which time was observed; it
 * sorts; it numbers the stacks; makes dimensions and the profile; and cuts events, gaps and recordings to the filter's
 * time. Returns 0, or -1 after a message (a sum that is too large). */
int heat_finish(struct heat *h, const struct heat_filter *filter);

/* The dimension called name; NULL if there is none. */
const struct heat_dimension *heat_dimension_find(const struct heat *h, const char *name);

/* Sort those of keys[count] of d whose names differ only in a number ("cpu0", "cpu12") by this number; others keep
 * their places. */
void heat_keys_order(const struct heat *h, const struct heat_dimension *d, uint32_t *keys, size_t count);

/* Make a dimension from regular expressions: the key of a stack is the first one that its text
 * matches; name and labels are copied.  Invalidates pointers to dimensions.  Returns its number. */
size_t heat_dimension_of_regexps(struct heat *h, const char *name, struct regexp *const *res, const char *const *labels,
				 size_t count);

/* The range of time of the recordings and the events (spans: up to their ends).  Returns false if there are
 * neither. */
bool heat_window(const struct heat *h, uint64_t *from_ns, uint64_t *to_ns);

/* Are the lines samples, taken at a rate? */
bool heat_is_sampled(const struct heat *h);

static inline uint64_t heat_value(const struct heat *h, size_t event)
{
	return h->value ? h->value[event] : h->same_value;
}

void heat_free(struct heat *h);

#endif
