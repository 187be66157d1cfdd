/* multiples: several profiles in one picture, with a panel for each, one below the other.
 *
 *     before.folded · db1 · 100 samples                   caption
 *     |  read  |  write  |                                frames, as wide as the
 *     |        main        |                              picture in every panel
 *     after.folded · db2 · 200 samples, +100% against the first
 *     | read |   write   |
 *     |        main        |
 *
 * A panel shows one layer of the union of all, so that the frames have the same
 * order in all panels; each has a scale of its own.  Colours show how a frame differs from that in the first panel; in
 * the first panel, frames that no other panel has are shown as gone. */
#ifndef RENDER_MULTIPLES_H
#define RENDER_MULTIPLES_H

#include "render/flame/flame.h"

struct panels {
	struct panel *items;
	size_t count;
	int32_t height; /* of all panels together */
};

/* Lay out a panel for each of f's layers, below y.  The panels must not outlive f.  Returns NULL if f is not a
 * picture of several panels. */
struct panels *panels_make(const struct flame *f, int32_t w, int32_t y);

void panels_draw(const struct panels *p, struct canvas *c);

/* The number of frames that the layouts (layout.h) left out: in all panels together, and the maximum in one. */
struct layout panels_left_out(const struct panels *p);

/* Append ',"panels":[{"layer":0,"top":84,"rows":5,"caption":["..."]},...]', the places of the panels for the script:
 * top is the place in pixels where the frames begin; a caption is an array of lines. */
void panels_settings(const struct panels *p, struct str *out);

void panels_free(struct panels *p);

/* The frames of t from root on that have a value in totals, as a new tree with these values as widths; of[i] (owned by
 * the caller) is frame i in t. */
void tree_of_layer(struct tree *layer, uint32_t **of, const struct tree *t, uint32_t root, const uint64_t *totals);

#endif
