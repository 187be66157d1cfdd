/* diff: how the frames of two layers differ, and the colours for the differences.
 *
 * A value of a layer is compared after scaling: value * num / den, not rounded, since
 * a sample of a small profile can be many of a large one.  layers.js computes the
 * same in the same order, so that the script's colours are the same.  A frame's delta is either that of its whole
 * subtree (total), so that callers of changed code show the change, too, or only that of the stacks that end in the
 * frame (self), as in flamegraph.pl.
 *
 *     grew, shrank   a hue from pale to strong, by |delta| / the largest |delta|
 *     new, gone      only one of the two layers has the frame
 *     same           |delta| is less than threshold * the larger whole, or within chance
 *
 * Samples are counts, and two recordings of the same load differ by chance.  A change is within chance if
 * |z| < chance_z, where z tests whether two Poisson counts x0 and x1 have the same rate, given that rho times as many
 * are expected on the second side (Huffman 1984, Applied Statistics 33:224; Gu et al. 2008, Biometrical Journal
 * 50:283):
 *
 *     z = 2 * (sqrt(x1 + 3/8) - sqrt(rho * (x0 + 3/8))) / sqrt(1 + rho)
 *
 * If shares of given totals are compared, a count varies less, by sqrt(1 - share); for a share above one half, the rest
 * is tested.
 *
 * Whether a frame is new or gone depends on its total, in both kinds of delta. */
#ifndef RENDER_DIFF_H
#define RENDER_DIFF_H

#include <stdbool.h>
#include <stdint.h>

#include "render/colours/colouring.h"
#include "render/drawing/legend.h"
#include "render/profile/number.h"

enum diff_kind { DIFF_SAME, DIFF_GREW, DIFF_SHRANK, DIFF_NEW, DIFF_GONE };

/* Colours on which black text is readable (with a contrast of at least 4.5:1). */
struct diff_colours {
	const char *name;
	struct hue {
		uint32_t pale, strong;
	} grew, shrank;
	uint32_t appeared, gone, same;
};

/* The colours called name ("red-blue", "orange-blue"); exits 2 on wrong usage. */
const struct diff_colours *diff_colours_find(const char *name);

/* One of the two layers. */
struct diff_side {
	const char *name;       /* "base", "new" */
	const uint64_t *totals; /* by frame; not scaled */
	struct profile_scale scale;
};

struct diff {
	struct colouring colouring;
	const struct tree *tree;
	uint32_t root; /* of the picture */
	const struct diff_colours *colours;
	const struct unit *unit;
	struct diff_side base, new;
	double threshold; /* share of whole */
	double chance_z;  /* z of a two-sided test; 0: nothing is taken for chance, or values are not counts */
	bool by_self;
	bool negate;    /* swap signs and hues, but not base and new */
	double whole;   /* the larger of the two roots, scaled */
	double largest; /* largest |delta| of the frames above root; 1 if there is none */
};

/* Compute the rest of d.  The caller sets tree, root, colours, unit, base, new, threshold, chance_z, by_self and
 * negate, which must outlive d.  d needs no freeing. */
void diff_make(struct diff *d);

/* The scaled total of frame i on one side. */
double diff_value(const struct diff_side *side, uint32_t i);

enum diff_kind diff_kind_of(const struct diff *d, uint32_t i);

/* The new value of frame i minus its base value; with negate, the negative of that. */
double diff_delta(const struct diff *d, uint32_t i);

/* The z of a two-sided level, a share: 2.575829 for 0.01; 0 for 1 or more. */
double diff_z_of_level(double level);

/* Is the change of frame i within chance? */
bool diff_is_chance(const struct diff *d, uint32_t i);

/* Append "base 120 samples, 12%; new 340 samples, 30%; +18.00 points, +150%", in which the last is relative to
 * the base, or "within chance"; with by_self the frame's own change, too. */
void diff_tip(const struct diff *d, struct str *out, uint32_t i);

/* Add the meaning of the colours; gone: the text for frames that only base has. */
void diff_legend(const struct diff *d, struct legend *legend, const char *gone);

#endif
