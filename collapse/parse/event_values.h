/* event_values: samples with a value for each of several events, of which --event chooses one.
 *
 * The first event is the default.  The chosen event is the first one that has a sample, so values of others wait until
 * that is known.  Values of 0 are not samples. */
#ifndef COLLAPSE_PARSE_EVENT_VALUES_H
#define COLLAPSE_PARSE_EVENT_VALUES_H

#include "collapse/parse/span.h"

enum { EVENTS_MAX = 16 };

struct event_values {
	struct text_stacks *out;
	struct text_labels labels[EVENTS_MAX]; /* [count]; only event and unit are used */
	bool wanted[EVENTS_MAX];
	struct text_labels last;      /* the other labels of the last value, ... */
	uint32_t numbers[EVENTS_MAX]; /* ... and by event their number with them + 1; 0: not known */
	size_t count;
	bool begun; /* the first event has a sample */
	struct waiting_value *waiting;
	size_t waiting_count, waiting_cap;
};

/* Add an event; those after EVENTS_MAX are ignored.  An empty unit is not known. */
void event_values_name(struct event_values *e, struct text_span name, struct text_span unit);

/* Add a value of event i, with a stack and other labels. */
void event_values_add(struct event_values *e, size_t i, const struct text_value *value, uint32_t stack,
		      const struct text_labels *labels);

/* Call it at the end: adds what waits, frees e. */
void event_values_end(struct event_values *e);

#endif
