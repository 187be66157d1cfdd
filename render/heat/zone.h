/* zone: time zones. */
#ifndef RENDER_HEAT_ZONE_H
#define RENDER_HEAT_ZONE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/str.h"

struct zone {
	char name[64];     /* "UTC", "local", "Europe/Berlin" */
	char label[32];    /* text on the axis: "UTC", "CET", "UTC+05:30" */
	int64_t offset_ns; /* offset from UTC at the window's beginning; used for the whole window */
	bool changes;      /* the zone has another offset at the window's end */
};

/* Find the zone called name: UTC, local, a name of the zone database, or +05:30.  Returns
 * false if it is unknown. */
bool zone_find(struct zone *z, const char *name, uint64_t from_ns, uint64_t to_ns);

/* Append the time of day at epoch_ns in z, with this many decimals; -1: without seconds. */
void zone_clock_add(struct str *out, const struct zone *z, uint64_t epoch_ns, int digits);

/* Append "2026-11-21". */
void zone_date_add(struct str *out, const struct zone *z, uint64_t epoch_ns);

#endif
