/* events: what charts and messages say of each event that collectors record, one row each. */
#ifndef CORE_FORMAT_EVENTS_H
#define CORE_FORMAT_EVENTS_H

#include <stdbool.h>

struct event_row {
	const char *name;    /* as in a recording, and in the header of folded lines */
	const char *title;   /* what a graph of it is called: "Page-Fault" before "Flame Graph" */
	const char *palette; /* of flame graphs (render/colours/scheme.h) */
	const char *noun;    /* its spans, in messages: "waits" */
	const char *singly;  /* what of "pyrograph collect" records single spans */
	const char *tells;   /* what stays unknown if it is not recorded; NULL: other events tell it, too */
	bool has_no_cpu;     /* its spans are times in which threads had no CPU */
};

/* The row of an event; never NULL.  Events of other tools, several (a list), and NULL have a row without name, title
 * and tells. */
const struct event_row *event_row_of(const char *name);

/* The i-th of ours, from 0 on; NULL after the last one. */
const struct event_row *event_row_at(unsigned i);

#endif
