/* number: counts and shares for human readers. */
#ifndef RENDER_NUMBER_H
#define RENDER_NUMBER_H

#include <stdint.h>

#include "core/amount.h"
#include "core/str.h"

/* How a profile's values are shown: "1,234 samples", "17.3 s". */
struct unit {
	const char *name;
	unsigned decimals; /* a value is in units of 10^-decimals */
	double factor;     /* the factor for shown values.  1: they are exact; else they are rounded to three digits,
			    * but never in the integer part */
};

/* Append value and the unit's name: "17.3 ms", "1 sample"; from 1,000 ns on by duration_add(): "23.1 s"; from 1,024
 * bytes on by size_add(): "17.3 MiB". */
void value_add(struct str *out, uint64_t value, const struct unit *unit);

/* The shown value: value times the factor, rounded to a whole number. */
uint64_t value_whole(uint64_t value, const struct unit *unit);

/* Append "1 thread", "1,234 threads". */
void plural_add(struct str *out, uint64_t n, const char *word);

/* value * mul / div, rounded down, without overflow in between; div > 0. */
uint64_t scale_u64(uint64_t value, uint64_t mul, uint64_t div);

/* The same, rounded up. */
uint64_t scale_up_u64(uint64_t value, uint64_t mul, uint64_t div);

/* The greatest common divisor; of 0 and n: n. */
uint64_t greatest_divisor(uint64_t a, uint64_t b);

#endif
