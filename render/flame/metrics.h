/* metrics: one event gives the widths; another one, or the ratio of two, gives the
 * colours: wide frames with few instructions per cycle deserve attention.
 *
 * The gradient runs from blue (low) to yellow (high), and gets lighter all the way;
 * blue and yellow can be distinguished with any colour vision. */
#ifndef RENDER_METRICS_H
#define RENDER_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "render/colours/colouring.h"
#include "render/drawing/legend.h"
#include "render/profile/number.h"

enum { METRICS_STOPS = 5 };
extern const uint32_t metrics_stops[METRICS_STOPS];

/* The colour of a frame whose denominator is 0. */
#define METRICS_NONE 0xd8d8d8u

struct metrics {
	struct colouring colouring;
	const struct tree *tree;
	uint32_t root;                      /* of the picture */
	const struct profile_layer *layers; /* named after the events */
	uint64_t *const *totals;            /* [layer][frame] */
	size_t count;                       /* of layers */
	unsigned decimals;                  /* of the totals */
	double factor;                      /* decimals of the shown value, as in struct unit */
	size_t width, above, below; /* indexes of layers: that of the widths; those of the ratio above / below */
	bool is_share;              /* colours show the share of layer `above`, rather than a ratio */
	double low, high;           /* the gradient's ends */
	bool has_none;              /* a frame has no value */
};

/* Compute the rest of m.  The caller sets the members from tree to is_share, which must outlive m.  low and high are
 * the extremes among frames of at least 1/200 of the whole, so that a few samples do not determine them.  m need not be
 * freed. */
void metrics_make(struct metrics *m);

/* The value that colours frame i, or NAN. */
double metrics_value(const struct metrics *m, uint32_t i);

/* Add the gradient: its stops, "low – middle – high name". */
void metrics_legend(const struct metrics *m, struct legend *legend);

/* Append what the colours show: "instructions/cycles". */
void metrics_name(const struct metrics *m, struct str *out);

#endif
