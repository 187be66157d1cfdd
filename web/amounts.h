/* amounts: human-readable quantities.  Each function appends to out. */
#ifndef WEB_AMOUNTS_H
#define WEB_AMOUNTS_H

#include <stdint.h>

#include "core/str.h"

/* A duration: "5.013 s", "147 ms", "2 h 03 min". */
void add_duration(struct str *out, uint64_t ns);

/* CPUs in use, given in thousandths: "1.25" */
void add_cpus(struct str *out, uint64_t milli);

/* A sum of values in their unit, as in the picture itself
 * (core/amount.h): "12,345 samples", "23.09 s", "1.2 MiB".  total is
 * decimal text; anything else is not shown. */
void add_total(struct str *out, const char *total, const char *unit);

/* A ratio such as "3/12345" as "3 of 12,345", with its share in percent. */
struct ratio {
	uint64_t part, whole;
};

/* Returns 0, or -1 when text is NULL or not a ratio. */
int ratio_parse(struct ratio *r, const char *text);

/* "3 of 12,345 (0.02 %)" */
void add_ratio(struct str *out, const struct ratio *r);

#endif
