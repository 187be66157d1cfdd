/* columns: the values of a sample, one or more, at the end of a line. */
#ifndef COLLAPSE_FRAMES_COLUMNS_H
#define COLLAPSE_FRAMES_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/sample.h"
#include "core/str.h"

enum column {
	COLUMN_SAMPLES,    /* how many samples */
	COLUMN_PERIOD,     /* the sum of the samples' periods, in the unit of the event */
	COLUMN_TIME,       /* the time, in ns, for events that measure time */
	COLUMN_COUNT,      /* the number of spans of time; for other events, of samples */
	COLUMN_LONGEST,    /* the longest single span, in ns */
	COLUMN_BYTES,      /* how many bytes were allocated, read or written, ... */
	COLUMN_OBJECTS,    /* ... in how many objects */
	COLUMN_MIGRATIONS, /* how often a thread began to run on another CPU than before */
	COLUMN_LATENCY,    /* the period divided by the number of threads that ran (collapse/fold/gather.h) */
	COLUMN_CPU,        /* of processes: time of all their threads on CPUs, in ns */
	COLUMN_PEAK,       /* ... and the most memory that one of them had, in bytes */
	COLUMN_LANE,       /* the value of a quantity, in whole units; the next column has its fraction */
	COLUMN_FRACTION, /* text and quantities only: the fraction of another column's value, in units of 1/COLUMN_ONE */
};

/* 18 digits. */
#define COLUMN_ONE 1000000000000000000ull

enum { COLUMNS_MAX = 16 };

struct columns {
	enum column list[COLUMNS_MAX];
	size_t count;
	size_t fractions; /* how many of the last columns hold fractions of the first ones; 0: all values are whole */
};

/* Parse "time,count,longest".  If a name is unknown, exits 2 and lists the known ones;
 * option names the option in the message. */
void columns_parse(struct columns *c, const char *list, const char *option);

/* The columns of quantities over time: a value with its fraction. */
void columns_of_lanes(struct columns *c);

/* Is it one of them? */
bool columns_have(const struct columns *c, enum column column);

/* Append the names, "time,count,longest"; fractions have none. */
void columns_names(const struct columns *c, struct str *out);

/* Append the values of all columns, each after mark: " 17 3.25".  more has those after the first, fractions
 * included. */
void columns_add_values(const struct columns *c, uint64_t first, const uint64_t *more, char mark, struct str *out);

/* Does every sample of the event have a value in each column?  If not, *lacking is set to a column that some samples
 * lack. */
bool columns_fit(const struct columns *c, const struct recorded_event *event, const char **lacking);

/* The unit of a column's values for samples of event (NULL: of several events). */
const char *column_unit(enum column column, const struct recorded_event *event);

/* The value of a sample; of COLUMN_LATENCY, the whole period. */
uint64_t column_value(enum column column, const struct recorded_sample *s);

/* A sum that does not fit becomes COLUMN_MOST, which is too small, but not tiny like a sum that wrapped around. */
#define COLUMN_MOST UINT64_MAX

static inline uint64_t column_sum(uint64_t a, uint64_t b)
{
	return a + b < a ? COLUMN_MOST : a + b;
}

/* Merge two values of a column. */
static inline uint64_t column_merge(enum column column, uint64_t a, uint64_t b)
{
	if (column == COLUMN_LONGEST || column == COLUMN_PEAK)
		return a > b ? a : b;
	return column_sum(a, b);
}

/* Carry the whole units in *fraction: add them to value, and return the sum. */
static inline uint64_t column_carry(uint64_t value, uint64_t *fraction)
{
	uint64_t units = *fraction / COLUMN_ONE;

	*fraction %= COLUMN_ONE;
	return column_sum(value, units);
}

/* Warn that the values of so many lines are COLUMN_MOST; nothing if lines is 0. */
void columns_tell_most(uint64_t lines);

#endif
