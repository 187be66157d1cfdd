/* heat_wish: from the command line and the events to axes and hues. */
#ifndef RENDER_HEAT_WISH_H
#define RENDER_HEAT_WISH_H

#include "render/heat/heat_options.h"

/* Axes for the events from from_ns to to_ns.  Returns NULL, or why there can be none; dies of
 * wrong usage. */
const char *heat_wish_axes(struct heat_axes *a, const struct heat *h, const struct heat_options *o,
			   const struct zone *zone, uint64_t from_ns, uint64_t to_ns);

/* The dimension that --per names; NULL: none is wanted.  Exits 2 on wrong usage. */
const struct heat_dimension *heat_wish_per(const struct heat *h, const struct heat_options *o);

/* Which keys have hues; exits 2 on wrong usage.  The caller frees hues->keys. */
void heat_wish_hues(struct heat_hues *hues, const struct heat *h, const struct heat_options *o);

#endif
