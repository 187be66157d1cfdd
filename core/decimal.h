/* decimal: decimal numbers in text, read without rounding: "1834", "0.25", ".5", "1e3". */
#ifndef CORE_DECIMAL_H
#define CORE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* digits * 10^-decimals. */
struct decimal {
	uint64_t digits;
	int decimals;
};

/* Take a number >= 0 off the front of text[0..*len).  Decimals that do not fit into 64 bits are
 * dropped.  Returns false, with nothing taken, if there is no number or it is too large. */
bool decimal_read(const char **text, size_t *len, struct decimal *d);

/* d * 10^power as a whole number, rounded down.  Returns false if it is too large. */
bool decimal_scale(const struct decimal *d, int power, uint64_t *n);

/* The same, rounded to the nearest. */
bool decimal_round(const struct decimal *d, int power, uint64_t *n);

/* The part of d after the point, in units of 10^-18, rounded down. */
uint64_t decimal_fraction(const struct decimal *d);

#endif
