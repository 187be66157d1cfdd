/* quality: how complete the stacks of a recording are, in one line for people.
 *
 *     98.2 % of user stacks are whole, 0.4 % of frames have no name
 *     98.2 % of user stacks of samples are whole, 53.0 % of those of spans of time, all frames have a name
 *     98.2 % of user stacks are whole, 0.4 % of frames have no name, 21.0 % are of stripped code */
#ifndef CORE_SYMBOLS_QUALITY_H
#define CORE_SYMBOLS_QUALITY_H

#include <stdbool.h>
#include <stdint.h>

#include "core/str.h"

/* Counts of samples; {0}: there were none. */
struct quality {
	uint64_t stacks; /* stacks with user frames */
	uint64_t cut;    /* of these stacks: deeper than recorded */
	uint64_t broken; /* of these stacks: those that apparently end before the first function of their thread
			  * (core/symbols/starts.h) */
	uint64_t unseen; /* of the remaining, whole stacks: those whose first function is not known as a start */
	uint64_t span_stacks, span_cut, span_broken; /* the part of the above counts that is of spans of time; their
						      * stacks are not copied: frame pointers only */
	uint64_t frames;                             /* user and kernel frames */
	uint64_t nameless; /* frames that cannot be told apart: without a name, and not stripped */
	uint64_t stripped; /* frames of functions without a name that are told apart by where they begin
			    * (core/symbols/elf/elf.c) */
};

/* Is something missing, and are there enough stacks for a percentage? */
bool quality_is_flawed(const struct quality *q);

/* The part of the counts that belongs to samples, or to spans of time; frames are not split. */
struct quality quality_of_samples(const struct quality *q);
struct quality quality_of_spans(const struct quality *q);

/* Are more than a fifth of the user stacks broken, if there are enough to judge? */
bool quality_is_poor(const struct quality *q);

/* Append a percentage: "98.2" for 982 of 1000.  It is rounded down, so that "100" means all; "0" is less than 0.1.  If
 * whole is 0, append "100". */
void quality_percent(struct str *out, uint64_t part, uint64_t whole);

/* Append the line, without newline. */
void quality_line(const struct quality *q, struct str *out);

#endif
