/* events: what charts and messages say of an event of ours, one row each: all other code that must tell one event from another
 * asks its row. */
#ifndef CORE_FORMAT_EVENTS_H
#define CORE_FORMAT_EVENTS_H

#include <stdbool.h>

struct event_row {
	const char *name;    /* as in a recording, and in the header of folded lines */
	const char *title;   /* what a graph of it is called: "Page-Fault" before "Flame Graph" */
	const char *palette; /* of flame graphs (render/colours/scheme.h) */
	const char *noun;    /* its spans, in messages: "waits" */
	const char *singly;  /* what of "pyrograph collect" records single spans */
	const char *tells;   /* what nobody knows who has not recorded it; NULL: something that others tell, too */
	bool has_no_cpu;     /* its spans are times in which threads had no CPU */
};

/* The row of an event.  For one of others, or several (NULL, or a list), a row without title and tells. */
const struct event_row *event_row_of(const char *name);

/* The i-th of ours, from 0 on; NULL after the last one. */
const struct event_row *event_row_at(unsigned i);

#endif
