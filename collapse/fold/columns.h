/* columns: what a sample weighs: the values at the end of a line, one or several. */
#ifndef COLLAPSE_FOLD_COLUMNS_H
#define COLLAPSE_FOLD_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/sample.h"
#include "core/str.h"

enum column {
	COLUMN_SAMPLES,    /* how many samples */
	COLUMN_PERIOD,     /* the sum of their periods: what the event counts */
	COLUMN_TIME,       /* that of events which measure time, in ns */
	COLUMN_COUNT,      /* how many spans of time; samples, for other events */
	COLUMN_LONGEST,    /* the longest single span, in ns */
	COLUMN_BYTES,      /* that were allocated, ... */
	COLUMN_OBJECTS,    /* ... in so many objects */
	COLUMN_MIGRATIONS, /* how often a running thread came from another CPU */
	COLUMN_FRACTION,   /* of text: of the value of another column, so many COLUMN_ONEths */
};

/* 18 digits. */
#define COLUMN_ONE 1000000000000000000ull

enum { COLUMNS_MAX = 16 };

struct columns {
	enum column list[COLUMNS_MAX];
	size_t count;
	size_t fractions; /* so many of the last ones are fractions of the first ones; 0: all values are whole */
};

/* Parse "time,count,longest".  Exits 2 with the known names when there is another;
 * option names the option in the message. */
void columns_parse(struct columns *c, const char *list, const char *option);

/* Append the names, "time,count,longest"; fractions have none. */
void columns_names(const struct columns *c, struct str *out);

/* Has every sample of the event a value in each column?  If not, *lacking is one
 * that it has none in. */
bool columns_fit(const struct columns *c, const struct recorded_event *event, const char **lacking);

/* What the values of a column count, for samples of event (NULL: of several). */
const char *column_unit(enum column column, const struct recorded_event *event);

uint64_t column_value(enum column column, const struct recorded_sample *s);

/* Put two values of a column together. */
static inline uint64_t column_merge(enum column column, uint64_t a, uint64_t b)
{
	if (column == COLUMN_LONGEST)
		return a > b ? a : b;
	return a + b;
}

#endif
