/* heat_wish: chooses axes and hues by the command line and the events. */
#ifndef RENDER_HEAT_WISH_H
#define RENDER_HEAT_WISH_H

#include "render/heat/heat_options.h"

/* Choose axes for the events from from_ns to to_ns.  Returns NULL, or why there can be none; exits 2 on wrong
 * usage. */
const char *heat_wish_axes(struct heat_axes *a, const struct heat *h, const struct heat_options *o,
			   const struct zone *zone, uint64_t from_ns, uint64_t to_ns);

/* The dimension that --per names; NULL: no --per.  Exits 2 on wrong usage. */
const struct heat_dimension *heat_wish_per(const struct heat *h, const struct heat_options *o);

/* Choose the keys that have hues; exits 2 on wrong usage.  The caller frees hues->keys. */
void heat_wish_hues(struct heat_hues *hues, const struct heat *h, const struct heat_options *o);

#endif
