/* levels: a list of numbers and ranges, all from 1 on: "1,4-8,64-". */
#ifndef COLLAPSE_FOLD_LEVELS_H
#define COLLAPSE_FOLD_LEVELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct level_range {
	uint32_t first, last;
};

struct levels {                     /* {0} is empty */
	struct level_range *ranges; /* [count] */
	size_t count, cap;
};

/* Parse a list; the last number of a range may be missing.  If it is malformed, exits 2; option names the option in
 * the message. */
void levels_parse(struct levels *l, const char *list, const char *option);

bool levels_have(const struct levels *l, uint32_t level);

void levels_free(struct levels *l);

#endif
