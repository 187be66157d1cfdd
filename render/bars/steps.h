/* steps: colours of parts of bars by the longest time in them: a step for each power of ten, the same in all pictures,
 * so that a red part in one took as long as a red part in another. */
#ifndef RENDER_BARS_STEPS_H
#define RENDER_BARS_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"
#include "render/bars/bars.h"

/* Under 1 us, ... 1 s or longer; of other units: under 10, ... 10^7 or more. */
enum { BARS_STEPS = 8 };

/* The step of a longest time of b. */
size_t bars_step(const struct bars *b, uint64_t longest);

/* Where it begins, in units of 10^-decimals of b. */
uint64_t bars_step_from(const struct bars *b, size_t step);

/* Its colour; safe: for the red-green colour-blind. */
uint32_t bars_step_rgb(size_t step, bool safe);

/* Append what it stands for: "under 1 us", "10 us to 100 us". */
void bars_step_add(struct str *out, const struct bars *b, size_t step);

/* Do the lines have longest times that the steps are about? */
bool bars_have_steps(const struct bars *b);

#endif
