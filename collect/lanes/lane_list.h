/* lane_list: quantities over time, whose values wait here to be recorded (core/format/recording.h: RECORDING_LANE).  A
 * value that does not change is kept only now and then. */
#ifndef COLLECT_LANES_LANE_LIST_H
#define COLLECT_LANES_LANE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/recording/event.h"
#include "core/intern.h"
#include "core/str.h"

enum { LANES_MAX = 4096 };

/* The number of a lane that found no room, whose values are not kept. */
#define LANE_NONE UINT32_MAX

struct lane {
	const char *unit; /* "bytes"; "-": none */
	uint64_t value, told_ns;
	int pid;     /* the process that the lane is about; -1: none */
	bool known;  /* it has a value */
	bool counts; /* each value is the number of events since the last value, so none is left out */
};

struct lane_value {
	uint64_t time_ns, value;
	uint32_t lane;
};

struct lane_list {           /* {0} is empty */
	struct intern names; /* by number */
	struct lane *lanes;
	size_t lane_cap;
	struct lane_value *values; /* those not yet written */
	size_t count, cap;
	uint64_t told, untracked; /* values so far; lanes that found no room */
};

/* The number of the lane with this name (frames separated by ';'); adds the lane if it is new.  unit must outlive l. */
uint32_t lane_find(struct lane_list *l, const char *name, const char *unit, int pid);

/* At time_ns, the lane has this value, in thousandths. */
void lane_set(struct lane_list *l, uint32_t lane, uint64_t time_ns, uint64_t thousandths);

/* The same, even if the lane already had this value, since it was measured at this time. */
void lane_set_exactly(struct lane_list *l, uint32_t lane, uint64_t time_ns, uint64_t thousandths);

/* Repeat the lane's value (0 if it has none) if it was not reported for a while: only events change it. */
void lane_repeat(struct lane_list *l, uint32_t lane, uint64_t time_ns);

/* Append the values that are not yet written as samples of event e, and forget them. */
void lane_list_write(struct lane_list *l, const struct event *e, struct str *out);

/* Append the section RECORDING_LANES. */
void lane_list_format(const struct lane_list *l, struct str *out);

void lane_list_free(struct lane_list *l);

#endif
