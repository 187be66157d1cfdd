/* text_value: a value in text, with its fraction. */
#ifndef COLLAPSE_TEXT_VALUE_H
#define COLLAPSE_TEXT_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "collapse/frames/columns.h"

/* whole + fraction / COLUMN_ONE (columns.h) */
struct text_value {
	uint64_t whole, fraction;
};

/* Set in the fraction of a sample's only value if the value is to be taken off the stack's sum. */
#define TEXT_MINUS (1ull << 63)

/* A whole number of a sample, which may be negative. */
static inline struct text_value text_value_of(int64_t n)
{
	return n < 0 ? (struct text_value){ -(uint64_t)n, TEXT_MINUS } : (struct text_value){ (uint64_t)n, 0 };
}

/* Add value to sum; for a column `longest`, keep the greater one, which is a whole number. */
static inline void text_value_add(struct text_value *sum, const struct text_value *value, bool longest)
{
	if (longest) {
		sum->whole = value->whole > sum->whole ? value->whole : sum->whole;
		return;
	}
	sum->whole = column_sum(sum->whole, value->whole);
	sum->fraction += value->fraction;
	if (sum->fraction >= COLUMN_ONE)
		sum->whole = column_carry(sum->whole, &sum->fraction);
}

#endif
