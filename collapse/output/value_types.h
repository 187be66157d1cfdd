/* value_types: the types of a line's values, for formats that state the type and unit of each value. */
#ifndef COLLAPSE_OUTPUT_VALUE_TYPES_H
#define COLLAPSE_OUTPUT_VALUE_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/output/facts.h"
#include "collapse/output/output_formats.h"

enum { VALUE_WORD_MAX = 64 };

struct value_type {
	size_t column;                                   /* index into the columns of the product */
	char type[VALUE_WORD_MAX], unit[VALUE_WORD_MAX]; /* "cpu" in "nanoseconds", "samples" in "count" */
};

struct value_types {
	struct value_type items[COLUMNS_MAX]; /* [count]: the columns that can be added up, which the longest span
					       * cannot */
	size_t count;
	uint64_t carry[COLUMNS_MAX]; /* fractions not written yet, in units of 1/COLUMN_ONE */
	uint64_t too_large;          /* values that were cut to INT64_MAX */
};

void value_types_make(struct value_types *t, const struct product *p, const struct header_facts *facts);

/* The name of column i, as in the header's columns=, but without "samples" or the like. */
void value_column_word(const struct product *p, const struct header_facts *facts, size_t i, char word[VALUE_WORD_MAX]);

/* Value i of a line or timed sample, as a whole number; first is its first value, more has the others.  Fractions are
 * carried over to later calls, so that the total is right. */
uint64_t value_rounded(struct value_types *t, const struct product *p, size_t i, uint64_t first, const uint64_t *more);

/* Append value i of a line as a decimal number. */
void value_decimal(const struct product *p, size_t i, uint64_t first, const uint64_t *more, struct str *out);

/* Warn of values that were changed. */
void value_types_warn(const struct value_types *t, const struct product *p);

/* What each sample stands for, according to the header's rate, in the unit of the first value for which it is known: ns
 * for a clock; 0: unknown. */
uint64_t value_period(const struct header_facts *facts);

#endif
