/* perfdata_events: the events of a perf.data file, and whose a sample is, by its id. */
#ifndef COLLAPSE_PERFDATA_PERFDATA_EVENTS_H
#define COLLAPSE_PERFDATA_PERFDATA_EVENTS_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/perfdata.h"

/* The event that a sample with this id belongs to, or NULL. */
struct recorded_event *perfdata_event(const struct perfdata *d, uint64_t id);

/* Add an event that is none of the file's (collapse/sched/derived.h).  Valid until the next. */
struct recorded_event *perfdata_add_derived(struct perfdata *d, const char *name);

/* While the file's headers are read: */

/* Add an event; bytes[0..len) is a perf_event_attr of whatever perf wrote the file.  Returns its
 * number. */
size_t perfdata_add_event(struct perfdata *d, const uint8_t *bytes, size_t len);

/* Samples with this id are the event's of that number. */
void perfdata_add_id(struct perfdata *d, uint64_t id, size_t event);

/* name: up to len bytes, up to a NUL; an empty one changes nothing. */
void perfdata_rename_event(struct recorded_event *event, const uint8_t *name, size_t len);

/* All events have their names: work out what else is known of them. */
void perfdata_complete_events(struct perfdata *d);

void perfdata_free_events(struct perfdata *d);

#endif
