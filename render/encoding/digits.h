/* digits: numbers as text that needs no escaping in an SVG.  A number is groups of five bits, the lowest first,
 * one character each; all but the last have 32 added. */
#ifndef RENDER_DIGITS_H
#define RENDER_DIGITS_H

#include <stdbool.h>
#include <stdint.h>

enum {
	FIRST_DIGIT = 63, /* '?' */
	LAST_DIGIT = 126,
	NUMBER_BYTES = 13, /* the longest number */
};

/* The text that is still to be read. */
struct digits {
	const char *at, *end;
	bool bad; /* set once something was found that is not a number */
};

/* Write n at `at`, which has room for NUMBER_BYTES; returns the end. */
static inline char *digits_put(char *at, uint64_t n)
{
	for (; n >= 32; n >>= 5)
		*at++ = (char)(FIRST_DIGIT + 32 + (n & 31));
	*at++ = (char)(FIRST_DIGIT + n);
	return at;
}

/* The next number; if there is none that fits in 64 bits, returns 0 and sets in->bad. */
static inline uint64_t digits_take(struct digits *in)
{
	uint64_t n = 0, group;
	unsigned shift = 0;

	do {
		if (in->at == in->end || *in->at < FIRST_DIGIT || *in->at > LAST_DIGIT || shift > 60) {
			in->bad = true;
			return 0;
		}
		group = (uint64_t)(*in->at++ - FIRST_DIGIT);
		if (shift == 60 && (group & 31) > 15)
			in->bad = true;
		n |= (group & 31) << shift;
		shift += 5;
	} while (group & 32);
	return n;
}

#endif
