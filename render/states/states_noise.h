/* states_noise: the words of a chart of what disturbs CPUs: each row is a source on a CPU (collapse --noise). */
#ifndef RENDER_STATES_STATES_NOISE_H
#define RENDER_STATES_STATES_NOISE_H

#include "render/bars/bars.h"
#include "render/bars/table.h"
#include "render/states/states_words.h"

/* Is any of the time noise?  Kinds must be dressed. */
bool states_have_noise(const struct bars *b);

/* The headline, "3.6 s of noise in 5 s: ...", and a note for each row: "37 µs, 3,243 times". */
void states_noise_words(struct states_words *w, const struct bars *b);

/* The most noise that a row has, in counts or time; the most of anything if there is no noise; at least 1. */
uint64_t states_noise_widest(const struct bars *b, bool by_count);

/* Make the table of the kinds of noise. */
void states_noise_kinds(struct bars_table *t, const struct bars *b);

#endif
