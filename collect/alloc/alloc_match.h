/* alloc_match: filters and limits allocations by the names of their classes and of the Java frames that made them. */
#ifndef COLLECT_ALLOC_ALLOC_MATCH_H
#define COLLECT_ALLOC_ALLOC_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/sampling/stack_walk.h"
#include "core/opts.h"
#include "core/str.h"

struct alloc_match;

/* Keep allocations that match one of include, if any are given, and none of exclude; limits: "REGEXP=10M/s".
 * Errors are wrong usage: exits 2. */
struct alloc_match *alloc_match_new(const struct text_list *include, const struct text_list *exclude,
				    const struct text_list *limits);

/* Do the filters keep s?  klass: the address of the class's name; 0: unknown. */
bool alloc_match_wants(struct alloc_match *m, const struct walked_sample *s, uint64_t klass);

/* Count the bytes that the last sample passed to alloc_match_wants() stands for, for the limits. */
void alloc_match_count(struct alloc_match *m, uint64_t bytes);

/* Print exceeded limits, and what exceeded them, on stdout.  Returns their number. */
size_t alloc_match_judge(const struct alloc_match *m, uint64_t ns);

/* Report the limits that the samples did not exceed, but that the bytes lost with unknown owners may have exceeded.
 * Returns the number of such limits. */
size_t alloc_match_doubt(const struct alloc_match *m, uint64_t ns, double lost);

void alloc_match_free(struct alloc_match *m);

#endif
