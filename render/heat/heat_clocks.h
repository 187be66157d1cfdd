/* heat_clocks: of several hosts, those whose clocks may be off by more than a row: nobody knows whether what one of
 * them did was before or after what another did.  Cells with events of theirs are hatched. */
#ifndef RENDER_HEAT_CLOCKS_H
#define RENDER_HEAT_CLOCKS_H

#include "core/str.h"
#include "render/heat/grid.h"

/* [stack] 1: of such a host, and chosen (NULL: all are); NULL if there is none.  The caller frees it. */
uint8_t *heat_clock_doubts(const struct heat *h, const struct heat_axes *a, const uint8_t *chosen);

/* Append "clock off by up to 3.2 s: db1; unsynchronized: db2": nothing, if there is no such host. */
void heat_clock_words(const struct heat *h, const struct heat_axes *a, struct str *out);

/* Append ,"clocks":[["db1",3200000000],["db2",-1]], the errors of all hosts of which they are known, in ns; -1:
 * unsynchronized.  Nothing, if there are not several hosts. */
void heat_clocks_json(const struct heat *h, struct str *out);

#endif
