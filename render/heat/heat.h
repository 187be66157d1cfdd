/* heat: timed folded lines as events on a time axis, for heat maps.
 *
 *     # pyrograph: host=db1 ... root=comm,thread,cpu rate=99Hz cpus=0-1 unit=samples
 *     # gap: start=1795342502.1 end=1795342502.2 cpu=1 lost=3 why=throttled
 *     @1795342502.014325678 java;java-8513/dw-20;cpu1;run;read 1
 *
 * An event is (time, stack, value).  Stacks are the distinct texts before the value; what
 * depends only on the stack (the thread, whether a CPU was idle, whether a regexp matches) is
 * computed once for each stack.  Memory: 12 bytes per event, 20 if values differ. */
#ifndef RENDER_HEAT_H
#define RENDER_HEAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/intern.h"
#include "core/regexp.h"
#include "render/profile/profile.h"
#include "render/profile/source.h"

enum { HEAT_NONE = UINT32_MAX };

/* A distinct stack. */
struct heat_stack {
	uint32_t text;      /* in heat.texts: all of its frames */
	uint32_t recording; /* in heat.recordings: stacks of two hosts are two stacks */
	uint32_t profile;   /* its stack in heat.profile */
	uint64_t events;    /* how many there are */
	uint64_t value;     /* their sum */
	bool idle;          /* of a CPU that had nothing to do (heat_stack_is_idle()) */
};

/* What one header says: of a recording, that is, of a host for some time. */
struct heat_recording {
	char *host;                  /* "" when it is not known */
	const char *path;            /* of the input that had it */
	struct folded_source source; /* this header alone */
	uint64_t from_ns, to_ns;     /* when it was recorded (from=, to=; else the first and the last event) */
	bool from_open, to_open;     /* ... else: it also covers an unknown time before, or after */
	double rate_hz;              /* samples per second and CPU; 0: not sampled at a rate */
	uint32_t *cpus;              /* that were sampled, ascending; empty: not known */
	size_t cpu_count;
	char *clock_note; /* why its wall clock cannot be trusted (clock-error=), or NULL */
	int places[8];    /* of dimensions, by number; -1: its lines have no such frame */
};

/* A period of time that was not seen (core/format/folded.h, FOLDED_GAP). */
struct heat_gap {
	uint64_t start_ns, end_ns;
	uint32_t recording;
	int32_t cpu;   /* -1: all of them */
	uint64_t lost; /* events; 0: nobody knows how many */
	uint32_t why;  /* in heat.names: "lost", "throttled", "reader-late", ... */
};

/* One of the frames at the root: thread, cpu, ... */
struct heat_dimension {
	char *name;       /* as the header has it: "thread"; "host" is always there when
			       * there are several hosts */
	uint32_t *key_of; /* [stack] in keys; HEAT_NONE: that stack has none */
	struct heat_key {
		uint32_t name;          /* in heat.names */
		uint64_t events, value; /* without those of idle stacks */
	} * keys;                       /* by falling events, then by name */
	size_t key_count;
};

struct heat { /* {0} is empty */
	struct intern texts, names;
	struct heat_stack *stacks; /* by falling events, then by text, after heat_finish() */
	size_t stack_count;

	/* The events, by time (equal times: by stack), after heat_finish(). */
	uint64_t *time_ns; /* since the epoch (relative: of the kernel's clock) */
	uint32_t *stack;
	uint64_t *value; /* NULL: every one is same_value */
	uint64_t same_value;
	size_t event_count;
	uint64_t idle_events; /* those of idle stacks */
	unsigned decimals;    /* values are in units of 10^-decimals */
	bool spans;           /* events last for their value, in ns (spans=start) */
	bool relative;        /* clock=monotonic: no wall clock is known */

	struct heat_recording *recordings;
	size_t recording_count;
	struct heat_gap *gaps; /* by start */
	size_t gap_count;
	struct heat_dimension *dimensions; /* in the order of the header */
	size_t dimension_count;

	struct folded_source source; /* all headers, joined */
	struct profile profile;      /* all events as one profile, which the picture contains */
	uint64_t lines, bad_lines, filtered_lines, untimed_lines;
	struct heat_reading *reading; /* from heat_read() to heat_finish() (heat_parts.h) */
};

struct heat_filter {                        /* {0} takes every line */
	struct regexp **include, **exclude; /* for stacks, without time and value */
	size_t include_count, exclude_count;
	uint64_t from_ns, to_ns; /* only events in from_ns .. to_ns - 1; 0, 0: all */
};

/* Add the lines of path ("-" is stdin), which must live as long as h.  A bad line, or one
 * without a time, is reported (the first few), skipped and counted.  Large files are read
 * by as many threads as there are CPUs.  Returns 0, or -1 after a message. */
int heat_read(struct heat *h, const char *path, const struct heat_filter *filter);

/* After all input: sort; number the stacks; make dimensions and the profile; cut events,
 * gaps and recordings to the filter's time.  Returns 0, or -1 after a message (a sum
 * that is too large). */
int heat_finish(struct heat *h, const struct heat_filter *filter);

/* Is stack[0..len) of a CPU in its idle loop?  Its thread is swapper (pid 0), or, if no root frame
 * names threads, it contains the loop; and the idle loop's functions do not call an interrupt,
 * softirq or other work. */
bool heat_stack_is_idle(const char *stack, size_t len, const struct heat_recording *r);

/* The dimension called name; NULL when there is no such. */
const struct heat_dimension *heat_dimension_find(const struct heat *h, const char *name);

/* Sort keys of d whose names differ only in a number ("cpu0", "cpu12") by this number; others stay. */
void heat_keys_order(const struct heat *h, const struct heat_dimension *d, uint32_t *keys, size_t count);

/* Make a dimension from regular expressions: the key of a stack is the first one that its text
 * matches; name and labels are copied.  Invalidates pointers to dimensions.  Returns its number. */
size_t heat_dimension_of_regexps(struct heat *h, const char *name, struct regexp *const *res, const char *const *labels,
				 size_t count);

/* The time in which events can be, from the recordings and the events (spans: up to their ends).
 * Returns false if there are neither. */
bool heat_window(const struct heat *h, uint64_t *from_ns, uint64_t *to_ns);

static inline uint64_t heat_value(const struct heat *h, size_t event)
{
	return h->value ? h->value[event] : h->same_value;
}

void heat_free(struct heat *h);

#endif
