/* noise_gaps: the gaps of --spin that were longer than the budget, though perhaps nothing in them was, and what was in
 * them. */
#ifndef COLLECT_NOISE_NOISE_GAPS_H
#define COLLECT_NOISE_NOISE_GAPS_H

#include "bpf/noise.h"
#include "collect/noise/noise_sources.h"
#include "collect/noise/spinner.h"

/* Keep a record for the gaps that come: the last ones are kept. */
void noise_gaps_keep(const struct noise_record *r);

/* Count a gap, and what was in it. */
void noise_gaps_add(const struct noise_sources *s, const struct spinner_gap *gap);

/* Name on stderr, for each CPU, the longest gap over the budget and what was in it.  Returns whether there was any. */
bool noise_gaps_over(const struct noise_sources *s);

void noise_gaps_free(void);

#endif
