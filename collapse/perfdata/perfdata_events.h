/* perfdata_events: the events of a perf.data file; finds the event of a sample by its id. */
#ifndef COLLAPSE_PERFDATA_PERFDATA_EVENTS_H
#define COLLAPSE_PERFDATA_PERFDATA_EVENTS_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/perfdata.h"

/* The event of samples with this id, or NULL. */
struct recorded_event *perfdata_event(const struct perfdata *d, uint64_t id);

/* Add an event that is not in the file (collapse/sched/derived.h).  Valid until the next call. */
struct recorded_event *perfdata_add_derived(struct perfdata *d, const char *name);

/* The functions below are used while the file's headers are read. */

/* Add an event; bytes[0..len) is a perf_event_attr, whose length depends on the perf that wrote the
 * file.  Returns its number. */
size_t perfdata_add_event(struct perfdata *d, const uint8_t *bytes, size_t len);

/* Assign samples with this id to the event with this number. */
void perfdata_add_id(struct perfdata *d, uint64_t id, size_t event);

/* Set an event's name, which ends at a NUL, or after len bytes; an empty name is ignored. */
void perfdata_rename_event(struct recorded_event *event, const uint8_t *name, size_t len);

/* Call it once all events have names: sets the members that depend on names and attributes. */
void perfdata_complete_events(struct perfdata *d);

void perfdata_free_events(struct perfdata *d);

#endif
