/* text_header: writes the comments of folded text that was made from text. */
#ifndef COLLAPSE_OUTPUT_TEXT_HEADER_H
#define COLLAPSE_OUTPUT_TEXT_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/roots/roots.h"
#include "collapse/perfdata/perfdata.h"
#include "core/str.h"

struct text_origin {
	const char *format; /* used as the event if the text names none */
	const char *unit;
	const char *filter; /* options as given, or "" */
	const struct roots *roots;
	const struct perfdata *data; /* has the events that the text names */
	bool is_folded; /* the input is folded text, so without a header its event, times, roots and unit are not
			 * known */
	bool timed, is_wall_clock;
	bool spans;                 /* timed lines are spans of time */
	uint64_t first_ns, last_ns; /* of the kept samples; only if timed */
	bool cut;                   /* --from or --to is given */
	bool compared;              /* lines have two values: the amount to take off, and the amount to add */
	uint64_t wrong;             /* malformed lines, which were left out */
	const char *losses;         /* other losses, "clipped calls 3", or "" */
};

/* Append the comments of the text.  The filters and losses of this run are added to the text's header (FOLDED_HEADER),
 * or to a new one if it has none.  Equal headers are written once. */
void text_header(struct str *out, const char *comments, const struct text_origin *o);

/* How many different units the headers in comments name; the units are appended to units: "ns, samples". */
size_t text_header_units(const char *comments, struct str *units);

#endif
