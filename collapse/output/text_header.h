/* text_header: the comments of folded text that was made from text. */
#ifndef COLLAPSE_OUTPUT_TEXT_HEADER_H
#define COLLAPSE_OUTPUT_TEXT_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/roots/roots.h"
#include "collapse/perfdata/perfdata.h"
#include "core/str.h"

struct text_origin {
	const char *format; /* stands for the event if the text names none */
	const char *unit;
	const char *filter; /* options as given, or "" */
	const struct roots *roots;
	const struct perfdata *data; /* has the events that the text names */
	bool is_folded; /* the input is folded text: without a header, its event, times, roots and unit are not known */
	bool timed, is_wall_clock;
	bool spans;                 /* timed lines are spans of time */
	uint64_t first_ns, last_ns; /* of the kept samples; only if timed */
	bool cut;                   /* --from or --to is given */
	bool compared;              /* lines have two values: what is taken off, and what is added */
	uint64_t wrong;             /* malformed lines, which were left out */
	const char *losses;         /* other losses, "clipped calls 3", or "" */
};

/* Append the comments of the text.  This run's filters and losses are added to its header
 * (FOLDED_HEADER); if it has no header, a new one is written.  Of equal headers one is written. */
void text_header(struct str *out, const char *comments, const struct text_origin *o);

/* How many units the headers in comments name, which are appended to units: "ns, samples". */
size_t text_header_units(const char *comments, struct str *units);

#endif
