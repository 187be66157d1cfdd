/* event_values: samples with a value for each of several events, of which --event chooses one.
 *
 * The first event is the default.  Without --event, the first event that has a sample is chosen, so values of other
 * events wait until that is known.  Values of 0 are not samples. */
#ifndef COLLAPSE_PARSE_EVENT_VALUES_H
#define COLLAPSE_PARSE_EVENT_VALUES_H

#include "collapse/parse/span.h"

enum { EVENTS_MAX = 16 };

struct event_values {
	struct text_stacks *out;
	struct text_labels labels[EVENTS_MAX]; /* [count]; only event and unit are used */
	bool wanted[EVENTS_MAX];
	struct text_labels last;      /* the labels of the last value, apart from event and unit, ... */
	uint32_t numbers[EVENTS_MAX]; /* ... and by event: the number of these labels with that event, + 1; 0: not
				       * known */
	size_t count;
	bool begun; /* the first event has a sample */
	struct waiting_value *waiting;
	size_t waiting_count, waiting_cap;
};

/* Add an event; events after EVENTS_MAX are ignored.  An empty unit stands for an unknown one. */
void event_values_name(struct event_values *e, struct text_span name, struct text_span unit);

/* Add a value of event i, with a stack and other labels. */
void event_values_add(struct event_values *e, size_t i, const struct text_value *value, uint32_t stack,
		      const struct text_labels *labels);

/* Call this at the end: it adds the values that wait, and frees e. */
void event_values_end(struct event_values *e);

#endif
