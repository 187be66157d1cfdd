/* events: each event that collectors record, and what options, charts and messages need to know about it, one row
 * each. */
#ifndef CORE_FORMAT_EVENTS_H
#define CORE_FORMAT_EVENTS_H

#include <stdbool.h>

enum event_kind {
	EVENT_SAMPLES,     /* events of other tools */
	EVENT_SPANS,       /* times of threads or CPUs, in ns */
	EVENT_ALLOCATIONS, /* bytes */
	EVENT_VALUES,      /* quantities over time, of no thread */
	EVENT_PROCESSES,   /* times of processes */
	EVENT_WINDOWS,     /* times that limit those of other events */
};

struct event_row {
	enum event_kind kind;       /* what its samples are */
	const char *name;           /* the name in a recording, and in the header of folded lines */
	const char *source;         /* the collector that records it */
	const char *title;          /* what graphs of the event are called: "Page-Fault" before "Flame Graph" */
	const char *palette;        /* of flame graphs (render/colours/scheme.h) */
	const char *noun;           /* its spans, in messages: "waits" */
	const char *singly;         /* what of "pyrograph collect" records single spans */
	const char *when;           /* the word in collect --when WORD>TIME; NULL: the event cannot be a condition */
	const char *when_throttled; /* ... its word for the spans in RECORDING_THROTTLED, to which `when` does not
				     * apply; NULL: `when` applies to all */
	const char *detail;         /* --when WORD:DETAIL>TIME: what the detail names; NULL: there are no details */
	const char *tells; /* what remains unknown if the event is not recorded; NULL: other events tell it, too */
	const char
		*most; /* said of the thread that has most of the event, "waited for locks most"; NULL: no chart begins
		        * with that */
	bool most_is_work;   /* ... but `most` does not count time in which threads sleep or wait for work */
	bool has_no_cpu;     /* the event's spans are times in which threads had no CPU */
	bool has_wakers;     /* who ended a span is known */
	const char *untaken; /* its spans that were counted and timed, but got no stack: "calls"; NULL: as `noun` */
};

/* The row of an event; never NULL.  Events of other tools, lists of several events, and NULL get a row like that of
 * cpu's samples, but its members name, title, when and tells are empty. */
const struct event_row *event_row_of(const char *name);

/* What such spans are called. */
const char *event_untaken_noun(const struct event_row *row);

/* The frame that stands for the stacks of spans that were counted and timed, but got none: "[short waits]", or, if they
 * were long, "[waits without a stack]". */
struct event_untaken {
	char text[48];
};
struct event_untaken event_untaken(const struct event_row *row, bool is_long);

/* The i-th row of our own events, from 0 on; NULL after the last one. */
const struct event_row *event_row_at(unsigned i);

#endif
