/* encode: a whole profile as text that a script decodes in milliseconds.
 *
 * Numbers are groups of five bits, lowest first; a group is the character
 * 63 + group, plus 32 if another group follows.  These are '?' to '~', none of
 * which means anything to XML.
 *
 * names    one per line: the count of characters that it shares with the line
 *          before (one group of six bits), then the rest.  The most frequent
 *          names come first, since their numbers are short.
 * colours  eight characters per name: its colour and that of its crumbs (palette.h),
 *          0xrrggbb in groups of six bits, highest first.
 * tree     the frames, depth first, each of them:
 *              levels up from the frame before to the parent's child list
 *              (0: its first child), times 2, plus 1 if values follow;
 *              the name's number; the count of names for a "..." frame, in
 *              which narrow subtrees were folded: then how many frames it
 *              stands for;
 *              with settings.arrival, its place among its siblings in the order
 *              in which the input had them;
 *              the values that are not in a child or a gap.  Without layers: the
 *              self value.  With layers, even with one (profile.h; settings.layers
 *              tells): with settings.combine "max" first the resulting width
 *              (which does not follow from the values in a "..." frame, nor where
 *              stacks without width are counted with their parent); then the
 *              number of layers with a value; then for each of these the layer's
 *              number (for all but the first minus one more than the number
 *              before), and the value.
 *          With settings.chart, a gap of the parent may precede a frame: the parent's
 *          own value since the previous child, or since its own beginning:
 *              levels up as above, times 2, plus 1; the count of names + 1; the value.
 *          A gap is not a frame and is not counted as one; the levels of the frame
 *          after it are counted from its parent.
 *          There may be newlines between frames.
 *
 * About 4 bytes per frame.  browser/profile.js decodes it. */
#ifndef RENDER_ENCODE_H
#define RENDER_ENCODE_H

#include "core/str.h"
#include "render/colours/palette.h"
#include "render/profile/profile.h"
#include "render/profile/tree.h"

struct encoded {          /* {0} is empty */
	struct str names; /* escaped for XML */
	struct str colours, tree;
	uint32_t name_count, frame_count;
	uint32_t *number; /* [name of the profile] its number in this text; UINT32_MAX: not used */
};

/* Encode frame root and all below it. */
void encode(struct encoded *e, const struct profile *p, const struct tree *t, uint32_t root,
	    const struct palette *palette);

void encoded_free(struct encoded *e);

#endif
