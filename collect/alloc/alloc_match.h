/* alloc_match: which allocations are wanted, and which are too many, by the names of their classes and
 * of the Java frames that made them. */
#ifndef COLLECT_ALLOC_ALLOC_MATCH_H
#define COLLECT_ALLOC_ALLOC_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/sampling/stack_walk.h"
#include "core/opts.h"
#include "core/str.h"

struct alloc_match;

/* Only those that match one of include, if there are any, and none of exclude; limits: "REGEXP=10M/s".
 * Anything wrong is wrong usage: exits 2. */
struct alloc_match *alloc_match_new(const struct text_list *include, const struct text_list *exclude,
				    const struct text_list *limits);

/* klass: the address of its name; 0: not known.  Is s wanted? */
bool alloc_match_wants(struct alloc_match *m, const struct walked_sample *s, uint64_t klass);

/* The sample that was asked for last stands for so many bytes: count them for the limits. */
void alloc_match_count(struct alloc_match *m, uint64_t bytes);

/* Print the limits that were exceeded, with what exceeded them, to stdout.  Returns how many. */
size_t alloc_match_judge(const struct alloc_match *m, uint64_t ns);

/* So many bytes were lost, of nobody knows whom: report the limits that may have been exceeded, but were
 * not by what was seen.  Returns how many. */
size_t alloc_match_doubt(const struct alloc_match *m, uint64_t ns, double lost);

void alloc_match_free(struct alloc_match *m);

#endif
