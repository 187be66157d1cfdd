/* sample: one folded line, parsed (core/format/folded.h).
 *
 *     @1475682078.014325678 java-8513/lbm;start_thread;run 17.25
 *     `------- time --------' `--------- stack ----------' `- value 1725, decimals 2 */
#ifndef RENDER_SAMPLE_H
#define RENDER_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SAMPLE_DECIMALS_MAX = 9 };

struct sample_line {
	const char *stack; /* points into the line: frames joined by ';'; may be empty */
	size_t stack_len;  /* without ';' at its end */
	uint64_t value;    /* the last one, in units of 10^-decimals */
	uint64_t before;   /* with two_values, the first of the two, in the same units */
	unsigned decimals; /* 0..SAMPLE_DECIMALS_MAX; finer values are rounded */
	bool two_values;   /* a differential line: "stack before after" */
	bool timed;
	uint64_t time_ns; /* since the epoch; UINT64_MAX: later than this type can hold */
};

/* Parse line[0..len).  Returns NULL, or what is wrong with it. */
const char *sample_parse(struct sample_line *s, const char *line, size_t len);

/* The same for a line that has one value: a number before it belongs to a frame. */
const char *sample_parse_one(struct sample_line *s, const char *line, size_t len);

/* The value in one of several columns. */
struct sample_column {
	uint64_t value; /* in units of 10^-decimals */
	unsigned decimals;
};

enum { SAMPLE_COLUMNS_MAX = 16 };

/* The same for a line that has count values, 1 to SAMPLE_COLUMNS_MAX, into columns[count];
 * s has the first one. */
const char *sample_parse_columns(struct sample_line *s, const char *line, size_t len, size_t count,
				 struct sample_column *columns);

/* The place, from 1, of the error in line[0..len), which is in its time or in one of its values; 0: wrong is about
 * something else. */
size_t sample_fault(const char *wrong, const char *line, size_t len);

/* Errors: a time that time_ns cannot hold; and a negative value, since a stack's net sum is known only after all lines,
 * as collapse computes it. */
extern const char sample_late[], sample_negative[];

/* value * 10^places, or UINT64_MAX when that is too large. */
uint64_t decimal_shift(uint64_t value, unsigned places);

#endif
